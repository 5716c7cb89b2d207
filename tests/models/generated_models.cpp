// The benchmark architectures: their files are read without a complaint and compiled at every level, they have the
// parameters that were published, activations keep their size, and what comes out is what double precision says.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

#include "api/oracle/oracle.hpp"
#include "api/runner/session.hpp"
#include "compiler/frontend/load.hpp"
#include "models/generate/architectures.hpp"
#include "models/writer/random.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "schema/elements/elements.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::generated_models_test {
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

const models::Architecture& architecture_of(std::string_view name) {
  const auto found = std::ranges::find(models::architectures(), name, &models::Architecture::name);
  REQUIRE(found != models::architectures().end());
  return *found;
}

/// Bytes of inputs, and views of them.
struct Inputs {
  std::vector<std::vector<std::byte>> bytes;
  std::vector<std::span<const std::byte>> views() const { return {bytes.begin(), bytes.end()}; }
};

/// Normally distributed numbers, and integers below 100.
Inputs random_inputs(std::span<const schema::OperandDescriptor> descriptors, models::Random& random) {
  Inputs inputs;
  for (const schema::OperandDescriptor& descriptor : descriptors) {
    std::vector<std::byte>& bytes = inputs.bytes.emplace_back(schema::byte_length(descriptor));
    for (std::size_t i = 0; i < schema::element_count(descriptor.shape); ++i)
      schema::store_element(schema::is_float(descriptor.type) ? double(random.normal()) : double(random.below(100)),
                            descriptor.type, bytes.data(), i);
  }
  return inputs;
}

/// The first output of a session for random inputs.
std::vector<float> first_output(api::Session& session, models::Random& random) {
  std::vector<schema::OperandDescriptor> descriptors;
  for (const schema::Binding& binding : session.inputs()) descriptors.push_back(binding.descriptor);
  const Inputs inputs = random_inputs(descriptors, random);
  const std::vector<std::byte> bytes = session.run(inputs.views()).at(0);
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

/// The root of the mean square of the first output for random inputs; NaN when something is not finite.
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

TEST_CASE("models: every benchmark architecture is read without a complaint and compiled at every level") {
  for (const models::Architecture& architecture : models::architectures()) {
    CAPTURE(architecture.name);
    // bert_small and feed_forward_int4 with larger numbers, 340 MB and 150 MB; yolov8n_320 on larger images
    if (architecture.name == "bert_base" || architecture.name == "feed_forward" || architecture.name == "yolov8n_640")
      continue;
    const ScratchFolder folder;
    const auto graph = generate(architecture, folder.path());
    if (!graph) continue;
    CHECK(graph->outputs().size() == 1);
    CHECK(graph->use_counts().size() == graph->value_count());
    for (unsigned level = 0; level <= 3; ++level) {
      CAPTURE(level);
      api::Session session({.threads = 1});
      schema::Diagnostics diagnostics;
      compiler::Options options = options_of_tests();
      options.level = level;
      CHECK(session.compile(*graph, options, diagnostics));
      CHECK(diagnostics.all().empty());
    }
  }
}

TEST_CASE("models: architectures have as many parameters as published") {
  struct Published {
    std::string_view name;
    std::uint64_t parameters;
  };
  constexpr Published published[] = {
      {"squeezenet1.1", 1'235'496},        {"mobilenet_v2", 3'504'872}, {"mobilenet_v3_small", 2'542'856},
      {"efficientnet_lite0", 4'652'008},   {"yolov8n_320", 3'151'904},  // with normalisation folded
      {"smollm2_block", 3'540'096},         // 30 blocks, embeddings and a last normalisation are 134,515,008
      {"whisper_tiny_encoder", 8'208'384},  // with its table of positions
      {"minilm_l6", 22'565'376},            // without the layer on the first token, which sentences do not use
  };
  for (const auto& [name, parameters] : published) {
    CAPTURE(name);
    const ScratchFolder folder;
    const auto graph = generate(architecture_of(name), folder.path());
    if (!graph) continue;
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < graph->value_count(); ++i) {
      const compiler::Value& value = graph->value({i});
      // Statistics of a normalisation and tables that follow from sizes are nothing that is trained.
      const bool is_trained =
          std::ranges::none_of(std::array{".mean", ".variance", ".table"},
                               [&](std::string_view ending) { return value.name.ends_with(ending); });
      if (graph->is_constant({i}) && value.descriptor.shape.rank() != 0 && is_trained)
        count += schema::element_count(value.descriptor.shape);
    }
    CHECK(count == parameters);
  }
}

TEST_CASE("models: activations of the small architectures keep their size") {
  for (const std::string_view name :
       {"elementwise_4", "elementwise_16", "gru", "lstm", "mobilenet_v3_small", "smollm2_block"}) {
    CAPTURE(name);
    const ScratchFolder folder;
    auto graph = generate(architecture_of(name), folder.path());
    if (!graph) continue;
    const double size = output_size(std::move(*graph));
    CHECK(size > 0.01);
    CHECK(size < 10);
  }
}

TEST_CASE("models: small networks compute at every level and on a GPU what double precision says") {
  for (const std::string_view name : {"mobilenet_v3_small", "smollm2_block"}) {
    CAPTURE(name);
    const ScratchFolder folder;
    const auto graph = generate(architecture_of(name), folder.path());
    if (!graph) continue;
    std::vector<schema::OperandDescriptor> descriptors;
    for (const compiler::ValueId input : graph->inputs()) descriptors.push_back(graph->value(input).descriptor);
    models::Random random(7);
    const Inputs inputs = random_inputs(descriptors, random);
    const api::OracleTensor exact = api::evaluate_in_float64(*graph, inputs.views()).at(0);
    double greatest = 0;
    for (const double value : exact.values) greatest = std::max(greatest, std::fabs(value));

    const auto check = [&](const ContextOptions& context, unsigned level) {
      CAPTURE(context.device);
      CAPTURE(level);
      api::Session session(context);
      schema::Diagnostics diagnostics;
      compiler::Options options = options_of_tests();
      options.level = level;
      REQUIRE(session.compile(*graph, options, diagnostics));
      const std::vector<std::byte> bytes = session.run(inputs.views()).at(0);
      double largest = 0;
      for (std::size_t i = 0; i < exact.values.size(); ++i) {
        const double distance =
            std::fabs(schema::load_element(exact.descriptor.type, bytes.data(), i).as_double() - exact.values[i]);
        largest = std::max(largest, std::isnan(distance) ? INFINITY : distance);
      }
      CHECK(largest < 5e-6 * greatest);
    };
    for (unsigned level = 0; level <= 3; ++level) check({.device = "cpu"}, level);
    if (open_test_gpu()) check({.device = "gpu", .gpuValidation = true}, 2);
  }
}

// On processors that multiply bytes the one session computes on integers, the other one in float32.
TEST_CASE("models: a quantised network finds the same class as its float operators, for 98 of 100 images") {
  const ScratchFolder folder;
  const auto graph = generate(architecture_of("mobilenet_v2_int8"), folder.path());
  REQUIRE(graph);
  api::Session integers({}), floats({});
  schema::Diagnostics diagnostics;
  compiler::Options as_written = options_of_tests();
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
  if (!has_convolution_library()) return skip(no_convolution_library());
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

}  // namespace webnn::tests::generated_models_test
