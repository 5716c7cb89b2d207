// Running other programs.
#pragma once

#include <filesystem>
#include <string>

namespace webnn::tests {

struct ShellResult {
  int status = 0;      // of the command; -1: a signal ended it
  std::string output;  // and errors
};
ShellResult run_shell(const std::string& command);

/// A path as one word of a shell.
std::string shell_word(const std::filesystem::path& path);

}  // namespace webnn::tests
