// SIGINT and SIGTERM at any time of any command, whether it computes, waits or writes: they end it at once.
#include <doctest/doctest.h>
#include <string>

#include "tests/faults/faulty_program.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::signals_test {
namespace {

/// The status of a command that gets the signal after so many seconds.
ShellResult signalled(const std::string& words, const std::string& signal, const std::string& seconds) {
  // A shell's background processes ignore SIGINT.
  return run_shell("timeout --preserve-status --signal=" + signal + " " + seconds + " env --default-signal=INT,TERM " +
                   program_words("webnn-cli") + " " + words + "; exit $?");
}

struct Signal {
  std::string name;
  int status;
};
const Signal signals[] = {{"INT", 130}, {"TERM", 143}};

std::string model() { return shell_word(source_dir() / "models/digits/digits.json"); }

}  // namespace

TEST_CASE("faults: SIGINT and SIGTERM end what would go on for long") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  const std::string commands[] = {"bench " + model() + " --time 30s", "profile " + model() + " --fill ones --time 30s",
                                  "run " + model() + " --fill ones --repeat 16000000",
                                  "run " + model() + " --fill ones --repeat 16000000 --threads 2 --sandbox"};
  for (const std::string& words : commands)
    for (const auto& [name, status] : signals) {
      const ShellResult result = signalled(words, name, "0.3");
      CAPTURE(words);
      CAPTURE(result.output);
      CHECK(result.status == status);
    }
}

TEST_CASE("faults: SIGINT and SIGTERM at any time of a short command are 130 and 143, or come too late") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  const std::string folder = shell_word(source_dir() / "models/digits");
  for (const std::string& words :
       {"validate " + folder, "inspect " + model(), "compile " + model() + " --stats",
        "convert " + model() + " --to text -o -", "test " + folder, "compare " + model() + " --threads 1,2 --fill ones",
        std::string("ops"), std::string("devices"), std::string("man run"), std::string("completion bash"),
        std::string("explain WNN0204"), std::string("cache list")}) {
    const ShellResult unharmed = signalled(words, "TERM", "60");
    CAPTURE(unharmed.output);
    CHECK(unharmed.status == 0);
    for (const auto& [name, status] : signals)
      for (const char* seconds : {"0.01", "0.04"}) {
        const ShellResult result = signalled(words, name, seconds);
        CAPTURE(words);
        CAPTURE(result.output);
        CHECK((result.status == status || result.status == 0));
      }
  }
}

}  // namespace webnn::tests::signals_test
