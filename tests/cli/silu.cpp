// x * sigmoid(x) behind every kind of operator: it compiles at every level, and runs, as a graph and as a program, to
// what the reference kernels give.
#include <doctest/doctest.h>
#include <fstream>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::silu_test {
namespace {

struct Root {
  const char* name;
  const char* inputs;
  const char* constants;
  const char* call;  // of a node `m`
};

const Root roots[] = {
    {"matmul", "x: f32[32, 64];", "w: f32[64, 32] @scalar(0.03);", "matmul(x, w)"},
    {"matmul_of_two_inputs", "x: f32[2, 9, 16]; w: f32[2, 16, 7];", "", "matmul(x, w)"},
    {"few_rows", "x: f32[2, 64];", "w: f32[64, 64] @scalar(0.03);", "matmul(x, w)"},
    {"gemm", "x: f32[32, 64];", "w: f32[64, 32] @scalar(0.03); c: f32[32] @scalar(0.5);", "gemm(x, w, c=c)"},
    {"conv2d", "x: f32[1, 8, 9, 9];", "w: f32[16, 8, 3, 3] @scalar(0.1);", "conv2d(x, w, strides=[2, 2])"},
    {"winograd", "x: f32[1, 32, 24, 24];", "w: f32[32, 32, 3, 3] @scalar(0.1);", "conv2d(x, w, padding=[1, 1, 1, 1])"},
    {"pointwise", "x: f32[1, 16, 9, 9];", "w: f32[24, 16, 1, 1] @scalar(0.1);", "conv2d(x, w)"},
    {"depthwise", "x: f32[1, 16, 9, 9];", "w: f32[16, 1, 3, 3] @scalar(0.1);", "conv2d(x, w, groups=16)"},
    {"convTranspose2d", "x: f32[1, 16, 5, 5];", "w: f32[16, 12, 3, 3] @scalar(0.1);",
     "convTranspose2d(x, w, strides=[2, 2])"},
    {"reduction", "x: f32[6, 50];", "", "reduceMean(x, axes=[1], keepDimensions=true)"},
    {"binary", "x: f32[6, 50]; z: f32[50];", "", "add(x, z)"},
    {"unary", "x: f32[6, 50];", "", "tanh(x)"},
    {"half", "x: f16[6, 50]; z: f16[50];", "", "add(x, z)"},
    {"pooling", "x: f32[1, 8, 8, 8];", "", "averagePool2d(x, windowDimensions=[2, 2])"},
    {"layerNormalization", "x: f32[6, 50];", "", "layerNormalization(x, axes=[1])"},
    {"softmax", "x: f32[6, 50];", "", "softmax(x, axis=1)"},
};

}  // namespace

TEST_CASE("cli silu: behind every kind of operator, at every level, as a graph and as a program") {
  const ScratchFolder scratch;
  for (const Root& root : roots) {
    const std::string graph = (scratch.path() / (std::string(root.name) + ".webnn")).string();
    std::ofstream(graph) << "webnn_graph \"g\" v1 {\n  inputs { " << root.inputs << " }\n  consts { " << root.constants
                         << " }\n  nodes { m = " << root.call
                         << "; s = sigmoid(m); y = mul(m, s); }\n  outputs { y; }\n}\n";
    const std::string expected = (scratch.path() / root.name).string();
    const CommandResult saved = webnn_cli(
        {"compare", graph, "--devices", "cpu:reference", "--save-run", expected, "--fill", "random", "--no-cache"});
    CAPTURE(root.name);
    CAPTURE(saved.err);
    REQUIRE(saved.code == 0);
    for (const char* level : {"-O0", "-O1", "-O2", "-O3"}) {
      CAPTURE(level);
      const CommandResult run = webnn_cli({"run", graph, level, "--fill", "random", "--no-cache"});
      CAPTURE(run.err);
      CHECK(run.code == 0);
      const std::string program = expected + level + ".wnnc";
      CHECK(webnn_cli({"compile", graph, "-o", program, level}).code == 0);
      const CommandResult compared = webnn_cli({"compare", program, "--ref", expected});
      CAPTURE(compared.out);
      CHECK(compared.code == 0);
    }
  }
}

}  // namespace webnn::tests::silu_test
