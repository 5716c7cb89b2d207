// A window whose count of operations wraps around takes the place of other work: --max-work counts up to the greatest
// number of 64 bits, and stays there.
#include <doctest/doctest.h>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::wrapped_work_test {
namespace {

/// A product of two 1024 x 1024 matrices, 2^31 operations, beside a window of 2^31 x 1227133513 elements in 7 places, which
/// are 2^64 - 2^31. All of them but one are padding.
const char* const graph = R"({"format":"webnn-graph-json","version":2,
    "inputs":{"x":{"dataType":"float32","shape":[1024,1024]},"t":{"dataType":"float32","shape":[1,1,1,1]}},
    "nodes":[{"id":"p","op":"matmul","inputs":["x","x"]},
      {"id":"q","op":"averagePool2d","inputs":["t"],"options":{"windowDimensions":[2147483648,1227133513],
       "padding":[2147483647,0,1227133512,6]}}],"outputs":{"p":"p","q":"q"}})";

CommandResult command(const char* name, std::vector<std::string> options) {
  const ScratchFolder scratch;
  write_file(scratch.path() / "g.json", graph);
  std::vector<std::string> arguments{name, (scratch.path() / "g.json").string()};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return webnn_cli(arguments);
}

}  // namespace

TEST_CASE("security: work that wraps around does not hide other work from --max-work") {
  const CommandResult refused = command("run", {"--fill", "ones", "--max-work", "20M"});
  CAPTURE(refused.err);
  CHECK(refused.code == 7);
  CHECK(contains(refused.err, "a run of the graph takes 18446744073709551615 operations"));
  CHECK(contains(command("inspect", {}).out, "18446744073.710 GFLOP"));
}

}  // namespace webnn::tests::wrapped_work_test
