// Little text that takes much time: --max-work refuses it before anything is computed.
#include <doctest/doctest.h>

#include "api/webnn.hpp"
#include "schema/error.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::work_limit_test {
namespace {

/// A product of two 64 x 64 matrices: 2 * 64^3 operations on 3 * 64^2 floats. `constant`: the operands are known.
std::string product(bool constant) {
  const std::string matrix = R"({"dataType":"float32","shape":[64,64])";
  const std::string fill = R"(,"init":{"kind":"scalar","value":2}})";
  return R"({"format":"webnn-graph-json","version":2,"inputs":{"x":)" + matrix + R"(}},"consts":{"w":)" + matrix +
         fill + R"(},"nodes":[{"id":"p","op":"matmul","inputs":[")" + (constant ? "w" : "x") +
         R"(","w"]},{"id":"y","op":"add","inputs":["p","x"]}],"outputs":{"y":"y"}})";
}

CommandResult run(const std::string& graph, const std::string& limit) {
  const ScratchFolder scratch;
  write_file(scratch.path() / "g.json", graph);
  return webnn_cli({"run", (scratch.path() / "g.json").string(), "--fill", "ones", "--max-work", limit});
}

}  // namespace

TEST_CASE("security: --max-work refuses a run by its arithmetic and bytes") {
  const CommandResult refused = run(product(false), "500k");
  CAPTURE(refused.err);
  CHECK(refused.code == 7);
  CHECK(contains(refused.err, "a run of the graph takes 5"));
  CHECK(run(product(false), "700k").code == 0);
}

TEST_CASE("security: --max-work counts what is computed ahead") {
  const CommandResult refused = run(product(true), "500k");
  CAPTURE(refused.err);
  CHECK(refused.code == 7);
  CHECK(contains(refused.err, "computing constants ahead"));
  CHECK(run(product(true), "700k").code == 0);
}

TEST_CASE("security: a context's maxWork is for each of its graphs") {
  const auto build = [](std::uint64_t limit) {
    Context context({.maxWork = limit});
    GraphBuilder builder(context);
    const Operand x = builder.input("x", DataType::float32, {64, 64});
    return builder.build({{"y", builder.matmul(x, x)}}).outputs().size();
  };
  CHECK(build(0) == 1);
  CHECK(build(700'000) == 1);
  CHECK_THROWS_AS(build(500'000), Error);
}

}  // namespace webnn::tests::work_limit_test
