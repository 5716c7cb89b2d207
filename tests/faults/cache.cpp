// The user's cache when a process is killed while it makes the secret or keeps a program, on file systems with nameless
// files and without: the next process finds nothing broken, and what stays behind is known and goes with the rest.
#include <cerrno>
#include <doctest/doctest.h>

#include "api/runner/program_cache.hpp"
#include "tests/faults/faulty_program.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::cache_faults_test {
namespace {

namespace fs = std::filesystem;

std::string names_in(const fs::path& folder) {
  std::string names;
  for (const auto& [name, content] : files_in(folder)) names += name + " ";
  return names;
}

/// Kills the first run at each of its calls that change files; how many there are.
int kill_at_every_call(const std::string& file_system) {
  const WritingCommand command{"run", "run MODEL --fill ones --no-cache=false"};
  const ScratchFolder scratch;
  const fs::path out = scratch.path() / "out", folder = out / "cache/webnn-cli";
  constexpr int most_calls = 100;
  int number = 1;
  for (; number < most_calls; ++number) {
    CAPTURE(number);
    fs::remove_all(out);
    if (run_with_fault(command, out, "files:" + std::to_string(number) + ":kill," + file_system).status == 0) break;
    const ShellResult next = run_with_fault(command, out, file_system);
    CHECK_MESSAGE(next.status == 0, next.output);
    const api::ProgramCache cache(folder);
    std::size_t programs = 0;
    for (const auto& entry : cache.entries()) programs += entry.kind == api::ProgramCache::Entry::Kind::program;
    CHECK(programs == 1);
    cache.clean(0);
    CHECK(names_in(folder) == "lock secret ");
  }
  CHECK(number < most_calls);
  return number - 1;
}

}  // namespace

TEST_CASE("faults: what a killed process leaves in the cache goes when it is cleaned") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  const int calls = kill_at_every_call("");
  CHECK(calls > 3);
  CHECK(kill_at_every_call("nameless:0:" + std::to_string(EOPNOTSUPP)) > calls);
}

}  // namespace webnn::tests::cache_faults_test
