// `webnn-cli completion SHELL`: what a shell completes after `webnn-cli`, from the options of the commands.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command_tree.hpp"

namespace webnn::cli {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

/// `text` with each of `special` replaced by `before` and itself.
std::string guarded(std::string_view text, std::string_view special, std::string_view before) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += before;
    result += c;
  }
  return result;
}

/// As a word in single quotes of bash, zsh.
std::string shell_word(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::vector<std::string> flags_of(const CommandFacts& command) {
  std::vector<std::string> flags;
  for (const OptionFacts& option : command.options)
    if (!option.is_positional) flags.insert(flags.end(), option.names.begin(), option.names.end());
  return flags;
}

std::vector<std::string> names_of(const std::vector<CommandFacts>& facts) {
  std::vector<std::string> names;
  for (const CommandFacts& command : facts)
    if (!command.name.empty()) names.push_back(command.name);
  return names;
}

std::string bash_script(const std::vector<CommandFacts>& facts) {
  std::string script =
      "# bash completion for webnn-cli: source it, or install it as share/bash-completion/completions/webnn-cli\n"
      "_webnn_cli() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi\n"
      "  done\n"
      "  COMPREPLY=()\n"
      "  case \"$command $before\" in\n";
  for (const CommandFacts& command : facts)
    for (const OptionFacts& option : command.options) {
      if (option.words.empty() || option.is_positional) continue;
      for (const std::string& name : option.names)
        script += "    '" + command.name + " " + name + "') COMPREPLY=($(compgen -W '" + joined(option.words) +
                  "' -- \"$word\")); return;;\n";
    }
  script += "  esac\n  case \"$command\" in\n";
  for (const CommandFacts& command : facts) {
    std::vector<std::string> words;  // of a positional argument
    for (const OptionFacts& option : command.options)
      if (option.is_positional) words.insert(words.end(), option.words.begin(), option.words.end());
    if (command.name.empty()) words = names_of(facts);
    script += "    '" + command.name + "')\n      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '" +
              joined(flags_of(command)) + "' -- \"$word\"));\n";
    if (words.empty())
      script += "      else COMPREPLY=($(compgen -f -- \"$word\")); fi;;\n";
    else
      script += "      else COMPREPLY=($(compgen -W '" + joined(words) + "' -- \"$word\")); fi;;\n";
  }
  return script + "  esac\n}\ncomplete -o filenames -F _webnn_cli webnn-cli\n";
}

std::string zsh_option(const OptionFacts& option) {
  const std::string description = guarded(option.description, "[]\\:", "\\");
  const std::string values = option.words.empty() ? "_files" : "(" + joined(option.words) + ")";
  if (option.is_positional) return "'*:" + guarded(option.names[0], ":", "\\") + ":" + values + "'";
  const std::string names = option.names.size() == 1 ? option.names[0] : "{" + joined(option.names, ",") + "}";
  std::string rest = "[" + description + "]";
  if (option.takes_value) rest += ":value:" + values;
  // Braces expand only outside of quotes.
  return "'*'" + names + shell_word(rest);
}

std::string zsh_script(const std::vector<CommandFacts>& facts) {
  std::string script =
      "#compdef webnn-cli\n# zsh completion for webnn-cli: install it as _webnn-cli in a folder of $fpath\n"
      "_webnn_cli_commands() {\n  local -a commands\n  commands=(\n";
  for (const CommandFacts& command : facts)
    if (!command.name.empty())
      script += "    " + shell_word(command.name + ":" + guarded(command.summary, ":", "\\")) + "\n";
  script +=
      "  )\n  _describe command commands\n}\n_webnn_cli() {\n"
      "  if (( CURRENT == 2 )); then _webnn_cli_commands; return; fi\n"
      "  local command=$words[2]\n  shift words; (( CURRENT-- ))\n  case $command in\n";
  for (const CommandFacts& command : facts) {
    if (command.name.empty()) continue;
    script += "    " + command.name + ") _arguments -s";
    for (const OptionFacts& option : command.options) script += " \\\n      " + zsh_option(option);
    script += ";;\n";
  }
  return script + "  esac\n}\ncompdef _webnn_cli webnn-cli\n";
}

std::string fish_script(const std::vector<CommandFacts>& facts) {
  const auto word = [](std::string_view text) { return "'" + guarded(text, "'\\", "\\") + "'"; };
  std::string script =
      "# fish completion for webnn-cli: install it as share/fish/vendor_completions.d/webnn-cli.fish\n";
  for (const CommandFacts& command : facts) {
    if (!command.name.empty())
      script += "complete -c webnn-cli -f -n __fish_use_subcommand -a " + command.name + " -d " +
                word(command.summary) + "\n";
    const std::string condition =
        command.name.empty() ? "__fish_use_subcommand" : word("__fish_seen_subcommand_from " + command.name);
    for (const OptionFacts& option : command.options) {
      std::string line = "complete -c webnn-cli -n " + condition;
      if (option.is_positional) {
        if (option.words.empty()) continue;  // files, as usual
        script += line + " -f -a " + word(joined(option.words)) + "\n";
        continue;
      }
      for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.words.empty())
        line += " -x -a " + word(joined(option.words));
      else if (option.takes_value)
        line += " -r";
      script += line + " -d " + word(option.description) + "\n";
    }
  }
  return script;
}

}  // namespace

Action declare_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return [shell](Console& console) {
    const std::vector<CommandFacts> facts = command_facts();
    console.out << (*shell == "bash" ? bash_script(facts) : *shell == "zsh" ? zsh_script(facts) : fish_script(facts));
    return ExitCode::success;
  };
}

}  // namespace webnn::cli
