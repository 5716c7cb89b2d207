// `webnn-cli completion SHELL`: shell completions, generated from the options of the commands.
#include <memory>

#include "cli/options/command_tree.hpp"

namespace webnn::cli {
namespace {

std::string spaced(const std::vector<std::string>& words) { return schema::joined(words, " "); }

/// `text` with each character in `special` preceded by `before`.
std::string guarded(std::string_view text, std::string_view special, std::string_view before) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += before;
    result += c;
  }
  return result;
}

/// A word in single quotes for bash and zsh.
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

/// What bash's compgen is asked to find.
std::string bash_search(const OptionFacts& option) {
  if (option.completion == Completion::files) return "files -f";
  if (option.completion == Completion::folders) return "files -d";
  if (option.proposals.empty()) return "nothing";
  const std::string kind = option.completion == Completion::word_lists ? "list" : "words";
  return kind + " -W '" + spaced(option.proposals) + "'";
}

/// Bash also splits words at ':' and '='. So "cpu:simd" and "--device=cpu" are joined again, and of a proposal only the
/// part behind the last of these characters is returned.
constexpr std::string_view bash_start =
    R"(# bash completion for webnn-cli: source it, or install it as share/bash-completion/completions/webnn-cli
_webnn_cli_propose() {
  local kind=$1 start=${word%"${word##*[:=]}"} ahead= last=$word
  shift
  [[ $kind == nothing ]] && return
  [[ $kind == files ]] && compopt -o filenames 2> /dev/null
  if [[ $kind == list && $word == *,* ]]; then ahead=${word%,*}, last=${word##*,}; fi
  mapfile -t COMPREPLY < <(compgen -P "$ahead" "$@" -- "$last")
  COMPREPLY=("${COMPREPLY[@]#"$start"}")
}
_webnn_cli() {
  local command= i=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} before
  while ((i > 1)) && [[ $word == [:=]* || ${COMP_WORDS[i-1]} == [:=] ]]; do word=${COMP_WORDS[--i]}$word; done
  before=${COMP_WORDS[i-1]}
  if [[ $word == --*=* ]]; then before=${word%%=*} word=${word#*=}; fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi
  done
  COMPREPLY=()
  case "$command $before" in
)";

std::string bash_script(const std::vector<CommandFacts>& facts) {
  std::string script(bash_start);
  for (const CommandFacts& command : facts)
    for (const OptionFacts& option : command.options) {
      if (!option.takes_value || option.is_positional) continue;
      for (const std::string& name : option.names)
        script += "    '" + command.name + " " + name + "') _webnn_cli_propose " + bash_search(option) + "; return;;\n";
    }
  script += "  esac\n  case \"$command\" in\n";
  for (const CommandFacts& command : facts) {
    std::string search = "nothing";  // for a positional argument
    for (const OptionFacts& option : command.options)
      if (option.is_positional) search = bash_search(option);
    if (command.name.empty()) search = "words -W '" + spaced(names_of(facts)) + "'";
    script += "    '" + command.name + "')\n      if [[ $word == -* ]]; then _webnn_cli_propose words -W '" +
              spaced(flags_of(command)) + "'\n      else _webnn_cli_propose " + search + "; fi;;\n";
  }
  return script + "  esac\n}\ncomplete -F _webnn_cli webnn-cli\n";
}

/// The action of zsh's _arguments for a value.
std::string zsh_action(const OptionFacts& option) {
  if (option.completion == Completion::files) return "_files";
  if (option.completion == Completion::folders) return "_files -/";
  if (option.proposals.empty()) return " ";
  const std::string words = guarded(spaced(option.proposals), ":", "\\");
  return option.completion == Completion::word_lists ? "_sequence compadd - " + words : "(" + words + ")";
}

std::string zsh_option(const OptionFacts& option) {
  const std::string description = guarded(option.description, "[]\\:", "\\");
  if (option.is_positional) return "'*:" + guarded(option.names[0], ":", "\\") + ":" + zsh_action(option) + "'";
  const std::string names = option.names.size() == 1 ? option.names[0] : "{" + schema::joined(option.names, ",") + "}";
  std::string rest = "[" + description + "]";
  if (option.takes_value) rest += ":" + guarded(option.label, ":", "\\") + ":" + zsh_action(option);
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
  // As _webnn-cli in $fpath, this file is called by the first TAB.
  return script +
         "  esac\n}\nif [[ $funcstack[1] == _webnn-cli ]]; then _webnn_cli \"$@\"; "
         "else compdef _webnn_cli webnn-cli; fi\n";
}

/// A word in single quotes of fish.
std::string fish_word(std::string_view text) { return "'" + guarded(text, "'\\", "\\") + "'"; }

/// How fish completes a value: -x takes no files, -r alone takes files.
std::string fish_value(const OptionFacts& option) {
  if (option.completion == Completion::files) return " -r -F";
  if (option.completion == Completion::folders) return " -x -a '(__fish_complete_directories)'";
  if (option.proposals.empty()) return " -x";
  const std::string words = spaced(option.proposals);
  return " -x -a " + fish_word(option.completion == Completion::word_lists
                                   ? "(__fish_complete_list , 'printf %s\\n " + words + "')"
                                   : words);
}

std::string fish_script(const std::vector<CommandFacts>& facts) {
  std::string script =
      "# fish completion for webnn-cli: install it as share/fish/vendor_completions.d/webnn-cli.fish\n";
  for (const CommandFacts& command : facts) {
    if (!command.name.empty())
      script += "complete -c webnn-cli -f -n __fish_use_subcommand -a " + command.name + " -d " +
                fish_word(command.summary) + "\n";
    const std::string condition =
        command.name.empty() ? "__fish_use_subcommand" : fish_word("__fish_seen_subcommand_from " + command.name);
    const std::string start = "complete -c webnn-cli -n " + condition;
    bool takes_files = false;  // for positional arguments
    for (const OptionFacts& option : command.options) {
      if (option.is_positional) {
        takes_files = takes_files || option.completion == Completion::files;
        if (!option.proposals.empty()) script += start + " -f -a " + fish_word(spaced(option.proposals)) + "\n";
        continue;
      }
      std::string line = start;
      for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value) line += fish_value(option);
      script += line + " -d " + fish_word(option.description) + "\n";
    }
    if (!takes_files) script += start + " -f\n";
  }
  return script;
}

}  // namespace

Action declare_completion(OptionList& list) {
  auto shell = std::make_shared<std::string>();
  list.add("shell", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  return [shell](Console& console) {
    const std::vector<CommandFacts> facts = command_facts();
    console.out << (*shell == "bash" ? bash_script(facts) : *shell == "zsh" ? zsh_script(facts) : fish_script(facts));
    return ExitCode::success;
  };
}

}  // namespace webnn::cli
