// webnn-cli when one of its system calls fails, or is the last that it makes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/harness/machine/shell.hpp"

namespace webnn::tests {

/// Why faults cannot be tested here; empty: they can.
std::string no_faults();

/// A command and where it writes. In `words`, OUT is a folder of its own, and so is the user's cache.
struct WritingCommand {
  std::string name, words;
  bool is_repeatable = true;  // it gives the same bytes each time
};

/// One for each way in which commands write files.
const std::vector<WritingCommand>& writing_commands();

/// Runs a command whose OUT is `folder`. `fault` as in faulty_calls.cpp; empty: none. The status of a signal is 128 and
/// its number, as in shells.
ShellResult run_with_fault(const WritingCommand& command, const std::filesystem::path& folder,
                           const std::string& fault);

/// Names, below the folder, and contents of all files, in order.
std::vector<std::pair<std::string, std::string>> files_in(const std::filesystem::path& folder);

}  // namespace webnn::tests
