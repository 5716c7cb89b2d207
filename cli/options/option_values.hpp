// What the values of options are, in one table: the word that help and manual pages show for one, and what shells
// complete. An option that takes certain words only needs no row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace webnn::cli {

enum class Completion : std::uint8_t {
  nothing,
  files,
  folders,
  words,       // that the option takes, or that the table proposes
  word_lists,  // such words with commas between them
};

struct OptionValue {
  std::string_view option;  // "--device"; of a positional argument its name
  std::string_view label;   // "DEVICE"
  Completion completion = Completion::nothing;
  /// Words to propose, which need not be all that it takes; null: none.
  std::vector<std::string> (*proposals)() = nullptr;
};

/// The row of an option; null when it takes no value, or certain words only.
const OptionValue* value_of(const CLI::Option& option);

/// Gives each option of a command its word for values, and its variable of the environment: WEBNN_CLI_ and its long
/// name.
void label_options(CLI::App& command);

}  // namespace webnn::cli
