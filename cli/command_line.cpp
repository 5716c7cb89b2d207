// Parses the command line with CLI11, runs the command and turns every outcome into an exit code.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>

#include "cli/command.hpp"
#include "cli/command_tree.hpp"
#include "cli/report.hpp"
#include "cli/watchdog.hpp"
#include "schema/diagnostics.hpp"
#include "schema/text.hpp"
#include "schema/version.hpp"

namespace webnn::cli {
namespace {

/// "did you mean '--input'?" for a flag or command that does not exist.
std::string suggestion(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* active = &app;
  for (const CLI::App* chosen : app.get_subcommands()) active = chosen;
  std::vector<std::string> known;
  for (const CLI::Option* option : active->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  if (active == &app)
    for (const Command& command : commands()) known.emplace_back(command.name);
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  for (const std::string& argument : arguments) {
    const std::string word = argument.substr(0, argument.find('='));
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    if (active != &app && (word.size() < 3 || word[0] != '-')) continue;
    if (const std::string_view near = schema::nearest(word, candidates); !near.empty())
      return "did you mean '" + std::string(near) + "'?";
  }
  return {};
}

/// "did you mean 'json'?" for a value of an option that takes certain words only: "--x: jsn not in {text,json}".
std::string nearest_word(const std::string& complaint) {
  const std::size_t end = complaint.find(" not in {");
  if (end == std::string::npos) return {};
  const std::size_t blank = complaint.rfind(' ', end - 1);
  const std::string word = complaint.substr(blank == std::string::npos ? 0 : blank + 1, end - blank - 1);
  const std::vector<std::string> words = words_in_braces(complaint.substr(end));
  const std::string_view near = schema::nearest(word, {words.begin(), words.end()});
  return near.empty() ? std::string() : "did you mean '" + std::string(near) + "'?";
}

/// What is wrong with the words that CLI11 refused; its own sentence unless a command is unknown or missing.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments) {
  if (!app.get_subcommands().empty()) return error.what();
  if (arguments.empty()) return "a command is missing";
  return (arguments[0].starts_with('-') ? "unknown option " : "unknown command ") + schema::in_quotes(arguments[0]);
}

/// Known before the words are parsed, so that what is wrong with them is told in JSON too.
bool wants_json(const std::vector<std::string>& arguments) {
  const std::string flag = "--output-format";
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == flag + "=json" ||
        (arguments[i] == flag && i + 1 < arguments.size() && arguments[i + 1] == "json"))
      return true;
  return false;
}

/// What the watchdog writes when time is up: it cannot wait for the command.
std::string timeout_text(const Console& console) {
  if (!console.messages) return std::string(program_name) + ": timeout\n";
  return messages_json({{{"timeout", {}}}, {}}, int(ExitCode::timeout));
}

int run(const std::vector<std::string>& arguments, Console& console) {
  try {
    CommandTree tree;
    CLI::App& app = *tree.app;
    ExitCode code = ExitCode::success;
    try {
      std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
      app.parse(std::move(reversed));
      const Watchdog watchdog(tree.timeout, timeout_text(console));
      for (auto& [sub, action] : tree.actions)
        if (sub->parsed()) code = action(console);
    } catch (const CLI::CallForHelp&) {
      const CLI::App* shown = &app;
      for (const CLI::App* chosen : app.get_subcommands()) shown = chosen;
      console.out << shown->help();
    } catch (const CLI::CallForVersion& version) {
      console.out << program_name << " " << version.what() << "\n";
    } catch (const CLI::ParseError& error) {
      ErrorMessage message{usage_message(app, error, arguments), {}};
      std::string near = nearest_word(error.what());
      if (near.empty()) near = suggestion(app, arguments);
      if (!near.empty()) message.hints.push_back(std::move(near));
      const std::string command = app.get_subcommands().empty() ? "" : " " + app.get_subcommands()[0]->get_name();
      message.hints.push_back("`" + std::string(program_name) + command + " --help` shows what there is");
      report_error(console, std::move(message));
      return int(ExitCode::usage);
    }
    console.out.flush();
    const bool wanted = !console.reader_is_gone || !console.reader_is_gone();
    if (!console.out && wanted) throw Error(ExitCode::io, "cannot write to standard output");
    return int(code);
  } catch (const Error& error) {
    report_error(console, message_of(error));
    return int(error.code());
  } catch (const std::filesystem::filesystem_error& error) {
    report_error(console,
                 {"cannot read " + schema::in_quotes(error.path1().string()) + ": " + error.code().message(), {}});
    return int(ExitCode::io);
  } catch (const std::bad_alloc&) {
    report_error(console, {"out of memory", {}});
    return int(ExitCode::resource);
  } catch (const std::exception& error) {
    report_error(console,
                 {std::string("internal error: ") + error.what(), {"this is a bug of webnn-cli; please report it"}});
    return int(ExitCode::internal);
  }
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, Console& console) {
  if (wants_json(arguments)) console.messages.emplace();
  const int code = run(arguments, console);
  finish_report(console, code);
  return code;
}

}  // namespace webnn::cli
