// Completions and manual pages: every command and option is in them, and the shells understand them.
#include <doctest/doctest.h>
#include <filesystem>

#include "cli/options/command_tree.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::completion_test {
namespace {

namespace fs = std::filesystem;

std::string completion_of(const std::string& shell) {
  const CommandResult result = webnn_cli({"completion", shell});
  CHECK(result.code == 0);
  return result.out;
}

/// What bash proposes after these words, the last of which is unfinished.
std::string bash_proposals(const std::filesystem::path& script, const std::vector<std::string>& words) {
  std::string line = ". " + shell_word(script) + "; COMP_WORDS=(webnn-cli";
  for (const std::string& word : words) line += " " + shell_word(word);
  line += "); COMP_CWORD=" + std::to_string(words.size()) + "; _webnn_cli; echo \"${COMPREPLY[@]}\"";
  return run_shell("bash -c " + shell_word(line)).output;
}

TEST_CASE("cli completion: every command, option and word of a choice is in every shell's script") {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = completion_of(shell);
    for (const cli::CommandFacts& command : cli::command_facts()) {
      CHECK(contains(script, command.name));
      if (command.name.empty()) continue;
      for (const cli::OptionFacts& option : command.options) {
        if (option.is_positional) continue;
        for (const std::string& name : option.names)
          CHECK_MESSAGE(contains(script, shell == "fish" ? name.substr(name.starts_with("--") ? 2 : 1) : name),
                        shell << " lacks " << name << " of " << command.name);
        for (const std::string& word : option.words) CHECK(contains(script, word));
      }
    }
  }
  CHECK(webnn_cli({"completion", "tcsh"}).code == 2);
}

TEST_CASE("cli completion: bash completes commands, options, words and files") {
  const ScratchFolder scratch;
  const auto script = scratch.path() / "completion.bash";
  write_file(script, completion_of("bash"));
  write_file(scratch.path() / "model.json", "");
  CHECK(bash_proposals(script, {"comp"}) == "compile compare completion\n");
  CHECK(bash_proposals(script, {"run", "--output-f"}) == "--output-format\n");
  CHECK(bash_proposals(script, {"bench", "--output-format", ""}) == "text json csv md\n");
  CHECK(bash_proposals(script, {"bench", "--output-format", "c"}) == "csv\n");
  CHECK(bash_proposals(script, {"completion", ""}) == "bash zsh fish\n");
  CHECK(bash_proposals(script, {"compile", "--emit", ""}) == "program ir dot\n");
  CHECK(bash_proposals(script, {"inspect", "--format", ""}) == "json text binary onnx program\n");
  CHECK(bash_proposals(script, {"run", "--device", "g"}) == "gpu\n");
  CHECK(contains(bash_proposals(script, {"run", "-d", ""}), "cpu:reference"));
  // Bash makes words of ':' and '='; what follows the last of them is what it replaces.
  CHECK(bash_proposals(script, {"run", "-d", "cpu", ":", "ref"}) == "reference\n");
  CHECK(bash_proposals(script, {"run", "--device", "=", "cpu", ":", "ref"}) == "reference\n");
  // Of a list the last word.
  CHECK(bash_proposals(script, {"compare", "--devices", "cpu,g"}) == "cpu,gpu\n");
  CHECK(bash_proposals(script, {"compare", "-d", "gpu,cpu", ":", "ref"}) == "reference\n");
  CHECK(bash_proposals(script, {"compare", "-d", "cpu", ":", "reference,g"}) == "reference,gpu\n");
  CHECK(bash_proposals(script, {"run", "--print-after", "fuse_"}) == "fuse_post_ops\n");
  CHECK(bash_proposals(script, {"ops", "convT"}) == "convTranspose2d\n");
  CHECK(bash_proposals(script, {"man", "comp"}) == "compile compare completion\n");
  CHECK(bash_proposals(script, {"run", (scratch.path() / "mod").string()}) ==
        (scratch.path() / "model.json").string() + "\n");
}

TEST_CASE("cli completion: no files where none fit, and folders where these are wanted") {
  const ScratchFolder scratch;
  const auto script = scratch.path() / "completion.bash";
  write_file(script, completion_of("bash"));
  std::filesystem::create_directory(scratch.path() / "model-folder");
  write_file(scratch.path() / "model.json", "");
  const std::string start = (scratch.path() / "mod").string();
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", "m", "--threads"},
                                                {"run", "m", "--top"},
                                                {"run", "m", "--repeat"},
                                                {"run", "m", "--timeout"},
                                                {"version"},
                                                {"devices"},
                                                {"ops"},
                                                {"explain"},
                                                {"compile", "m", "--stop-after"}}) {
    std::vector<std::string> line = words;
    line.push_back(start);
    CAPTURE(words.back());
    CHECK(bash_proposals(script, line) == "\n");
  }
  CHECK(bash_proposals(script, {"run", "m", "--outputs", start}) == start + "el-folder\n");
  CHECK(bash_proposals(script, {"run", "m", "--labels", start}) == start + "el-folder " + start + "el.json\n");
  CHECK(bash_proposals(script, {"inspect", "m", "--diff", start}) == start + "el-folder " + start + "el.json\n");
}

TEST_CASE("cli completion: every option that takes a value says what it is, and flags take none") {
  for (const cli::CommandFacts& command : cli::command_facts())
    for (const cli::OptionFacts& option : command.options) {
      CAPTURE(command.name);
      CAPTURE(option.names[0]);
      CHECK(option.takes_value == !option.label.empty());
      for (const std::string raw : {"TEXT", "UINT", "INT", "FLOAT"}) CHECK(option.label != raw);
    }
  const std::string page = webnn_cli({"man", "run"}).out;
  CHECK(contains(page, "\\fB\\-\\-quiet\\fR, \\fB\\-q\\fR\n"));
  CHECK(contains(page, "\\fB\\-\\-outputs\\fR \\fIFOLDER\\fR\n"));
  CHECK_FALSE(contains(page, "\\fIVALUE\\fR"));
  const std::string zsh = completion_of("zsh"), fish = completion_of("fish");
  CHECK(contains(zsh, "{--quiet,-q}'[print no summary]'"));
  CHECK(contains(zsh, ":FOLDER:_files -/'"));
  CHECK(contains(zsh, ":N: '"));
  CHECK(contains(zsh, "cpu\\:reference"));
  CHECK(contains(fish, " -l outputs -x -a '(__fish_complete_directories)'"));
  CHECK(contains(fish, " -l threads -s t -x -d "));
  CHECK(contains(fish, "complete -c webnn-cli -n '__fish_seen_subcommand_from devices' -f\n"));
}

TEST_CASE("cli completion: zsh and fish read their scripts without a complaint") {
  const ScratchFolder scratch;
  for (const std::string shell : {"zsh", "fish"}) {
    if (!has_program(shell)) {
      skip_part(shell, shell + " is not installed");
      continue;
    }
    const auto script = scratch.path() / shell;
    write_file(script, completion_of(shell));
    const ShellResult syntax = run_shell(shell + " -n " + shell_word(script));
    CHECK_MESSAGE(syntax.status == 0, syntax.output);
  }
  if (has_program("zsh")) {  // as zsh loads a file of $fpath: at the first use, for which it completes
    fs::create_directory(scratch.path() / "functions");
    write_file(scratch.path() / "functions" / "_webnn-cli", completion_of("zsh"));
    const ShellResult first = run_shell("zsh -f -c " + shell_word("fpath=(" + (scratch.path() / "functions").string() +
                                                                  "); autoload -U _webnn-cli; "
                                                                  "_describe() { print described }; "
                                                                  "words=(webnn-cli ''); CURRENT=2; _webnn-cli"));
    CHECK(first.output == "described\n");
  }
  if (!has_program("fish")) return;
  const auto proposals = [&](const std::string& line) {
    return run_shell("fish -c " + shell_word("cd /; source " + shell_word(scratch.path() / "fish") + "; complete -C " +
                                             shell_word("webnn-cli " + line)))
        .output;
  };
  CHECK(contains(proposals("bench --output-format "), "csv"));
  CHECK(contains(proposals("run --device "), "cpu:reference"));
  CHECK(contains(proposals("run --stop-after "), "fuse_post_ops"));
  CHECK(contains(proposals("ops convT"), "convTranspose2d"));
  CHECK(contains(proposals("run --labels us"), "usr/"));
  CHECK(contains(proposals("compare --devices cpu,g"), "cpu,gpu"));
  CHECK(contains(proposals("compare --devices g"), "gpu"));
  CHECK(proposals("run --threads ").empty());
  CHECK_FALSE(contains(proposals("devices "), "usr"));
}

TEST_CASE("cli man: a page for each command with all its options, which man formats without a complaint") {
  const ScratchFolder scratch;
  const std::string folder = (scratch.path() / "man1").string();
  REQUIRE(webnn_cli({"man", "--folder", folder}).code == 0);
  const bool formats = has_program("groff");
  if (!formats) skip_part("pages formatted", "groff is not installed");
  for (const cli::CommandFacts& command : cli::command_facts()) {
    const std::string name = command.name.empty() ? "webnn-cli" : "webnn-cli-" + command.name;
    const auto file = scratch.path() / "man1" / (name + ".1");
    const std::string page = read_file(file);
    CHECK(page.starts_with(".TH WEBNN-CLI"));
    for (const cli::OptionFacts& option : command.options) {
      if (option.is_positional) continue;
      std::string in_page;
      for (const char c : option.names[0]) in_page += c == '-' ? std::string("\\-") : std::string(1, c);
      CHECK_MESSAGE(contains(page, in_page), name << " lacks " << option.names[0]);
    }
    CHECK(webnn_cli({"man", command.name}).out == page);
    if (!formats) continue;
    const ShellResult formatted = run_shell("groff -man -Tutf8 -ww " + shell_word(file) + " > /dev/null");
    CHECK_MESSAGE(formatted.output.empty(), name << ": " << formatted.output);
  }
  CHECK(contains(webnn_cli({"man", "bnch"}).err, "did you mean 'bench'?"));
}

}  // namespace
}  // namespace webnn::tests::completion_test
