// A graph that went through ONNX compiles to the same program: import costs no speed.
#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "api/runner/compile_program.hpp"
#include "compiler/frontend/load.hpp"
#include "models/generate/architectures.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "schema/kernels/kernel_table.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"
#include "tests/harness/through_onnx.hpp"

namespace webnn::tests::same_program_test {
namespace {

/// The kernel of each step with its post-ops, in the order of the steps.
std::vector<std::string> kernels_of(compiler::Graph graph) {
  schema::Diagnostics diagnostics;
  const runtime::CpuDevice device(runtime::detect_cpu_features());
  const auto program = api::compile_program(std::move(graph), {}, device, {}, diagnostics);
  REQUIRE_MESSAGE(program, render(diagnostics));
  std::vector<std::string> kernels;
  for (const schema::Step& step : program->steps)
    kernels.push_back(std::string(schema::row(step.kernel).name) + " and " + std::to_string(step.post_ops.size()));
  return kernels;
}

}  // namespace

TEST_CASE("onnx same program: networks that were written as ONNX and read back have the same steps") {
  if (under_sanitizer) return skip("a sanitizer makes thousands of graphs take too long");
  // One for each part that the compiler recognises: attention and RMS normalisation, SiLU, quantised convolutions,
  // products with 4-bit weights, gates.
  for (const std::string_view name : {"gru", "lstm", "mobilenet_v3_small", "mobilenet_v2_int8", "yolov8n_320",
                                      "smollm2_block", "feed_forward_int4"}) {
    CAPTURE(name);
    const auto architecture = std::ranges::find(models::architectures(), name, &models::Architecture::name);
    REQUIRE(architecture != models::architectures().end());
    const ScratchFolder folder;
    models::GraphWriter writer(folder.path(), std::string(name), architecture->half);
    architecture->write(writer);
    writer.finish();
    schema::Diagnostics diagnostics;
    const auto graph = compiler::load_graph(folder.path() / (std::string(name) + ".json"), {}, diagnostics);
    REQUIRE(graph);
    CHECK(kernels_of(through_onnx(*graph)) == kernels_of(*graph));
  }
}

}  // namespace webnn::tests::same_program_test
