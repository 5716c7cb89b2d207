// How a command declares its options: names, help, the variable for the value, and the allowed values. Parser, help,
// manual pages, completions and messages all use these declarations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace webnn::cli {

/// A declared option. Each function modifies it and returns it.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option& required();
  /// Takes one of these words only.
  Option& one_of(const std::vector<std::string>& words);
  /// Takes a number from `low` to `high`. T: unsigned, std::size_t, double.
  template <typename T>
  Option& between(T low, T high);
  /// Takes a number of bytes, with or without a unit: 512MB, 2GiB.
  Option& size();
  /// May be given several times, each time with one value.
  Option& repeatable();
  /// Help shows the variable's current value, or `text`, as the default.
  Option& shows_default();
  Option& shows_default(const std::string& text);

 private:
  CLI::Option* option_;
};

/// The options and positional arguments of one command.
class OptionList {
 public:
  explicit OptionList(CLI::App& command) : command_(&command) {}

  /// `names`: "-o,--output", or a word without dashes for a positional argument. `value` stays as it is when the option
  /// is not given, and must outlive the parser. T: std::string, unsigned, std::size_t, double, or a vector of strings.
  template <typename T>
  Option add(const std::string& names, T& value, const std::string& description);
  /// An option without a value.
  Option flag(const std::string& names, bool& value, const std::string& description);
  /// These two options, which must have been declared, exclude each other.
  void exclude(const std::string& one, const std::string& other);

  /// Gives the command --sandbox: the table of option values must say what it does with each file.
  void allow_sandbox() { may_be_sandboxed_ = true; }
  bool may_be_sandboxed() const { return may_be_sandboxed_; }

 private:
  CLI::App* command_;
  bool may_be_sandboxed_ = false;
};

}  // namespace webnn::cli
