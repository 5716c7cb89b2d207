// A command of webnn-cli: one row of the command table in commands.cpp and one file that declares its options.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"
#include "schema/error.hpp"

namespace CLI {
class App;
}

namespace webnn::cli {

using schema::Error;
using schema::ExitCode;

/// Runs a command whose options have been parsed.
using Action = std::function<ExitCode(Console&)>;

struct Command {
  std::string_view name;
  std::string_view summary;   // one line of `webnn-cli --help`
  std::string_view examples;  // shown first in the command's help, one per line
  /// Adds the options to `app` and returns what to do once they are parsed.
  Action (*declare)(CLI::App& app);
};

std::span<const Command> commands();

/// The whole program: parses `arguments` (without the program's name), runs the command, reports errors on
/// `console.err` and gives the exit code. Throws nothing.
int run_command_line(const std::vector<std::string>& arguments, Console& console);

// One declare function for each file of a command.
Action declare_run(CLI::App& app);
Action declare_explain(CLI::App& app);
Action declare_validate(CLI::App& app);
Action declare_convert(CLI::App& app);
Action declare_compile(CLI::App& app);
Action declare_inspect(CLI::App& app);
Action declare_test(CLI::App& app);
Action declare_cache(CLI::App& app);
Action declare_bench(CLI::App& app);
Action declare_profile(CLI::App& app);
Action declare_compare(CLI::App& app);
Action declare_ops(CLI::App& app);
Action declare_completion(CLI::App& app);
Action declare_man(CLI::App& app);
Action declare_devices(CLI::App& app);
Action declare_version(CLI::App& app);

}  // namespace webnn::cli
