// The examples, run as they were built: with the shared library, each printing what it should.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <vector>

#include "tests/harness/golden.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/structure/sources.hpp"

namespace webnn::tests::examples_test {

TEST_CASE("examples: each prints what it should, and is short") {
  std::size_t count = 0;
  for (const SourceFile& source : source_files({".c", ".cpp"})) {
    if (source.folder() != "api/examples") continue;
    ++count;
    CAPTURE(source.path);
    CHECK(lines_of(source.text).size() < 80);
    const std::string name = std::filesystem::path(source.path).stem().string();
    const ShellResult run = run_shell(program_words("examples/" + name));
    CHECK(run.status == 0);
    check_golden("tests/api/examples/" + name + ".txt", run.output);
  }
  CHECK(count >= 4);
}

}  // namespace webnn::tests::examples_test
