// A table of the values of options: the word for a value in help and manual pages, and what shells complete. Options
// that only take certain words need no row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/file_use.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace webnn::cli {

enum class Completion : std::uint8_t {
  nothing,
  files,
  folders,
  words,       // that the option takes, or the table's proposals
  word_lists,  // such words, separated by commas
};

struct OptionValue {
  std::string_view option;  // "--device"; the name of a positional argument
  std::string_view label;   // "DEVICE"
  Completion completion = Completion::nothing;
  /// Words to propose, not necessarily all possible values; null: none.
  std::vector<std::string> (*proposals)() = nullptr;
  /// What run, test, bench and compile do with the file: a sandboxed command can do nothing else.
  FileUse use = FileUse::none;
};

/// The row of an option; null when it takes no value, or certain words only.
const OptionValue* value_of(const CLI::Option& option);

/// The files and folders that the given options of a command name. Throws Error (usage) when they name a device that a
/// sandboxed command cannot use.
std::vector<UsedFile> files_for_sandbox(const CLI::App& command);

/// Throws Error (usage) when two options of the command write the same file.
void refuse_same_outputs(const CLI::App& command);

/// Sets the value label of each option of a command, and its environment variable: WEBNN_CLI_ and its long name.
void label_options(CLI::App& command);

}  // namespace webnn::cli
