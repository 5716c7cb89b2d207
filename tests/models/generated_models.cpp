// The benchmark architectures: their files are read without a complaint, and activations keep their size.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

#include "api/session.hpp"
#include "compiler/frontend/load.hpp"
#include "models/generate/architectures.hpp"
#include "models/writer/random.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "tests/harness/machine.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t largest_weights = 5'000'000;
#else
constexpr std::uint64_t largest_weights = 150'000'000;
#endif

/// Generates and reads `architecture`; nullopt when its weights are too large for this build.
std::optional<compiler::Graph> generate(const models::Architecture& architecture, const std::filesystem::path& folder) {
  const std::string name(architecture.name);
  models::GraphWriter writer(folder, name, architecture.half);
  architecture.write(writer);
  writer.finish();
  if (std::filesystem::file_size(folder / (name + ".weights")) > largest_weights) return std::nullopt;

  schema::Diagnostics diagnostics;
  auto graph = compiler::load_graph(folder / (name + ".json"), {}, diagnostics);
  for (const schema::Diagnostic& diagnostic : diagnostics.all())
    FAIL_CHECK(diagnostic.location.path << ": " << diagnostic.message);
  REQUIRE(graph);
  return graph;
}

/// The first output of a session for normally distributed inputs.
std::vector<float> first_output(api::Session& session, models::Random& random) {
  std::vector<std::vector<float>> inputs;
  std::vector<std::span<const std::byte>> views;
  for (const schema::Binding& binding : session.inputs()) {
    inputs.emplace_back(schema::byte_length(binding.descriptor) / sizeof(float));
    for (float& number : inputs.back()) number = random.normal();
  }
  for (const std::vector<float>& input : inputs) views.push_back(std::as_bytes(std::span(input)));
  const std::vector<std::byte> bytes = session.run(views).at(0);
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

/// The root of the mean square of the first output for normally distributed inputs; NaN when something is not finite.
double output_size(compiler::Graph graph) {
  api::Session session({});
  schema::Diagnostics diagnostics;
  REQUIRE(session.compile(std::move(graph), {}, diagnostics));
  models::Random random(3);
  const std::vector<float> numbers = first_output(session, random);
  double squares = 0;
  for (const float number : numbers) squares += double(number) * double(number);
  return std::sqrt(squares / double(numbers.size()));
}

std::size_t greatest(const std::vector<float>& numbers) {
  return std::size_t(std::ranges::max_element(numbers) - numbers.begin());
}

}  // namespace

TEST_CASE("models: every benchmark architecture is read without a complaint") {
  for (const models::Architecture& architecture : models::architectures()) {
    CAPTURE(architecture.name);
    // bert_small and feed_forward_int4 with larger numbers, 340 MB and 150 MB
    if (architecture.name == "bert_base" || architecture.name == "feed_forward") continue;
    const ScratchFolder folder;
    const auto graph = generate(architecture, folder.path());
    if (!graph) continue;
    CHECK(graph->outputs().size() == 1);
    CHECK(graph->use_counts().size() == graph->value_count());
  }
}

TEST_CASE("models: activations of the small architectures keep their size") {
  for (const models::Architecture& architecture : models::architectures()) {
    const std::string_view name = architecture.name;
    if (name != "elementwise_4" && name != "elementwise_16" && name != "gru" && name != "lstm") continue;
    CAPTURE(name);
    const ScratchFolder folder;
    auto graph = generate(architecture, folder.path());
    REQUIRE(graph);
    const double size = output_size(std::move(*graph));
    CHECK(size > 0.01);
    CHECK(size < 10);
  }
}

// On processors that multiply bytes the one session computes on integers, the other one in float32.
TEST_CASE("models: a quantised network finds the same class as its float operators, for 98 of 100 images") {
  const auto found = std::ranges::find(models::architectures(), "mobilenet_v2_int8", &models::Architecture::name);
  REQUIRE(found != models::architectures().end());
  const ScratchFolder folder;
  const auto graph = generate(*found, folder.path());
  REQUIRE(graph);
  api::Session integers({}), floats({});
  schema::Diagnostics diagnostics;
  compiler::Options as_written;
  as_written.level = 1;
  REQUIRE(integers.compile(*graph, {}, diagnostics));
  REQUIRE(floats.compile(*graph, as_written, diagnostics));
  models::Random random(5), same_random(5);
  constexpr int images = 50;
  int agreeing = 0;
  for (int i = 0; i < images; ++i)
    agreeing += greatest(first_output(integers, random)) == greatest(first_output(floats, same_random));
  CHECK(agreeing >= images * 98 / 100);
}

TEST_CASE(
    "models: convolutions and sums of the quantised networks are computed on bytes where the processor has these") {
  if (!machine_has(schema::Feature::avx512_vnni)) return skip(machine_lacks(schema::Feature::avx512_vnni));
  for (const models::Architecture& architecture : models::architectures()) {
    if (!architecture.name.ends_with("_int8")) continue;
    CAPTURE(architecture.name);
    const ScratchFolder folder;
    auto graph = generate(architecture, folder.path());
    if (!graph) continue;
    api::Session session({});
    schema::Diagnostics diagnostics;
    REQUIRE(session.compile(std::move(*graph), {}, diagnostics));
    for (const schema::Step& step : session.program().steps) {
      const std::string_view op = row(step.op).name;
      CAPTURE(step.label);
      CHECK(op != "conv2d");
      CHECK(op != "add");
    }
  }
}

}  // namespace webnn::tests
