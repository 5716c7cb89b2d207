// Limits of the system that stop the tool: each is an error with its own exit code, never a signal or a bug of ours.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api/webnn.hpp"
#include "schema/error.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/faults/faulty_program.hpp"
#include "tests/harness/machine/child.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::system_limits_test {

TEST_CASE("security: a file that may not grow is an error of writing it, and nothing stays behind") {
  const ScratchFolder scratch;
  const std::string out = (scratch.path() / "digits.wnnc").string();
  const ShellResult result =
      run_shell("ulimit -f 8; " + program_words("webnn-cli") + " compile " +
                shell_word(source_dir() / "models/digits/digits.json") + " --no-cache -o " + shell_word(out));
  CAPTURE(result.output);
  CHECK(result.status == 6);
  CHECK(contains(result.output, "cannot write"));
  CHECK(std::filesystem::is_empty(scratch.path()));
}

TEST_CASE("security: a graph whose file may not grow leaves the old graph and its old weights together") {
  const ScratchFolder scratch;
  const auto convert = [&](int addend, const std::string& before) {
    std::string nodes, last = "x";
    for (int i = 1; i <= 150; ++i) {
      const std::string next = "sum" + std::to_string(i);
      nodes += (nodes.empty() ? "" : ",") + std::string(R"({"id":")") + next + R"(","op":"add","inputs":[")" + last +
               R"(","c"]})";
      last = next;
    }
    write_file(
        scratch.path() / "sums.json",
        R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[1]}},"consts":{"c":)"
        R"({"dataType":"float32","shape":[1],"init":{"kind":"inlineBytes","bytes":[0,0,)" +
            std::to_string(addend) + R"(,63]}}},"nodes":[)" + nodes + R"(],"outputs":{"y":")" + last + R"("}})");
    return run_shell(before + program_words("webnn-cli") + " convert --force --weights manifest " +
                     shell_word(scratch.path() / "sums.json") + " -o " + shell_word(scratch.path() / "out/sums.json"));
  };
  const ShellResult whole = convert(1, "");
  CAPTURE(whole.output);
  REQUIRE(whole.status == 0);
  const auto before = files_in(scratch.path() / "out");
  REQUIRE(before.size() > 1);
  const ShellResult result = convert(2, "ulimit -f 4; ");
  CAPTURE(result.output);
  CHECK(result.status == 6);
  CHECK(files_in(scratch.path() / "out") == before);
}

TEST_CASE("security: where no more threads can be started, a context is refused for lack of resources") {
  CHECK(in_child([] {
    const rlimit none{0, 0};
    if (setrlimit(RLIMIT_NPROC, &none) != 0) return false;
    if (geteuid() == 0 && setuid(54321) != 0) return false;  // root has no such limit
    try {
      const Context context({.threads = 4});
      return false;
    } catch (const Error& error) {
      return error.code() == schema::ExitCode::resource;
    }
  }));
}

}  // namespace webnn::tests::system_limits_test
