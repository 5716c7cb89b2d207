// A batch that is killed in the middle goes on where it was: what is there is whole, and nothing is computed twice.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"
#include "tests/faults/faulty_program.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::killed_batch_test {

namespace fs = std::filesystem;

TEST_CASE("faults: a batch that is killed in the middle goes on where it was") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out";
  constexpr std::size_t count = 60;
  fs::create_directories(in);
  for (std::size_t i = 0; i < count; ++i)
    fs::copy_file(source_dir() / "models/digits/digits.input.image.npy", in / (std::to_string(100 + i) + ".npy"));
  const WritingCommand batch{"batch",
                             "run MODEL --batch OUT/in --outputs OUT/out --threads 2 --no-cache --output-format json"};
  REQUIRE(webnn_cli({"run", (source_dir() / "models/digits/digits.json").string(), "--batch", in.string(), "--outputs",
                     (scratch.path() / "whole").string()})
              .code == 0);
  const std::string whole = read_file(scratch.path() / "whole/100.npy");

  std::size_t before = 0;
  for (const std::string action : {"kill", "interrupt", "terminate"}) {
    const ShellResult result = run_with_fault(batch, scratch.path(), "files:60:" + action);
    CHECK(result.status == (action == "kill" ? 137 : action == "interrupt" ? 130 : 143));
    std::size_t there = 0;
    for (const auto& [name, content] : files_in(out)) {
      if (name == "batch.json" || name.find(".tmp") != name.npos) continue;
      CHECK(content == whole);
      ++there;
    }
    CHECK(there > before);
    CHECK(there < count);
    before = there;
  }
  const ShellResult rest = run_with_fault(batch, scratch.path(), "");
  CHECK(rest.status == 0);
  const auto report = nlohmann::json::parse(rest.output);
  CHECK(report["thereAlready"] == before);
  CHECK(report["computed"] == count - before);
  for (const auto& [name, content] : files_in(out)) CHECK((name == "batch.json" || content == whole));
}

}  // namespace webnn::tests::killed_batch_test
