// The digits model through compiler and runtime, against the trainer's own forward pass in double precision.
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

#include "api/runner/session.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/npy.hpp"
#include "models/trainer/glyphs.hpp"
#include "models/trainer/network.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::digits_test {
namespace {

namespace fs = std::filesystem;

fs::path digits_folder() { return source_dir() / "models/digits"; }

std::vector<float> floats_of(std::span<const std::byte> bytes) {
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

compiler::Graph load_digits() {
  schema::Diagnostics diagnostics;
  auto graph = compiler::load_graph(digits_folder() / "digits.json", {}, diagnostics);
  for (const schema::Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
  REQUIRE(graph);
  return std::move(*graph);
}

/// The trained parameters, taken back from the graph's constants.
models::Parameters parameters_of(const compiler::Graph& graph) {
  models::Parameters parameters;
  for (std::size_t i = 0; i < models::parameter_count; ++i) {
    const compiler::ValueId id = graph.find_value(models::parameter_table()[i].name);
    REQUIRE(graph.is_constant(id));
    parameters[i] = floats_of(graph.value(id).data.view());
  }
  return parameters;
}

/// The graph, ready to run on the CPU.
struct Classifier {
  api::Session session{{}};

  explicit Classifier(compiler::Graph graph) {
    schema::Diagnostics diagnostics;
    REQUIRE(session.compile(std::move(graph), {}, diagnostics));
  }
  std::vector<float> operator()(const models::Image& image) {
    const std::span<const std::byte> input = std::as_bytes(std::span(image));
    return floats_of(session.run({&input, 1}).at(0));
  }
};

}  // namespace

TEST_CASE("digits: the rendered 7 gives the probabilities that lie beside it") {
  Classifier classify(load_digits());
  const auto image = compiler::read_npy(digits_folder() / "digits.input.image.npy");
  const auto expected = compiler::read_npy(digits_folder() / "digits.expected.probabilities.npy");
  const std::vector<float> actual = classify(floats_of(image.data.view()));
  CHECK(models::best_class(actual) == 7);
  for (std::size_t i = 0; i < actual.size(); ++i)
    CHECK(actual[i] == doctest::Approx(floats_of(expected.data.view())[i]).epsilon(1e-5));
}

TEST_CASE("digits: fresh renderings give what the trainer computes, and nearly all are right") {
  compiler::Graph graph = load_digits();
  const models::Parameters parameters = parameters_of(graph);
  Classifier classify(std::move(graph));
  models::Random random(20260101);
  constexpr int count = 300;
  int right = 0;
  float largest_difference = 0;
  for (int i = 0; i < count; ++i) {
    const models::LabelledImage sample = models::render_any(random);
    const std::vector<float> actual = classify(sample.image);
    const auto expected = models::forward<double>(parameters, sample.image).probabilities;
    for (std::size_t k = 0; k < actual.size(); ++k)
      largest_difference = std::max(largest_difference, std::abs(actual[k] - float(expected[k])));
    right += models::best_class(actual) == sample.label;
  }
  CHECK(largest_difference < 1e-5f);
  CHECK(right >= count * 97 / 100);
}

}  // namespace webnn::tests::digits_test
