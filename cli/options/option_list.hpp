// The options of a command, as its file declares them: names, help, where the value goes and what it may be. What is
// said here reaches the parser, help, manual pages, completions and messages alike.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace webnn::cli {

/// An option that was declared. Each function adds to it and returns it.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option& required();
  /// One of these words and nothing else.
  Option& one_of(const std::vector<std::string>& words);
  /// A number from `low` to `high`. T: unsigned, std::size_t, double.
  template <typename T>
  Option& between(T low, T high);
  /// Bytes, with a unit or without: 512MB, 2GiB.
  Option& size();
  /// It may be given several times, each with one value.
  Option& repeatable();
  /// Help shows the value that it has now as the usual one, or `text`.
  Option& shows_default();
  Option& shows_default(const std::string& text);

 private:
  CLI::Option* option_;
};

/// The options and positional arguments of one command.
class OptionList {
 public:
  explicit OptionList(CLI::App& command) : command_(&command) {}

  /// `names`: "-o,--output", or a word without dashes for a positional argument. `value` keeps what it holds when the
  /// option is not given, and must outlive the parser. T: std::string, unsigned, std::size_t, double, or a vector of
  /// strings.
  template <typename T>
  Option add(const std::string& names, T& value, const std::string& description);
  /// An option without a value.
  Option flag(const std::string& names, bool& value, const std::string& description);
  /// These two, which have been declared, cannot be given together.
  void exclude(const std::string& one, const std::string& other);

 private:
  CLI::App* command_;
};

}  // namespace webnn::cli
