// A command of webnn-cli: a row of commands.def, and a file in commands/ that declares its options.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_list.hpp"
#include "cli/output/console.hpp"
#include "schema/error.hpp"

namespace webnn::cli {

using schema::Error;
using schema::ExitCode;

/// Runs a command after its options have been parsed.
using Action = std::function<ExitCode(Console&)>;

struct Command {
  std::string_view name;
  std::string_view summary;   // one line of `webnn-cli --help`
  std::string_view examples;  // shown first in the command's help, one per line
  /// Adds the options to the list and returns the action to run after parsing.
  Action (*declare)(OptionList& list);
};

std::span<const Command> commands();

/// The whole program: parses `arguments` (without the program's name), runs the command, reports errors on
/// `console.err` and returns the exit code. Throws nothing.
int run_command_line(const std::vector<std::string>& arguments, Console& console);

}  // namespace webnn::cli
