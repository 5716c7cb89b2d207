// `webnn-cli man [COMMAND]`: manual pages, generated from the options of the commands.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/options/command_tree.hpp"
#include "cli/output/output_files.hpp"
#include "schema/diagnostics.hpp"
#include "schema/text.hpp"
#include "schema/version.hpp"

namespace webnn::cli {
namespace {

/// Escapes text for a page: nothing in it is a request or an escape, and hyphens can be searched and copied.
std::string roff_text(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins_line = i == 0 || text[i - 1] == '\n';
    if (begins_line && (text[i] == '.' || text[i] == '\'')) result += "\\&";
    if (text[i] == '\\')
      result += "\\e";
    else if (text[i] == '-')
      result += "\\-";
    else
      result += text[i];
  }
  return result;
}

std::string page_name(const CommandFacts& command) {
  return std::string(program_name) + (command.name.empty() ? "" : "-" + command.name);
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return text;
}

std::string option_entry(const OptionFacts& option) {
  std::string title;
  for (const std::string& name : option.names) title += (title.empty() ? "\\fB" : ", \\fB") + roff_text(name) + "\\fR";
  if (option.is_positional) title = "\\fI" + roff_text(upper(option.names[0])) + "\\fR";
  if (option.takes_value && !option.is_positional) title += " \\fI" + roff_text(option.label) + "\\fR";
  std::string text = option.description;
  if (!option.usual.empty()) text += "; usual: " + option.usual;
  text = roff_text(text);
  if (!option.environment.empty()) text += ". Environment: \\%" + option.environment;  // must not be hyphenated
  return ".TP\n" + title + "\n" + text + ".\n";
}

std::string synopsis(const CommandFacts& command) {
  std::string text =
      "\\fB" + roff_text(program_name) + (command.name.empty() ? "" : " " + roff_text(command.name)) + "\\fR";
  if (command.name.empty()) return text + " \\fICOMMAND\\fR [\\fIOPTIONS\\fR]";
  text += " [\\fIOPTIONS\\fR]";
  for (const OptionFacts& option : command.options)
    if (option.is_positional) {
      const std::string word = "\\fI" + roff_text(upper(option.names[0])) + "\\fR";
      text += " " + (option.is_required ? word : "[" + word + "]");
    }
  return text;
}

/// The text about environment variables that set options.
std::string environment_text(const CommandFacts& command) {
  std::string text =
      "Each option has a variable, named with it above, that says the same; an option that is given wins. That of a "
      "flag is true or false.\n";
  if (command.name.empty())
    text =
        "Each option of a command has a variable that says the same unless the option is given: --max-memory has "
        "WEBNN_CLI_MAX_MEMORY. The pages of the commands name them. That of a flag is true or false.\n";
  return text +
         "NO_COLOR, with any value, keeps colours away unless --color says always. XDG_CACHE_HOME is where the "
         "cache lies.\n";
}

constexpr std::pair<int, std::string_view> exit_codes[] = {
    {0, "success"},
    {1, "a negative result: a mismatch, a regression, a failed test"},
    {2, "wrong usage"},
    {3, "a wrong input file"},
    {4, "valid, but not supported on this device"},
    {5, "a device or driver is missing or lost"},
    {6, "input or output failed"},
    {7, "a resource limit, or no memory"},
    {8, "a program file that is damaged or for something else"},
    {70, "a bug of this program"},
    {124, "the time of --timeout is over"},
};

std::string page_of(const CommandFacts& command, const std::vector<CommandFacts>& all) {
  std::string page = ".TH " + upper(page_name(command)) + " 1 \"\" \"" + std::string(program_name) + " " +
                     std::string(schema::version) + "\"\n.SH NAME\n" + roff_text(page_name(command)) + " \\- " +
                     roff_text(command.summary) + "\n.SH SYNOPSIS\n" + synopsis(command) + "\n";
  if (!command.examples.empty()) {
    page += ".SH EXAMPLES\n.nf\n";
    for (const std::string& example : command.examples) page += roff_text(example) + "\n";
    page += ".fi\n";
  }
  if (command.name.empty()) {
    page += ".SH COMMANDS\n";
    for (const CommandFacts& other : all)
      if (!other.name.empty())
        page += ".TP\n\\fB" + roff_text(page_name(other)) + "\\fR(1)\n" + roff_text(other.summary) + "\n";
  }
  page += ".SH OPTIONS\n";
  for (const OptionFacts& option : command.options) page += option_entry(option);
  page += ".SH ENVIRONMENT\n" + roff_text(environment_text(command));
  page += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_codes)
    page += ".TP\n" + std::to_string(code) + "\n" + roff_text(meaning) + "\n";
  if (!command.name.empty()) page += ".SH SEE ALSO\n\\fB" + roff_text(program_name) + "\\fR(1)\n";
  return page;
}

struct ManOptions {
  std::string command, folder;
};

ExitCode man(const ManOptions& options, Console& console) {
  const std::vector<CommandFacts> facts = command_facts();
  if (!options.folder.empty()) {
    for (const CommandFacts& command : facts)
      write_whole_file(std::filesystem::path(options.folder) / (page_name(command) + ".1"), page_of(command, facts));
    return ExitCode::success;
  }
  const auto found = std::ranges::find(facts, options.command, &CommandFacts::name);
  if (found == facts.end()) {
    std::vector<std::string_view> names;
    for (const CommandFacts& command : facts) names.push_back(command.name);
    const std::string_view near = schema::nearest(options.command, names);
    throw Error(ExitCode::usage, "there is no command " + schema::in_quotes(options.command),
                near.empty() ? "`webnn-cli --help` shows all" : "did you mean " + schema::in_quotes(near) + "?");
  }
  console.out << page_of(*found, facts);
  return ExitCode::success;
}

}  // namespace

Action declare_man(OptionList& list) {
  auto options = std::make_shared<ManOptions>();
  list.add("command", options->command, "the command; else the page of webnn-cli itself");
  list.add("--folder", options->folder, "write all pages into this folder");
  return [options](Console& console) { return man(*options, console); };
}

}  // namespace webnn::cli
