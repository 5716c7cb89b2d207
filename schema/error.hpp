// The one exception: work cannot continue (I/O, memory, device, usage error). Mistakes in a graph are Diagnostics
// instead.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "schema/export.h"

namespace webnn::schema {

/// Exit codes of the command line, which never change; also the kind of an Error.
enum class ExitCode : int {
  success = 0,
  negative = 1,  // mismatch, regression, failed test
  usage = 2,
  invalid_input = 3,  // the graph file is wrong
  unsupported = 4,    // valid, but not on this device
  device = 5,         // device or driver missing or lost
  io = 6,
  resource = 7,  // limit exceeded, out of memory
  program = 8,   // program file incompatible or corrupt
  internal = 70,
  timeout = 124,
};

class WEBNN_API Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message, std::string hint = {})
      : std::runtime_error(message), code_(code), hint_(std::move(hint)) {}
  ExitCode code() const { return code_; }
  const std::string& hint() const { return hint_; }

 private:
  ExitCode code_;
  std::string hint_;
};

}  // namespace webnn::schema
