// Constants that a layout pass reorders: --max-memory counts the copies, and the constants in whose place they are take no
// memory any more.
#include <doctest/doctest.h>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::reordered_constants_test {
namespace {

/// A convolution that runs channels-last, and after it sums with constants of 4 MiB each.
std::string sums(int constants) {
  const std::string large = R"({"dataType":"float32","shape":[1,16,256,256])";
  std::string consts, nodes, last = "p";
  for (int i = 0; i < constants; ++i) {
    const std::string number = std::to_string(i);
    consts += R"("c)" + number + R"(":)" + large + R"(,"init":{"kind":"scalar","value":)" + number + ".5}},";
    nodes += R"({"id":"s)" + number + R"(","op":"add","inputs":[")" + last + R"(","c)" + number + R"("]},)";
    last = "s" + number;
  }
  return R"({"format":"webnn-graph-json","version":2,"inputs":{"x":)" + large + R"(}},"consts":{)" + consts +
         R"("w":{"dataType":"float32","shape":[16,16,3,3],"init":{"kind":"scalar","value":0.1}}},
    "nodes":[{"id":"p","op":"conv2d","inputs":["x","w"],"options":{"padding":[1,1,1,1]}},)" +
         nodes + R"({"id":"y","op":"reduceMax","inputs":[")" + last + R"("]}],"outputs":{"y":"y"}})";
}

CommandResult compile(int constants, const char* limit) {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "g.json").string();
  write_file(file, sums(constants));
  return webnn_cli({"compile", file, "-o", (scratch.path() / "g.wnnc").string(), "--stats", "--max-memory", limit});
}

}  // namespace

TEST_CASE("security: --max-memory counts constants that are reordered") {
  const CommandResult refused = compile(1, "5M");
  CAPTURE(refused.err);
  CHECK(refused.code == 7);
  CHECK(contains(refused.err, "bytes of memory, the limit is"));
  const CommandResult compiled = compile(1, "12M");
  CAPTURE(compiled.err);
  CHECK(compiled.code == 0);
}

TEST_CASE("security: constants that were reordered take their memory once") {
  // Eight of 4 MiB, and one copy on the way.
  const CommandResult compiled = compile(8, "40M");
  CAPTURE(compiled.err);
  CHECK(compiled.code == 0);
  CHECK(compile(8, "30M").code == 7);
}

}  // namespace webnn::tests::reordered_constants_test
