#include "cli/options/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <set>
#include <sstream>

#include "cli/options/number_values.hpp"
#include "cli/watchdog.hpp"
#include "schema/version.hpp"

namespace webnn::cli {
namespace {

std::string examples_block(std::string_view examples) {
  std::string text = "Examples:\n";
  while (!examples.empty()) {
    const std::size_t end = examples.find('\n');
    text += "  " + std::string(examples.substr(0, end)) + "\n";
    examples = end == std::string_view::npos ? std::string_view{} : examples.substr(end + 1);
  }
  return text;
}

/// Examples first, then CLI11's help for the options.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    for (const Command& command : commands())
      if (command.name == app->get_name())
        return std::string(command.summary) + "\n\n" + examples_block(command.examples) + "\n" +
               CLI::Formatter::make_help(app, std::move(name), mode);
    return CLI::Formatter::make_help(app, std::move(name), mode);
  }
  /// Without the environment variable, which every option has.
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text;
    if (const std::string label = label_of(*option); !label.empty()) text += " " + label;
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += "...";
    if (!option->get_default_str().empty()) text += "=" + option->get_default_str();
    if (option->get_required()) text += " (required)";
    std::set<std::string> excluded;  // CLI11 has them in the order of their addresses
    for (const CLI::Option* other : option->get_excludes()) excluded.insert(other->get_name());
    for (const std::string& other : excluded) text += " (not with " + other + ")";
    for (const CLI::Option* other : option->get_needs()) text += " (with " + other->get_name() + ")";
    return text;
  }
  std::string make_description(const CLI::App* app) const override {
    return app->get_parent() ? std::string{} : CLI::Formatter::make_description(app);
  }
};

OptionFacts facts_of(const CLI::Option& option) {
  OptionFacts facts;
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  facts.is_positional = facts.names.empty();
  if (facts.is_positional) facts.names.push_back(option.get_name(true));
  facts.is_required = option.get_required();
  facts.label = label_of(option);
  facts.takes_value = !facts.label.empty();
  facts.words = words_in_braces(option.get_type_name());
  facts.proposals = facts.words;
  if (!facts.words.empty()) facts.completion = Completion::words;
  if (const OptionValue* value = value_of(option)) {
    facts.completion = value->completion;
    if (value->proposals) facts.proposals = value->proposals();
  }
  facts.description = option.get_description();
  facts.environment = option.get_envname();
  facts.usual = option.get_default_str();
  return facts;
}

void add_sandbox_options(CLI::App& command, CommandTree& tree) {
  CLI::Option* const sandbox = command.add_flag(
      "--sandbox", tree.is_sandboxed,
      "work in a process that can open only the files named here and beside them, reaches no network and starts no "
      "program; on the CPU, without the cache");
  if (CLI::Option* const tune = command.get_option_no_throw("--tune")) sandbox->excludes(tune);  // writes what is read
  command
      .add_option("--sandbox-memory", tree.sandbox.memory_bytes,
                  "most memory of that process, beside mapped files; more ends the command with exit code 7")
      ->transform(CLI::Validator(to_bytes, ""))
      ->default_str("4GiB")
      ->needs(sandbox);
  command
      .add_option_function<std::string>(
          "--sandbox-time", [&tree](const std::string& text) { tree.sandbox.time = parse_duration(text); },
          "most time of that process; more ends the command with exit code 7")
      ->type_name("TIME")
      ->default_str("10m")
      ->needs(sandbox);
}

CommandFacts facts_of(const CLI::App& app, std::string name, std::string summary, std::string_view examples) {
  CommandFacts facts{std::move(name), std::move(summary), {}, {}};
  std::istringstream lines{std::string(examples)};
  for (std::string line; std::getline(lines, line);) facts.examples.push_back(line);
  for (const CLI::Option* option : app.get_options()) facts.options.push_back(facts_of(*option));
  return facts;
}

}  // namespace

CommandTree::~CommandTree() = default;

CommandTree::CommandTree()
    : app(std::make_unique<CLI::App>("Checks, compiles, runs, measures and compares WebNN graph files.",
                                     std::string(program_name))) {
  app->formatter(std::make_shared<HelpFormatter>());
  app->require_subcommand(1);
  app->set_help_flag("-h,--help", "print this help");
  app->footer(
      "`webnn-cli COMMAND --help` shows a command's examples and options.\n"
      "Every option of a command has a variable of the environment that says the same unless the option is given:\n"
      "--max-memory has WEBNN_CLI_MAX_MEMORY. A flag's variable is true or false.");
  app->set_version_flag("--version", std::string(schema::version));
  for (const Command& command : commands()) {
    CLI::App* sub = app->add_subcommand(std::string(command.name), std::string(command.summary));
    sub->formatter(std::make_shared<HelpFormatter>());
    sub->set_help_flag("-h,--help", "print this help");
    sub->footer("");
    sub->parse_complete_callback([] {});  // with a callback, CLI11 only looks at the variables of the chosen command
    OptionList list(*sub);
    actions.emplace_back(sub, command.declare(list));
    sub->add_option_function<std::string>(
           "--timeout", [this](const std::string& text) { timeout = parse_duration(text); },
           "end the command after this time with exit code 124, for example 500ms, 10s or 2m")
        ->type_name("TIME");
    sub->add_flag("-v,--verbose", is_verbose,
                  "say on standard error which device and threads are used, and when a program comes from the cache");
    sub->add_option("--color", color,
                    "colours on standard error: auto (on a terminal, unless NO_COLOR is set), always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->capture_default_str();
    if (list.may_be_sandboxed()) add_sandbox_options(*sub, *this);
    label_options(*sub);
  }
}

std::string label_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string type = option.get_type_name();
  std::string words;
  for (const std::string& word : words_in_braces(type)) words += (words.empty() ? "" : "|") + word;
  return words.empty() ? type.substr(0, type.find(':')) : words;
}

std::vector<std::string> words_in_braces(const std::string& text) {
  std::vector<std::string> words;
  const std::size_t open = text.find('{'), close = text.find('}', std::min(open, text.size()));
  if (close == std::string::npos) return words;
  std::istringstream list(text.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

std::vector<CommandFacts> command_facts() {
  const CommandTree tree;
  std::vector<CommandFacts> facts{facts_of(*tree.app, "", tree.app->get_description(), "")};
  for (std::size_t i = 0; i < tree.actions.size(); ++i) {
    const Command& command = commands()[i];
    facts.push_back(
        facts_of(*tree.actions[i].first, std::string(command.name), std::string(command.summary), command.examples));
  }
  return facts;
}

}  // namespace webnn::cli
