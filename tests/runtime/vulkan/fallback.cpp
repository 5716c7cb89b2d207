// Programs for a GPU that lacks something: refused, or with the CPU in between where that is allowed.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <stdexcept>

#include "api/kernels.hpp"
#include "api/runner/compile_program.hpp"
#include "compiler/ir/parse.hpp"
#include "runtime/context.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/error.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/conformance.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/paths.hpp"
#include "tests/runtime/hand_made.hpp"

namespace webnn::tests::fallback_test {
namespace {

using runtime::Context;
using runtime::NamedTensor;

std::optional<Program> compiled(compiler::Graph graph, const runtime::Device& device, Diagnostics& diagnostics) {
  return api::compile_program(std::move(graph), {}, device, {}, diagnostics);
}

/// Floats through operators of the GPU, and a cast that needs 8-bit memory: y = tanh(int8(4 * x)) + x.
compiler::Graph mixed_graph() {
  Diagnostics diagnostics;
  auto graph = compiler::parse(R"(graph "mixed" {
  %x = input float32[6]
  %four = constant float32[] {4}
  %scaled = mul(%x, %four)
  %whole = cast(%scaled) {dataType=int8}
  %real = cast(%whole) {dataType=float32}
  %small = tanh(%real)
  %y = add(%small, %x)
  output "y" = %y
}
)",
                               {}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
  return std::move(graph.value());
}

runtime::TensorDescriptor vector_of_six() { return {{DataType::float32, Shape{6}}, true, true}; }

std::vector<float> expected(std::vector<float> x) {
  for (float& value : x) value += std::tanh(float(int(4 * value)));
  return x;
}

bool near(const std::vector<float>& a, const std::vector<float>& b) {
  return std::ranges::equal(a, b, [](float x, float y) { return std::abs(x - y) < 1e-6f; });
}

/// The outputs of a vector's graph on a context's device. Adds the operators that the CPU ran to `fallen`.
std::vector<std::vector<std::byte>> evaluate(Context& context, const compiler::ConformanceVector& vector,
                                             std::vector<std::string_view>& fallen) {
  Diagnostics diagnostics;
  std::optional<Program> program = compiled(vector.graph, context.device(), diagnostics);
  if (!program) throw std::runtime_error(diagnostics.all().front().message);
  for (const std::string_view op : fallen_back(*program)) fallen.push_back(op);
  std::vector<NamedTensor> inputs, outputs;
  for (const Binding& input : program->inputs) {
    inputs.push_back({input.name, context.create_tensor({input.descriptor, true, true})});
    const auto found = std::ranges::find(vector.inputs, input.name, &compiler::NamedTensor::name);
    if (found == vector.inputs.end()) throw std::runtime_error("no data for input " + input.name);
    context.write(inputs.back().tensor, found->tensor.data.view());
  }
  for (const Binding& output : program->outputs)
    outputs.push_back({output.name, context.create_tensor({output.descriptor, true, true})});
  const auto executable = context.load(std::move(*program));
  context.dispatch(executable, inputs, outputs);
  std::vector<std::vector<std::byte>> results;
  for (const NamedTensor& output : outputs) results.push_back(context.read(output.tensor).get());
  context.destroy(executable);
  return results;
}

}  // namespace

TEST_CASE("vulkan fallback: what a GPU lacks is refused unless the CPU may run it") {
  const auto device = open_test_gpu_with_fallback();
  if (!device) return;
  const KernelId cast = *api::find_kernel("vulkan.cast"), on_cpu = *api::find_kernel("reference.cast");
  const KernelSpec spec = operator_spec("cast", {counting(DataType::float32, {4})}, {{"dataType", DataType::int8}});
  CHECK_FALSE(device->can_run(cast, spec));
  CHECK_THROWS_AS(device->make_kernel(cast, spec, std::vector<std::span<const std::byte>>(1)), Error);
  CHECK(device->can_run(on_cpu, spec));
  CHECK(takes(row(on_cpu), spec, device->target()));

  const auto whole = open_test_gpu();
  CHECK_FALSE(takes(row(on_cpu), spec, whole->target()));
  Diagnostics diagnostics;
  const auto mixed = compiled(mixed_graph(), *device, diagnostics);
  REQUIRE(mixed);
  CHECK(fallen_back(*mixed) == std::vector<std::string_view>{"cast"});
  Context context(open_test_gpu(), 1);
  CHECK_THROWS_WITH(context.load(*mixed), doctest::Contains("the program needs 'cpu_fallback"));
}

TEST_CASE("vulkan fallback: a program that needs no CPU does not ask for one") {
  const auto device = open_test_gpu_with_fallback();
  if (!device) return;
  Diagnostics diagnostics;
  auto graph = compiler::parse("graph \"g\" {\n  %x = input float32[2]\n  %y = sin(%x)\n  output \"y\" = %y\n}\n", {},
                               diagnostics);
  const auto program = compiled(std::move(graph.value()), *device, diagnostics);
  REQUIRE(program);
  Target without_fallback = device->target();
  without_fallback.features = without(without_fallback.features, Feature::cpu_fallback);
  CHECK(program->target == without_fallback);
}

TEST_CASE("vulkan fallback: GPU and CPU take turns in a program, whether the host sees the GPU's memory or not") {
  for (const bool staging : {false, true}) {
    CAPTURE(staging);
    auto opened = open_test_gpu_with_fallback(staging);
    if (!opened) return;
    Context context(std::move(opened), 1);
    Diagnostics diagnostics;
    const auto graph = context.load(compiled(mixed_graph(), context.device(), diagnostics).value());
    std::vector<NamedTensor> inputs, outputs;
    std::vector<std::vector<float>> values;
    for (int i = 0; i < 5; ++i) {
      inputs.push_back({"x", context.create_tensor(vector_of_six())});
      outputs.push_back({"y", context.create_tensor(vector_of_six())});
      values.push_back({float(i), -2.5f, 0.3f, float(-i) / 8, 0.5f, 30.0f});
      context.write(inputs.back().tensor, bytes_of(values.back()));
      context.dispatch(graph, {&inputs.back(), 1}, {&outputs.back(), 1});
    }
    for (int i = 0; i < 5; ++i)
      CHECK(near(floats_of(context.read(outputs[std::size_t(i)].tensor).get()), expected(values[std::size_t(i)])));

    std::vector<runtime::StepTime> times(context.executable(graph).program().steps.size());
    context.compute_timed(context.bind(graph, {inputs.data(), 1}, {outputs.data(), 1}), times);
    for (std::size_t i = 0; i < times.size(); ++i) {
      CHECK(times[i].begin <= times[i].end);
      if (i != 0) CHECK(times[i - 1].end <= times[i].begin);
    }
    CHECK(near(floats_of(context.read(outputs[0].tensor).get()), expected(values[0])));
  }
}

TEST_CASE("vulkan fallback: operators give on a GPU without 8-bit memory what they should") {
  auto device = open_test_gpu_with_fallback();
  if (!device) return;
  Context context(std::move(device), 1);
  std::vector<std::filesystem::path> files;
  for (const char* op : {"cast", "gather", "greater", "quantizeLinear", "reduceMax"})
    files.push_back(source_dir() / "tests" / "operators" / (std::string(op) + ".json"));
  std::vector<std::string_view> fallen;
  check_vectors(files, [&](const compiler::ConformanceVector& vector) { return evaluate(context, vector, fallen); });
  for (const char* op : {"cast", "gather", "greater", "quantizeLinear"})
    CHECK_MESSAGE(std::ranges::find(fallen, op) != fallen.end(), op);
}

TEST_CASE("vulkan fallback: --fallback op names the operators that the CPU runs") {
  if (!open_test_gpu()) return;
  const ScratchFolder scratch;
  const std::string model = (source_dir() / "models" / "digits" / "digits.json").string();
  const std::string input = "image=@" + (source_dir() / "models" / "digits" / "digits.input.image.npy").string();
  const std::string program = (scratch.path() / "digits.wnnc").string();
  const auto run = [&](const std::string& what, std::vector<std::string> options) {
    std::vector<std::string> arguments{"run", what, "--device", "gpu", "--input", input, "--top", "1"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return webnn_cli(arguments);
  };
  const CommandResult plain = run(model, {}), allowed = run(model, {"--fallback", "op"});
  CHECK(plain.code == 0);
  CHECK(allowed.out == plain.out);
  CHECK_FALSE(contains(allowed.err, "note: on the CPU"));
  // The kernels of a provider of the CPU that is asked for are an extreme case of it.
  const CommandResult on_cpu = run(model, {"--fallback", "op", "--kernels", "reference"});
  CHECK(on_cpu.code == 0);
  CHECK(on_cpu.out == plain.out);
  CHECK(contains(on_cpu.err, "note: on the CPU, because the GPU has no kernel for them: "));
  CHECK(contains(on_cpu.err, "conv2d"));

  CHECK(webnn_cli({"compile", model, "--device", "gpu", "--fallback", "op", "--kernels", "reference", "-o", program})
            .code == 0);
  CHECK(run(program, {"--fallback", "op"}).out == plain.out);
  const CommandResult refused = run(program, {});
  CHECK(refused.code == int(ExitCode::program));
  CHECK(contains(refused.err, "error[WNN0910]: steps of the program run on the CPU"));
  CHECK(contains(refused.err, "--fallback op"));
  CHECK(run(model, {"--fallback", "graph"}).code == int(ExitCode::usage));
}

}  // namespace webnn::tests::fallback_test
