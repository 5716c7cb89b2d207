// The table of the system calls that a sandboxed process may make. Every other one fails with EPERM.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

#include "cli/sandbox/grants.hpp"

namespace webnn::cli {

/// A call that waits for the supervisor's answer.
struct PendingCall {
  pid_t process;
  std::uint64_t most_threads;  // of the process
  std::span<const std::uint64_t, 6> arguments;

  int number(std::size_t argument) const { return int(arguments[argument]); }
  /// The path that an argument points to; empty when there is none that could be read.
  std::string path(std::size_t argument) const;
  /// As the process itself could: what it may not write is not written for it.
  bool read(std::size_t argument, void* to, std::size_t size) const;
  bool write(std::size_t argument, const void* from, std::size_t size) const;
  /// The file behind a descriptor of the process.
  Descriptor file(int number) const;
};

/// A number that the call gives, negative for an error; a file that the process gets; or the system's own answer, where
/// only numbers were looked at: what a pointer leads to could change before the system looks.
struct Reply {
  std::int64_t value = 0;
  bool is_file = false, is_of_system = false;
};

/// Holds for a call when (argument & mask) == value.
struct Condition {
  unsigned argument;
  std::uint64_t mask, value;
};

enum class Verdict : std::uint8_t {
  allow,
  ask,     // the supervisor
  absent,  // ENOSYS: the C library takes an older call in its place, whose arguments can be checked
};

struct SystemCall {
  const char* name;
  Verdict verdict = Verdict::allow;
  std::vector<Condition> conditions{};  // all must hold for `verdict`
  Reply (*answer)(const PendingCall&, const Grants&) = nullptr;
};

/// Rows of one name are alternatives. `process`: to whom the rows apply.
std::vector<SystemCall> system_calls(pid_t process);

}  // namespace webnn::cli
