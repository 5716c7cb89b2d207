// Runs scripts/wpt-vectors on a small folder in the style of the Web Platform Tests and compares what it writes.
#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/wait.h>
#include <vector>

#include "compiler/vectors/validation_vector.hpp"
#include "compiler/vectors/vector_reader.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::wpt_vectors_test {

namespace fs = std::filesystem;

namespace {

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

/// Runs the script on the folder `tests` beside this file; its exit status, its counts and every file it wrote, as one
/// text.
std::string converted(const std::string& tests, const fs::path& out, const std::string& options = "") {
  const fs::path script = source_dir() / "scripts/wpt-vectors/main.mjs",
                 folder = source_dir() / "tests/scripts" / tests;
  const fs::path counts = out / "counts.txt";
  const std::string command = "node " + quoted(script) + " " + quoted(folder) + " -o " + quoted(out) + " --verbose " +
                              options + " >" + quoted(counts) + " 2>&1";
  const int status = std::system(command.c_str());
  REQUIRE(WIFEXITED(status));
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(out))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  std::string text = "exit status " + std::to_string(WEXITSTATUS(status)) + "\n";
  for (const fs::path& file : files)
    text += "---- " + fs::relative(file, out).generic_string() + "\n" + read_file(file);
  return text;
}

}  // namespace

TEST_CASE("wpt-vectors: tests in the style of the Web Platform Tests become vectors that the readers take") {
  if (!has_node()) return skip("there is no Node.js 18 or newer");
  const ScratchFolder scratch;
  check_golden("tests/scripts/wpt-vectors.txt", converted("webnn", scratch.path()));

  for (const std::string name : {"halve.json", "runner.json", "bits.json"}) {
    const std::string conformance = read_file(scratch.path() / "conformance" / name);
    for (const compiler::ConformanceVector& vector : compiler::read_conformance_vectors(conformance, name)) {
      CAPTURE(vector.name);
      CHECK(vector.errors.empty());
    }
  }
  for (const std::string name : {"sums.json", "parts.json"}) {
    const auto validation = nlohmann::json::parse(read_file(scratch.path() / "validation" / name));
    for (const nlohmann::json& test : validation["tests"]) {
      const compiler::VectorOutcome outcome = compiler::run_validation_vector(test);
      CAPTURE(outcome.message);
      CHECK(outcome.passed);
    }
  }
}

TEST_CASE(
    "wpt-vectors: a file that declares tests and gives no vector is an error, unless it is listed; in vain is one") {
  if (!has_node()) return skip("there is no Node.js 18 or newer");
  const ScratchFolder scratch;
  const fs::path listed = source_dir() / "tests/scripts/webnn-silent/without-vectors.txt";
  check_golden("tests/scripts/wpt-vectors-silent.txt",
               converted("webnn-silent", scratch.path(), "--without-vectors " + quoted(listed)));
}

}  // namespace webnn::tests::wpt_vectors_test
