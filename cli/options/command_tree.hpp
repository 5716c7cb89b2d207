// All commands with their options, as CLI11 objects, and facts about them for help, completions and man pages.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/options/option_values.hpp"
#include "cli/sandbox/sandbox.hpp"

namespace webnn::cli {

/// Parsing fills variables that the actions use, so an action may be called only once.
struct CommandTree {
  std::unique_ptr<CLI::App> app;
  std::vector<std::pair<CLI::App*, Action>> actions;  // by command
  std::chrono::nanoseconds timeout{0};
  bool is_verbose = false;
  std::string color = "auto";
  bool is_sandboxed = false;
  SandboxLimits sandbox;
  CommandTree();
  ~CommandTree();
  CommandTree(const CommandTree&) = delete;
  CommandTree& operator=(const CommandTree&) = delete;
};

inline constexpr std::string_view program_name = "webnn-cli";

struct OptionFacts {
  std::vector<std::string> names;  // "--output-format", "-o"; the name of a positional argument
  bool is_positional = false, is_required = false;
  bool takes_value = false;
  std::vector<std::string> words;  // all words that it takes, if there is such a list
  std::string label;               // of its value: "FILE", "text|json"; empty: it takes none
  Completion completion = Completion::nothing;
  std::vector<std::string> proposals;  // completed by shells: words, or some of the possible values
  std::string description, environment, usual;
};

struct CommandFacts {
  std::string name, summary;  // the name is empty for the program itself
  std::vector<std::string> examples;
  std::vector<OptionFacts> options;
};

/// The program, then each command.
std::vector<CommandFacts> command_facts();

/// How help writes a value of the option: "FILE", "text|json"; empty for a flag.
std::string label_of(const CLI::Option& option);

/// The words of a check in CLI11's notation: "TEXT:{text,json}" or "x not in {text,json}"; empty when there are none.
std::vector<std::string> words_in_braces(const std::string& text);

}  // namespace webnn::cli
