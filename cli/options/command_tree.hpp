// All commands with their options, as CLI11 sees them, and the facts about them from which help, completions and man
// pages are made.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/options/option_values.hpp"

namespace webnn::cli {

/// Parsing fills what the actions use; they may be called once.
struct CommandTree {
  std::unique_ptr<CLI::App> app;
  std::vector<std::pair<CLI::App*, Action>> actions;  // by command
  std::chrono::nanoseconds timeout{0};
  bool is_verbose = false;
  std::string color = "auto";
  CommandTree();
  ~CommandTree();
  CommandTree(const CommandTree&) = delete;
  CommandTree& operator=(const CommandTree&) = delete;
};

inline constexpr std::string_view program_name = "webnn-cli";

struct OptionFacts {
  std::vector<std::string> names;  // "--output-format", "-o"; of a positional argument its name
  bool is_positional = false, is_required = false;
  bool takes_value = false;
  std::vector<std::string> words;  // that it takes, when these are all
  std::string label;               // that stands for its value: "FILE", "text|json"; empty: it takes none
  Completion completion = Completion::nothing;
  std::vector<std::string> proposals;  // that shells complete: words, or some of what it takes
  std::string description, environment, usual;
};

struct CommandFacts {
  std::string name, summary;  // the name is empty for the program itself
  std::vector<std::string> examples;
  std::vector<OptionFacts> options;
};

/// The program, then each command.
std::vector<CommandFacts> command_facts();

/// How a value of the option is written in help: "FILE", "text|json"; empty for a flag.
std::string label_of(const CLI::Option& option);

/// The words of a check as CLI11 writes it: "TEXT:{text,json}" or "x not in {text,json}"; empty when there are none.
std::vector<std::string> words_in_braces(const std::string& text);

}  // namespace webnn::cli
