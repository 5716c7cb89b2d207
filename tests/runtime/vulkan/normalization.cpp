// A float16 batchNormalization behind a convolution: computed on the sums before they are rounded, in the same step.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <string>

#include "api/oracle/evaluate.hpp"
#include "api/runner/session.hpp"
#include "compiler/compiler.hpp"
#include "schema/elements/elements.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/evaluate_graph.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/machine/gpu.hpp"

namespace webnn::tests::vulkan_normalization_test {
namespace {

const std::string usual_variances = "1, 2, 0.5, 3", usual_scales = "1.5, 0.3, -2, 0";

compiler::Graph network(DataType type, const std::string& variances, const std::string& scales) {
  std::string text = R"(graph "normalised" {
  %x = input FLOAT[1, 3, 9, 9]
  %w = constant FLOAT[4, 3, 3, 3] {0.25...}
  %m = constant FLOAT[4] {1, -2, 30, 0.125}
  %v = constant FLOAT[4] {VARIANCES}
  %s = constant FLOAT[4] {SCALES}
  %b = constant FLOAT[4] {1, -3, 0.25, 5}
  %c = conv2d(%x, %w)
  %y = batchNormalization(%c, %m, %v, scale=%s, bias=%b)
  output "y" = %y
}
)";
  const auto replace = [&](std::string_view what, std::string_view by) {
    for (std::size_t at; (at = text.find(what)) != std::string::npos;) text.replace(at, what.size(), by);
  };
  replace("FLOAT", name_of(type));
  replace("VARIANCES", variances);
  replace("SCALES", scales);
  return parsed(text);
}

std::string steps_for_gpu(compiler::Graph graph) {
  compiler::Options options = options_of_tests();
  options.evaluate = api::reference_evaluate();
  options.target = {DeviceKind::vulkan,
                    Feature::memory_8bit | Feature::float16 | Feature::shared_memory | Feature::long_loops};
  Diagnostics diagnostics;
  const auto program = compiler::compile(std::move(graph), options, diagnostics);
  REQUIRE(program);
  std::string steps;
  for (const Step& step : program->steps) steps += std::string(row(step.op).name) + " ";
  return steps;
}

}  // namespace

TEST_CASE("vulkan normalization: behind a convolution of float16 it is no step of its own") {
  CHECK(steps_for_gpu(network(DataType::float16, usual_variances, usual_scales)) == "conv2d ");
  // A factor that is no normal float16 number would lose digits; one that is infinite or NaN would lose all.
  for (const auto& [variance, scale] : {std::pair{"65504", "0.01"}, {"0", "65504"}, {"-1", "1"}}) {
    const std::string variances = std::string("1, ") + variance + ", 1, 1",
                      scales = std::string("1, ") + scale + ", 1, 1";
    CHECK(steps_for_gpu(network(DataType::float16, variances, scales)) == "conv2d batchNormalization ");
  }
}

TEST_CASE("vulkan normalization: what joins a convolution of float16 is as exact as on its own") {
  if (!open_test_gpu()) return;
  const compiler::Graph half = network(DataType::float16, usual_variances, usual_scales);
  const Shape shape{1, 3, 9, 9};
  std::mt19937 engine(3);
  std::uniform_real_distribution<float> chance(-1, 1);
  Numbers elements(element_count(shape));
  for (Number& element : elements) element = chance(engine);
  const TestTensor x = tensor(DataType::float16, shape, elements);
  const Numbers by_operators = numbers(evaluate_graph(half, {{"x", x}})[0].second);
  const TestTensor wide_x = tensor(DataType::float32, shape, numbers(x));
  const Numbers exact =
      numbers(evaluate_graph(network(DataType::float32, usual_variances, usual_scales), {{"x", wide_x}})[0].second);

  api::Session session({"gpu"});
  Diagnostics diagnostics;
  REQUIRE(session.compile(half, {}, diagnostics));
  // What would not join would be as exact, too.
  if (includes(session.program().target.features, Feature::float16)) REQUIRE(session.program().steps.size() == 1);
  const std::span<const std::byte> input[] = {x.data};
  const std::vector<std::byte> joined = session.run(input)[0];
  double worst_joined = 0, worst_by_operators = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double wanted = exact[i].as_double();
    worst_joined =
        std::max(worst_joined, std::abs(load_element(DataType::float16, joined.data(), i).as_double() - wanted));
    worst_by_operators = std::max(worst_by_operators, std::abs(by_operators[i].as_double() - wanted));
  }
  CHECK(worst_joined <= worst_by_operators);
  CHECK(worst_joined < 0.05);
}

}  // namespace webnn::tests::vulkan_normalization_test
