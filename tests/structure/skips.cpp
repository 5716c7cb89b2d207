// Skipped is never passed: how test cases that are skipped are counted and listed, and which may not be.
#include <doctest/doctest.h>
#include <string>

#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::skips_test {

// These run only when the test below asks for them.
TEST_CASE("skip example: on every machine" * doctest::skip()) { skip("this machine lacks what no machine has"); }
TEST_CASE("skip example: in a user's root" * doctest::skip()) { skip(no_corpus); }
TEST_CASE("skip example: nowhere" * doctest::skip()) { skip("there is no reason"); }
TEST_CASE("skip example: in part" * doctest::skip()) {
  int turn = 0;
  for (; turn < 2; ++turn) skip_part("a row", "this machine lacks what no machine has");
  CHECK(turn == 2);
}
TEST_CASE("skip example: in every part" * doctest::skip()) {
  skip_part("the row", "this machine lacks what no machine has");
}
TEST_CASE("skip example: without checks" * doctest::skip()) {
  for (const int number : std::initializer_list<int>{}) CHECK(number == 0);
}

namespace {

ShellResult examples(const std::string& root_kind, const std::string& filter) {
  return run_shell("WEBNN_ROOT_KIND=" + root_kind + " " + program_words("webnn-tests") +
                   " --no-skip -tc='skip example: " + filter + "'");
}

/// doctest has a summary of its own behind them.
bool prints(const ShellResult& result, const std::string& lines) {
  return result.output.find("\n" + lines) != std::string::npos;
}

}  // namespace

TEST_CASE("structure: what is skipped counts as skipped, by name") {
  const ShellResult skipped = examples("user", "on every machine");
  CHECK(skipped.status == 0);
  CHECK_MESSAGE(prints(skipped,
                       "skipped: skip example: on every machine: this machine lacks what no machine has\n"
                       "1 skipped\n0 passed, 0 failed\n"),
                skipped.output);
  const ShellResult in_part = examples("user", "in part");
  CHECK(in_part.status == 0);
  CHECK_MESSAGE(prints(in_part,
                       "skipped part: skip example: in part: a row: this machine lacks what no machine has\n"
                       "1 skipped\n1 passed, 0 failed\n"),
                in_part.output);
  const ShellResult in_every_part = examples("user", "in every part");
  CHECK(in_every_part.status == 0);
  CHECK_MESSAGE(prints(in_every_part,
                       "skipped part: skip example: in every part: the row: this machine lacks what no machine has\n"
                       "skipped: skip example: in every part: none of its parts can run\n"
                       "2 skipped\n0 passed, 0 failed\n"),
                in_every_part.output);
  CHECK(prints(examples("user", "of nothing"), "0 skipped\n0 passed, 0 failed\n"));
}

TEST_CASE("structure: a test case that checks nothing fails") {
  const ShellResult result = examples("user", "without checks");
  CHECK(result.status == 1);
  CHECK_MESSAGE(prints(result, "0 skipped\n0 passed, 1 failed\n"), result.output);
  CHECK(result.output.find("failed: skip example: without checks: it checks nothing\n") != std::string::npos);
}

TEST_CASE("structure: what tests/allowed_skips.txt does not allow fails when it is skipped") {
  CHECK(prints(examples("user", "in a user*"), "1 skipped\n0 passed, 0 failed\n"));
  for (const std::string filter : {"nowhere", "in a user*"}) {
    const ShellResult result = examples("ci", filter);
    CHECK(result.status == 1);
    CHECK_MESSAGE(prints(result, "1 skipped\n0 passed, 1 failed\n"), result.output);
    CHECK(result.output.find("does not let a root of kind 'ci' skip skip example: ") != std::string::npos);
  }
}

}  // namespace webnn::tests::skips_test
