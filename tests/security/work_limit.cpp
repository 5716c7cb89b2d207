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

std::string tensor(const std::string& type, const std::string& shape, const std::string& number = "") {
  return R"({"dataType":")" + type + R"(","shape":)" + shape +
         (number.empty() ? "" : R"(,"init":{"kind":"scalar","value":)" + number + "}") + "}";
}

/// Each quantization becomes known in a round of its own, behind products that the scale before it leads to: 5 million
/// operations and bytes.
std::string rounds(int count) {
  std::string nodes, scale = "one";
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    const auto add = [&](const std::string& id, const std::string& op, const std::string& inputs,
                         const std::string& options = "") {
      nodes += R"({"id":")" + id + n + R"(","op":")" + op + R"(","inputs":[)" + inputs + R"(],"options":{)" + options +
               "}},";
    };
    add("d", "dequantizeLinear", R"("c",")" + scale + R"(","zero")");
    add("q", "quantizeLinear", R"("d)" + n + R"(",")" + scale + R"(","zero")");
    add("f", "cast", R"("q)" + n + '"', R"("dataType":"float32")");
    add("t", "matmul", R"("tall","f)" + n + '"');
    add("p", "matmul", R"("square","t)" + n + '"');
    add("m", "reduceMax", R"("p)" + n + '"', R"("axes":[0,1],"keepDimensions":true)");
    add("s", "min", R"("one","m)" + n + '"');
    scale = "s" + n;
  }
  return R"({"format":"webnn-graph-json","version":2,"inputs":{"x":)" + tensor("float32", "[1,1]") +
         R"(},"consts":{"one":)" + tensor("float32", "[1,1]", "1") + R"(,"zero":)" + tensor("uint8", "[1,1]", "0") +
         R"(,"c":)" + tensor("uint8", "[32,32]", "1") + R"(,"tall":)" + tensor("float32", "[256,32]", "1") +
         R"(,"square":)" + tensor("float32", "[256,256]", "1") + R"(},"nodes":[)" + nodes +
         R"({"id":"y","op":"mul","inputs":["x",")" + scale + R"("]}],"outputs":{"y":"y"}})";
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

TEST_CASE("security: --max-work counts what is computed ahead in all rounds and passes together") {
  const std::string graph = rounds(8);
  const CommandResult refused = run(graph, "20M");
  CAPTURE(refused.err);
  CHECK(refused.code == 7);
  CHECK(contains(refused.err, "computing constants ahead"));
  CHECK(run(graph, "50M").code == 0);
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
