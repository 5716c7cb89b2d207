// The program among others: pipes that close, full disks, no terminal, no standard output.
#include <doctest/doctest.h>

#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::robustness_test {
namespace {

std::string program() { return program_words("webnn-cli"); }
std::string digits() { return shell_word(source_dir() / "models/digits/digits.json"); }

/// Runs the program when the reader of its standard output is gone for certain; what it says besides, and its code.
std::string without_reader(const std::string& arguments) {
  return run_shell("bash -c " +
                   shell_word("{ sleep 0.2; " + program() + " " + arguments + "; echo \"code $?\" >&2; } | true"))
      .output;
}

TEST_CASE("cli robustness: a reader that goes away is no error, for every command, and takes no work away") {
  const ScratchFolder scratch;
  const auto outputs = scratch.path() / "out";
  for (const std::string& arguments : std::vector<std::string>{
           "--help", "ops", std::string("ops --output-format json"), std::string("version"), std::string("explain"),
           std::string("devices"), std::string("completion bash"), std::string("man run"), "inspect " + digits(),
           "validate " + digits(), "convert " + digits() + " -o - --to json", "compile " + digits() + " -o -",
           "compile " + digits() + " --emit ir",
           "run " + digits() + " --fill ones --values --outputs " + shell_word(outputs),
           "test " + shell_word(source_dir() / "models/digits"), "compare " + digits() + " --fill ones --threads 1,2",
           "cache list"}) {
    CAPTURE(arguments);
    CHECK(without_reader(arguments) == "code 0\n");
  }
  CHECK(read_file(outputs / "probabilities.npy").size() > 40);
  CHECK(
      without_reader("inspect " + digits() + " --diff " + shell_word(source_dir() / "tests/cli/programs/small.txt")) !=
      "code 0\n");  // what went wrong is told all the same
}

TEST_CASE("cli robustness: a full disk is an error, for standard output and for files") {
  for (const std::string& command :
       std::vector<std::string>{"ops", "run " + digits() + " --fill ones", "bench " + digits() + " --time 1ms",
                                std::string("completion bash")}) {
    const ShellResult result = run_shell(program() + " " + command + " > /dev/full");
    CHECK(result.status == 6);
    CHECK(contains(result.output, "cannot write to standard output"));
  }
  CHECK(run_shell(program() + " profile " + digits() + " --fill ones --time 1ms --html /dev/full --force").status == 6);
  CHECK(run_shell(program() + " inspect " + digits() + " --html /dev/full --force").status == 6);
  for (const std::string weights : {"inline", "external"})  // a file of more than one piece, too
    CHECK(
        run_shell(program() + " convert " + digits() + " --to onnx -o /dev/full --force --weights " + weights).status ==
        6);
}

TEST_CASE("cli robustness: --timeout says which limit has ended the command") {
  const ShellResult result = run_shell(program() + " bench " + digits() + " --time 1m --timeout 200ms 2>&1");
  CHECK(result.status == 124);
  CHECK(contains(result.output, "webnn-cli: timeout: not finished after 0.2 s, the limit that --timeout sets\n"));
}

TEST_CASE("cli robustness: a closed standard output is an error, a closed standard error is none") {
  CHECK(run_shell(program() + " version >&-").status == 6);
  CHECK(run_shell(program() + " run " + digits() + " --fill ones 2>&- > /dev/null").status == 0);
  CHECK(run_shell(program() + " run none.json 2>&-").status == 6);
}

TEST_CASE("cli robustness: what is printed never ends in a file that took the number of a closed stream") {
  const ScratchFolder scratch;
  const auto page = scratch.path() / "page.html";
  CHECK(run_shell(program() + " profile " + digits() + " --fill ones --time 1ms --html " + shell_word(page) + " >&-")
            .status == 6);
  const std::string text = read_file(page);
  CHECK(text.starts_with("<!DOCTYPE html>"));
  CHECK(text.ends_with("</html>\n"));
}

TEST_CASE("cli robustness: standard input may be closed, or a device") {
  CHECK(run_shell(program() + " version <&-").status == 0);
  CHECK(run_shell(program() + " validate - < /dev/null").status == 3);
}

TEST_CASE("cli robustness: without a terminal, and with NO_COLOR, no control characters are written") {
  for (const std::string environment : {"", "NO_COLOR=1 ", "TERM=dumb "})
    for (const std::string command : {"--help", "run none.json", "ops conv2d"}) {
      const ShellResult result = run_shell(environment + program() + " " + command);
      CHECK(result.output.find('\x1b') == std::string::npos);
    }
  const ShellResult bench = run_shell(program() + " bench " + digits() + " --time 600ms --warm-up 1ms --threads 1");
  CHECK(bench.output.find('\x1b') == std::string::npos);  // no progress bar without a terminal
}

TEST_CASE("cli robustness: environment twins of options count, and flags win over them") {
  CHECK(run_shell("WEBNN_CLI_DEVICE=cpu:nobody " + program() + " run " + digits() + " --fill ones").status == 2);
  CHECK(
      run_shell("WEBNN_CLI_DEVICE=cpu:nobody " + program() + " run " + digits() + " --fill ones --device cpu").status ==
      0);
}

}  // namespace
}  // namespace webnn::tests::robustness_test
