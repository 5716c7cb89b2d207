// What `inspect` shows of a program file.
#pragma once

#include <string>

#include "api/runner/source.hpp"
#include "cli/output/console.hpp"
#include "schema/error.hpp"
#include "schema/program.hpp"

namespace webnn::cli {

/// Reads a program for whatever machine. Reports what is wrong with it; throws Error (program) for a file that is no
/// correct program.
schema::Program open_program(const api::Source& file, Console& console);

/// Requirements, inputs and outputs, steps, the plan of the arena, constants; programs for other machines too. Throws
/// as `open_program`.
schema::ExitCode inspect_program(const api::Source& file, bool json, Console& console);

/// One line: whether the program runs here, and if not, why. `device`: where; empty: on the one that it is for. Success
/// or `program`. Throws Error (usage) for a device's name that means none.
schema::ExitCode inspect_compatibility(const api::Source& file, const std::string& device, bool json, Console& console);

}  // namespace webnn::cli
