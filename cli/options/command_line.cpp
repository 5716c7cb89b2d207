// Parses the command line with CLI11, runs the command and turns every outcome into an exit code.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <new>
#include <system_error>

#include "cli/command.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/usage_errors.hpp"
#include "cli/output/messages.hpp"
#include "cli/watchdog.hpp"
#include "runtime/threads/processors.hpp"
#include "schema/file/file_mapping.hpp"
#include "schema/text.hpp"
#include "schema/version.hpp"

namespace webnn::cli {
namespace {

/// The value of an option or its environment variable before the arguments are parsed: needed early, because it decides
/// how parse errors are reported.
std::string early_value(const CLI::App& app, const std::string& flag, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].starts_with(flag + "=")) return arguments[i].substr(flag.size() + 1);
    if (arguments[i] == flag && i + 1 < arguments.size()) return arguments[i + 1];
  }
  for (const std::string& argument : arguments)
    for (const CLI::App* command :
         app.get_subcommands([&](const CLI::App* one) { return one->check_name(argument); })) {
      const CLI::Option* option = command->get_option_no_throw(flag);
      const char* value = option ? std::getenv(option->get_envname().c_str()) : nullptr;
      return value ? value : "";
    }
  return {};
}

/// NO_COLOR may have any value: see no-color.org.
bool wants_colors(const std::string& when, bool is_terminal) {
  const char *const no_color = std::getenv("NO_COLOR"), *const terminal = std::getenv("TERM");
  const bool is_dumb = terminal && std::string_view(terminal) == "dumb";
  return when == "always" || (when != "never" && is_terminal && !is_dumb && !(no_color && *no_color));
}

/// What the watchdog writes after a timeout, when it cannot wait for the command.
std::string timeout_text(const Console& console, std::chrono::nanoseconds limit) {
  char text[80];
  std::snprintf(text, sizeof text, "timeout: not finished after %.6g s, the limit that --timeout sets",
                std::chrono::duration<double>(limit).count());
  if (!console.messages) return std::string(program_name) + ": " + text + "\n";
  return messages_json({{{text, {}}}, {}, {}}, int(ExitCode::timeout));
}

/// `help COMMAND` is `COMMAND --help`.
std::vector<std::string> without_help_word(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

/// Does the work; turns what it throws into messages, and everything into an exit code.
int outcome_of(const CLI::App& app, const std::vector<std::string>& arguments, Console& console,
               const std::function<int()>& work) {
  try {
    const int code = work();
    schema::check_no_file_cut();
    console.out.flush();
    const bool wanted = !console.reader_is_gone || !console.reader_is_gone();
    if (!console.out && wanted) throw Error(ExitCode::io, "cannot write to standard output");
    return code;
  } catch (const Error& error) {
    ErrorMessage message = message_of(error);
    for (std::string& hint : environment_hints(app, arguments, message.message))
      message.hints.push_back(std::move(hint));
    report_error(console, std::move(message));
    return int(error.code());
  } catch (const std::filesystem::filesystem_error& error) {
    report_error(console,
                 {"cannot read " + schema::in_quotes(error.path1().string()) + ": " + error.code().message(), {}});
    return int(ExitCode::io);
  } catch (const std::bad_alloc&) {
    report_error(console, {"out of memory", {}});
    return int(ExitCode::resource);
  } catch (const std::system_error& error) {  // threads that cannot be started
    report_error(console, {"the system refuses a resource: " + error.code().message(), {}});
    return int(ExitCode::resource);
  } catch (const std::exception& error) {
    report_error(console,
                 {std::string("internal error: ") + error.what(), {"this is a bug of webnn-cli; please report it"}});
    return int(ExitCode::internal);
  }
}

/// Runs the chosen command here, or with --sandbox in a process of its own, which reports its errors itself.
int run_action(CommandTree& tree, const CLI::App& command, const Action& action,
               const std::vector<std::string>& arguments, Console& console) {
  refuse_same_outputs(command);
  if (!tree.is_sandboxed) return int(action(console));
  Grants grants;
  for (const UsedFile& file : files_for_sandbox(command)) grants.add(file);
  const runtime::ThreadLimit threads = runtime::thread_limit();
  return run_in_sandbox(std::move(grants), tree.sandbox, [&] {
    runtime::keep_thread_limit(threads);
    const int code = outcome_of(*tree.app, arguments, console, [&] { return int(action(console)); });
    finish_report(console, code);
    console.err.flush();
    return code;
  });
}

int run(CommandTree& tree, const std::vector<std::string>& arguments, Console& console) {
  CLI::App& app = *tree.app;
  const auto work = [&] {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(std::move(reversed));
    console.is_verbose = tree.is_verbose;
    const Watchdog watchdog(tree.timeout, timeout_text(console, tree.timeout));
    int code = int(ExitCode::success);
    for (auto& [sub, action] : tree.actions)
      if (sub->parsed()) code = run_action(tree, *sub, action, arguments, console);
    return code;
  };
  return outcome_of(app, arguments, console, [&] {
    try {
      return work();
    } catch (const CLI::CallForHelp&) {
      const CLI::App* shown = &app;
      for (const CLI::App* chosen : app.get_subcommands()) shown = chosen;
      console.out << shown->help();
    } catch (const CLI::CallForVersion& version) {
      console.out << program_name << " " << version.what() << "\n";
    } catch (const CLI::ParseError& error) {
      report_error(console, usage_error(app, error, arguments));
      return int(ExitCode::usage);
    }
    return int(ExitCode::success);
  });
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, Console& console) try {
  const std::vector<std::string> words = without_help_word(arguments);
  CommandTree tree;
  if (early_value(*tree.app, "--output-format", words) == "json") console.messages.emplace();
  console.has_colors = wants_colors(early_value(*tree.app, "--color", words), console.err_is_terminal);
  const int code = run(tree, words, console);
  finish_report(console, code);
  return code;
} catch (const std::bad_alloc&) {  // so little memory that not even an error can be reported in full
  console.err << program_name << ": out of memory\n" << std::flush;
  return int(ExitCode::resource);
}

}  // namespace webnn::cli
