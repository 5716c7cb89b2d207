#include "cli/options/usage_errors.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "cli/options/command_tree.hpp"
#include "schema/diagnostics.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using schema::in_quotes;
using Arguments = std::vector<std::string>;

const CLI::App& active_app(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.back();
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return text;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string mean(std::string_view word) { return "did you mean " + in_quotes(word) + "?"; }

/// "did you mean '--input'?" for a flag or command that does not exist.
std::string suggestion(const CLI::App& app, const Arguments& arguments) {
  const CLI::App& active = active_app(app);
  std::vector<std::string> known;
  for (const CLI::Option* option : active.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  if (&active == &app)
    for (const Command& command : commands()) known.emplace_back(command.name);
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  for (const std::string& argument : arguments) {
    const std::string word = argument.substr(0, argument.find('='));
    if (std::ranges::find(known, word) != known.end()) continue;
    if (&active != &app && (word.size() < 3 || word[0] != '-')) continue;
    if (const std::string_view near = schema::nearest(word, candidates); !near.empty()) return mean(near);
  }
  return {};
}

/// The values of an option on the command line, as written; empty if its name is not followed by one.
std::vector<std::string> given_values(const CLI::Option& option, const Arguments& arguments) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : std::string();
    for (const std::string& name : option.get_lnames()) {
      if (word == "--" + name) values.push_back(next);
      if (word.starts_with("--" + name + "=")) values.push_back(word.substr(name.size() + 3));
    }
    for (const std::string& name : option.get_snames())
      if (word.starts_with("-" + name) && !word.starts_with("--"))
        values.push_back(word.size() == 2 ? next : word.substr(word[2] == '=' ? 3 : 2));
  }
  return values;
}

/// The value of an option from the environment, unless it is on the command line.
std::optional<std::string> value_from_environment(const CLI::Option& option, const Arguments& arguments) {
  const std::string variable = option.get_envname();
  const char* value = variable.empty() ? nullptr : std::getenv(variable.c_str());
  if (!value || !*value || !given_values(option, arguments).empty()) return std::nullopt;
  return value;
}

std::string name_of(const CLI::Option& option) {
  return option.nonpositional() ? option.get_name() : upper(option.get_name());
}

/// The option that one of CLI11's sentences is about: "--threads: ...", "Could not convert: --threads = ...".
const CLI::Option* option_of(const CLI::App& active, std::string_view sentence) {
  constexpr std::string_view prefix = "Could not convert: ";
  if (sentence.starts_with(prefix)) sentence.remove_prefix(prefix.size());
  for (const CLI::Option* option : active.get_options()) {
    const std::string name = option->get_name();
    if (sentence.starts_with(name) && sentence.substr(name.size()).find_first_of(": ") == 0) return option;
  }
  return nullptr;
}

/// The values that an option takes, derived from CLI11's description of its check: "N:UINT in [0 - 3]",
/// "TEXT:{text,json}".
struct Expected {
  std::string sentence;  // "is no number from 0 to 3"
  std::string hint;
};
Expected expected_by(const CLI::Option& option) {
  const std::string type = option.get_type_name(), label = type.substr(0, type.find(':'));
  if (option.get_items_expected_max() == 0) return {"is neither true nor false", {}};
  if (const auto words = words_in_braces(type); !words.empty()) return {"is none of " + listed(words), {}};
  if (label == "SIZE") return {"is no size", "for example 512MB or 2GiB"};
  const std::size_t open = type.find(" in ["), middle = type.find(" - ", open), close = type.find(']', middle);
  if (open != std::string::npos && close != std::string::npos)
    return {"is no number from " + type.substr(open + 5, middle - open - 5) + " to " +
                type.substr(middle + 3, close - middle - 3),
            {}};
  return {label == "N" ? "is no whole number" : "is no number", {}};
}

/// The value that `sentence` rejects; CLI11 names it if there are several.
std::string refused_value(const CLI::Option& option, std::string_view sentence, const Arguments& arguments) {
  const std::vector<std::string> given = given_values(option, arguments);
  for (const std::string& value : given)
    if (sentence.find(value) != std::string_view::npos) return value;
  return given.empty() ? std::string() : given.back();
}

ErrorMessage bad_value(const CLI::Option& option, std::string_view sentence, const Arguments& arguments) {
  const auto from_environment = value_from_environment(option, arguments);
  const Expected expected = expected_by(option);
  std::string value = option.results().empty() ? std::string() : option.results().back();
  if (option.nonpositional()) value = from_environment.value_or(refused_value(option, sentence, arguments));
  ErrorMessage message;
  if (option.get_items_expected_max() == 0 && !from_environment)
    message.message = name_of(option) + " is a flag and takes no value, but " + in_quotes(value) + " is given";
  else
    message.message =
        (from_environment ? option.get_envname() : name_of(option)) + " " + in_quotes(value) + " " + expected.sentence;
  const std::vector<std::string> words = words_in_braces(option.get_type_name());
  if (const std::string_view near = schema::nearest(value, {words.begin(), words.end()}); !near.empty())
    message.hints.push_back(mean(near));
  if (!expected.hint.empty()) message.hints.push_back(expected.hint);
  if (from_environment)
    message.hints.push_back(option.get_envname() + " is a variable of the environment that stands for " +
                            option.get_name());
  return message;
}

ErrorMessage missing_value(const CLI::Option& option, std::string_view sentence) {
  if (sentence.find("At Most") != std::string_view::npos)
    return {name_of(option) + " is given " + std::to_string(option.results().size()) + " times, but takes one value",
            {}};
  return {name_of(option) + " needs a value: " + label_of(option), {}};
}

ErrorMessage missing_option(const CLI::Option& option) {
  const std::vector<std::string> words = words_in_braces(option.get_type_name());
  const std::string what = words.empty() ? option.get_description() : listed(words);
  return {name_of(option) + " is missing: " + what, {}};
}

/// "A excludes B": names the environment variable instead of an option that comes from it.
ErrorMessage excluded(const CLI::App& active, const CLI::Option& option, const std::string& sentence,
                      const Arguments& arguments) {
  const auto shown = [&](const CLI::Option& one) {
    return value_from_environment(one, arguments) ? one.get_envname() : name_of(one);
  };
  const std::string other_name = sentence.substr(sentence.rfind(' ') + 1);
  const CLI::Option* other = active.get_option_no_throw(other_name);
  return {shown(option) + " and " + (other ? shown(*other) : other_name) + " cannot be used together", {}};
}

/// The first unexpected word; an option before all others, because the words behind it may be its value.
std::string first_unexpected(const std::vector<std::string>& extras) {
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-' && word != "--"; };
  const auto found = std::ranges::find_if(extras, is_option);
  return found != extras.end() ? *found : extras.front();
}

/// The commands that have an option with this name.
std::vector<std::string> commands_with(const CLI::App& app, const std::string& flag) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (command->get_option_no_throw(flag)) names.push_back("`" + command->get_name() + "`");
  return names;
}

ErrorMessage unexpected(const CLI::App& app, const Arguments& arguments) {
  const CLI::App& active = active_app(app);
  if (&active == &app) {
    const std::string& word = arguments.front();
    return {(word.starts_with('-') ? "unknown option " : "unknown command ") + in_quotes(word), {}};
  }
  if (const auto before = app.remaining(); !before.empty())
    return {
        in_quotes(before.front()) + " stands before the command",
        {"options follow the command: " + std::string(program_name) + " " + active.get_name() + " " + before.front()}};
  const std::string word = first_unexpected(active.remaining());
  const std::string flag = word.substr(0, word.find('='));
  if (!word.starts_with('-') || word == "--") {
    ErrorMessage message{"unexpected argument " + in_quotes(word), {}};
    const auto at = std::ranges::find(arguments, word);
    if (at != arguments.begin() && at != arguments.end())
      if (const CLI::Option* before = active.get_option_no_throw(*(at - 1));
          before && before->get_items_expected_max() == 0)
        message.hints.push_back(before->get_name() + " is a flag and takes no value");
    return message;
  }
  ErrorMessage message{"unknown option " + in_quotes(flag), {}};
  if (const auto others = commands_with(app, flag); !others.empty() && others.size() <= 4)
    message.hints.push_back(flag + " is an option of " + listed(others));
  return message;
}

/// For somebody who has typed the program's name alone: what most people want.
ErrorMessage missing_command() {
  const std::string name(program_name);
  return {"a command is missing",
          {"`" + name + " run model.onnx --fill random` runs a model",
           "`" + name + " validate model.onnx` reports all that is wrong with a graph file",
           "`" + name + " bench model.onnx` measures how fast it is"}};
}

ErrorMessage in_our_words(const CLI::App& app, const CLI::ParseError& error, const Arguments& arguments) {
  const CLI::App& active = active_app(app);
  const std::string sentence = error.what();
  const auto kind = CLI::ExitCodes(error.get_exit_code());
  const CLI::Option* option = option_of(active, sentence);
  if (kind == CLI::ExitCodes::ExtrasError) return unexpected(app, arguments);
  if (&active == &app) return arguments.empty() ? missing_command() : unexpected(app, arguments);
  if (!option) return {sentence, {}};
  if (kind == CLI::ExitCodes::ValidationError || kind == CLI::ExitCodes::ConversionError)
    return bad_value(*option, sentence, arguments);
  if (kind == CLI::ExitCodes::ArgumentMismatch) return missing_value(*option, sentence);
  if (kind == CLI::ExitCodes::RequiredError) return missing_option(*option);
  if (kind == CLI::ExitCodes::ExcludesError) return excluded(active, *option, sentence, arguments);
  return {sentence, {}};
}

}  // namespace

ErrorMessage usage_error(const CLI::App& app, const CLI::ParseError& error, const Arguments& arguments) {
  ErrorMessage message = in_our_words(app, error, arguments);
  const auto proposes = [](const std::string& hint) { return hint.starts_with("did you mean"); };
  if (std::ranges::none_of(message.hints, proposes))
    if (std::string near = suggestion(app, arguments); !near.empty())
      message.hints.insert(message.hints.begin(), std::move(near));
  const CLI::App& active = active_app(app);
  message.hints.push_back("`" + std::string(program_name) + (&active == &app ? "" : " " + active.get_name()) +
                          " --help` shows what there is");
  return message;
}

std::vector<std::string> environment_hints(const CLI::App& app, const Arguments& arguments,
                                           const std::string& message) {
  std::vector<std::string> hints;
  for (const CLI::Option* option : active_app(app).get_options())
    if (const auto value = value_from_environment(*option, arguments);
        value && message.find(in_quotes(*value)) != std::string::npos)
      hints.push_back(in_quotes(*value) + " comes from the environment's " + option->get_envname());
  return hints;
}

}  // namespace webnn::cli
