// Runs scripts/fuzz-record.sh on a small record.
#include <doctest/doctest.h>

#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::fuzz_record_test {
namespace {

const std::string heading =
    "# Record\n\n| target | executions | seconds | edges | without | seconds |\n|---|---|---|---|---|---|\n";

/// The record after a run of `target` is added.
std::string added(const std::string& record, const std::string& target, const std::string& run) {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "RECORD.md";
  write_file(file, record);
  const ShellResult result = run_shell(shell_word(source_dir() / "scripts/fuzz-record.sh") + " " + shell_word(file) +
                                       " " + target + " " + run);
  CAPTURE(result.output);
  REQUIRE(result.status == 0);
  return read_file(file);
}

TEST_CASE("fuzz-record: a run is added to its target's row, and only there") {
  const std::string rows = "| json | 100 | 10 | 50 | 7 | 8 |\n| text | 1 | 2 | 3 | 4 | 5 |\n",
                    end = "\nText.\n\n| target | finding |\n|---|---|\n| json | slow |\n";
  CHECK(added(heading + rows + end, "json", "11 300 60") ==
        heading + "| json | 111 | 310 | 60 | 7 | 8 |\n| text | 1 | 2 | 3 | 4 | 5 |\n" + end);
  CHECK(added(heading + rows + end, "json", "11 300 40") ==
        heading + "| json | 111 | 310 | 50 | 7 | 8 |\n| text | 1 | 2 | 3 | 4 | 5 |\n" + end);
}

TEST_CASE("fuzz-record: a target without a row gets one at the table's end") {
  const std::string rows = "| json | 100 | 10 | 50 | 7 | 8 |\n", end = "\nText.\n",
                    row = "| new | 11 | 300 | 60 | 0 | 0 |\n";
  CHECK(added(heading + rows + end, "new", "11 300 60") == heading + rows + row + end);
  CHECK(added(heading + rows, "new", "11 300 60") == heading + rows + row);
  CHECK(added(heading, "new", "11 300 60") == heading + row);
}

TEST_CASE("fuzz-record: a file without the table stays as it is") {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "RECORD.md";
  write_file(file, "# Record\n");
  CHECK(
      run_shell(shell_word(source_dir() / "scripts/fuzz-record.sh") + " " + shell_word(file) + " json 1 2 3").status !=
      0);
  CHECK(read_file(file) == "# Record\n");
}

}  // namespace
}  // namespace webnn::tests::fuzz_record_test
