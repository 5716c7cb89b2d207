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

/// Whether this build is for another machine, on which an emulator runs its programs.
bool is_cross_build();
/// The words of a shell that run a program of this build ("webnn-cli"): its path, behind the emulator if there is one.
std::string program_words(const std::filesystem::path& program);

}  // namespace webnn::tests
