// Error messages for the command line, and for environment variables that set options: CLI11 finds the error, and these
// functions describe it.
#pragma once

#include <string>
#include <vector>

#include "cli/output/console.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace webnn::cli {

/// CLI11's error in our words, with what may have been meant. `arguments` is without the program's name.
ErrorMessage usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments);

/// Hints for an error reported by a command itself: which of the mentioned values come from the environment.
std::vector<std::string> environment_hints(const CLI::App& app, const std::vector<std::string>& arguments,
                                           const std::string& message);

}  // namespace webnn::cli
