// What is wrong with the words of a command line, or with a variable of the environment that stands for an option:
// CLI11 finds it, this says it.
#pragma once

#include <string>
#include <vector>

#include "cli/output/console.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace webnn::cli {

/// What CLI11 refused, in our words, with what may have been meant. `arguments`: without the program's name.
ErrorMessage usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments);

/// Hints for an error that a command gives on its own: which of the values that it names come from the environment.
std::vector<std::string> environment_hints(const CLI::App& app, const std::vector<std::string>& arguments,
                                           const std::string& message);

}  // namespace webnn::cli
