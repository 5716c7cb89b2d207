// Runs the checks of benchmarks/driver, which are written in its own language.
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>

#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::driver_test {

namespace fs = std::filesystem;

TEST_CASE("benchmarks: runtimes take turns, and what is measured is what is reported") {
  if (!has_node()) return skip("there is no Node.js 18 or newer");
  if (is_cross_build()) return skip("the worker is for another machine");
  const ScratchFolder scratch;
  const fs::path digits = source_dir() / "models/digits";
  std::string command = "node";
  for (const fs::path& word :
       {source_dir() / "tests/benchmarks/driver_check.mjs", scratch.path(),
        fs::read_symlink("/proc/self/exe").parent_path() / "benchmark-worker", digits / "digits.json",
        digits / "digits.input.image.npy", digits / "digits.expected.probabilities.npy"})
    command += " '" + word.string() + "'";
  const fs::path output = scratch.path() / "output";
  const int status = std::system((command + " >'" + output.string() + "' 2>&1").c_str());
  INFO(read_file(output));
  CHECK(status == 0);
}

}  // namespace webnn::tests::driver_test
