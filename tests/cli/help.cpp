// The help of every command and the texts of common errors, word for word: users and scripts know them.
#include <algorithm>
#include <doctest/doctest.h>

#include "cli/options/command_tree.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::help_test {
namespace {

/// Commands whose help holds options of their own alone; those that all devices share are tested for being there.
constexpr std::string_view kept_word_for_word[] = {"compare", "completion", "explain",  "inspect",
                                                   "man",     "ops",        "validate", "version"};

TEST_CASE("cli help: of the program and of every command, examples first") {
  for (const cli::CommandFacts& command : cli::command_facts()) {
    std::vector<std::string> arguments{"--help"};
    if (!command.name.empty()) arguments.insert(arguments.begin(), command.name);
    const CommandResult result = webnn_cli(arguments);
    CHECK(result.code == 0);
    CHECK(result.err.empty());
    if (std::ranges::find(kept_word_for_word, command.name) != std::end(kept_word_for_word))
      check_golden("tests/cli/help/" + command.name + ".txt", result.out);
    for (const cli::OptionFacts& option : command.options) {
      CHECK(contains(result.out, option.names[0]));
      CHECK_MESSAGE(!option.description.empty(), command.name << " does not explain " << option.names[0]);
    }
    for (const std::string& example : command.examples) CHECK(contains(result.out, "\n  " + example + "\n"));
    if (!command.name.empty()) CHECK(result.out.find("Examples:") < result.out.find("Options:"));
  }
}

TEST_CASE("cli help: what is wrong with the words of a command line, and what may have been meant") {
  const ScratchFolder scratch;
  const std::string model = (source_dir() / "models/digits/digits.json").string();
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"rn"},
      {"--hlep"},
      {"run"},
      {"run", "m.json", "--filll", "ones"},
      {"run", "m.json", "--output-format", "jsn"},
      {"bench", model, "--progress", "alway"},
      {"bench", model, "--threads", "1,x"},
      {"bench", model, "--fail-on", "p50>5%"},
      {"bench", model, "--baseline", "none.json", "--fail-on", "p5o>5%"},
      {"compare", "m.json"},
      {"compare", "a", "b", "--tol", "atoll=1"},
      {"profile", model, "--trace", "trace.txt", "--fill", "ones"},
      {"run", model, "--input", "imag=ones"},
      {"run", model},
      {"completion", "bsh"},
      {"man", "rum"},
      {"ops", "conv2"},
      {"explain", "WNN9999"},
      {"run", model, "--fill", "ones", "--timeout", "soon"},
      {"run", model, "--batch-size", "3"},
      {"run", model, "--percentiles", "5"},
      {"run", model, "second.json"},
      {"run", model, "--quiet", "yes"},
      {"run", model, "--quiet=maybe"},
      {"run", model, "--fill"},
      {"run", model, "--threads", "5000"},
      {"run", model, "--threads", "5000", "--threads", "3"},
      {"run", model, "--max-memory", "3Q"},
      {"run", model, "--device", "cpu", "--device", "gpu"},
      {"inspect", model, "--weights", "few"},
      {"inspect", model, "--compat", "--dot"},
      {"convert", model},
      {"cache"},
      {"cache", "lst"},
      {"--device", "gpu", "run", model},
  };
  std::string text;
  for (const auto& arguments : wrong) {
    const CommandResult result = webnn_cli(arguments);
    CHECK(result.out.empty());
    text += "$ webnn-cli";
    for (const std::string& argument : arguments)
      text += " " + (argument == model ? std::string("digits.json") : argument);
    text += "\n" + result.err + "exit code " + std::to_string(result.code) + "\n\n";
  }
  check_golden("tests/cli/help/errors.txt", text);
}

TEST_CASE("cli help: help COMMAND is COMMAND --help") {
  for (const std::vector<std::string>& command : {std::vector<std::string>{}, {"run"}, {"inspect"}}) {
    std::vector<std::string> before = command, behind = command;
    before.insert(before.begin(), "help");
    behind.emplace_back("--help");
    const CommandResult result = webnn_cli(before);
    CHECK(result.code == 0);
    CHECK(result.err.empty());
    CHECK(result.out == webnn_cli(behind).out);
  }
}

TEST_CASE("cli help: a file that is not there, beside one that is nearly called so") {
  const ScratchFolder scratch;
  write_file(scratch.path() / "model.json", "{}");
  const std::string near = (scratch.path() / "modle.json").string(), found = (scratch.path() / "model.json").string();
  const CommandResult result = webnn_cli({"inspect", near});
  CHECK(result.code == 6);
  CHECK(contains(result.err, "hint: did you mean '" + found + "'?"));
  CHECK_FALSE(contains(webnn_cli({"inspect", (scratch.path() / "nothing-like-it.bin").string()}).err, "did you mean"));
}

}  // namespace
}  // namespace webnn::tests::help_test
