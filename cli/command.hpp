// A command of webnn-cli: one row of the command table in commands.cpp and one file that declares its options.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"
#include "cli/options/option_list.hpp"
#include "schema/error.hpp"

namespace webnn::cli {

using schema::Error;
using schema::ExitCode;

/// Runs a command whose options have been parsed.
using Action = std::function<ExitCode(Console&)>;

struct Command {
  std::string_view name;
  std::string_view summary;   // one line of `webnn-cli --help`
  std::string_view examples;  // shown first in the command's help, one per line
  /// Adds the options to the list and returns what to do once they are parsed.
  Action (*declare)(OptionList& list);
};

std::span<const Command> commands();

/// The whole program: parses `arguments` (without the program's name), runs the command, reports errors on
/// `console.err` and gives the exit code. Throws nothing.
int run_command_line(const std::vector<std::string>& arguments, Console& console);

// One declare function for each file of a command.
Action declare_run(OptionList& list);
Action declare_explain(OptionList& list);
Action declare_validate(OptionList& list);
Action declare_convert(OptionList& list);
Action declare_compile(OptionList& list);
Action declare_inspect(OptionList& list);
Action declare_test(OptionList& list);
Action declare_cache(OptionList& list);
Action declare_bench(OptionList& list);
Action declare_profile(OptionList& list);
Action declare_compare(OptionList& list);
Action declare_ops(OptionList& list);
Action declare_completion(OptionList& list);
Action declare_man(OptionList& list);
Action declare_devices(OptionList& list);
Action declare_version(OptionList& list);

}  // namespace webnn::cli
