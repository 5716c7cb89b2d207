// Runs webnn-cli in-process and keeps what it wrote.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace webnn::tests {

struct CommandResult {
  int code = 0;
  std::string out, err;
};

inline CommandResult webnn_cli(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  cli::Console console{out, err};
  const int code = cli::run_command_line(arguments, console);
  return {code, out.str(), err.str()};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace webnn::tests
