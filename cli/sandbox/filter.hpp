// From the table of system calls to a filter of the system (seccomp).
#pragma once

#include <string>

#include "cli/sandbox/system_calls.hpp"

namespace webnn::cli {

/// Closes the sandbox around this process, for good. It may still send on `channel`, and call finish_filter. Returns a
/// descriptor from which a supervisor receives the calls to answer; with an invalid one, `why` says what the system lacks.
Descriptor install_filter(const std::vector<SystemCall>& calls, int channel, std::string& why);

/// Takes back what the process needed to hand over that descriptor: another socket could have its channel's number.
bool finish_filter();

/// The number of a system call on this processor; negative: it has none of this name.
int number_of_call(const char* name);

}  // namespace webnn::cli
