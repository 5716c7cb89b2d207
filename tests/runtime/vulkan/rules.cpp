// The rules of real devices: they may be late or lost, must not be kept busy for too long, and promise more than Vulkan
// demands only if they are asked.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <limits>
#include <random>
#include <string>

#include "api/kernels.hpp"
#include "api/webnn.hpp"
#include "runtime/context.hpp"
#include "runtime/vulkan/kernels/spirv.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/error.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"
#include "tests/runtime/hand_made.hpp"

namespace webnn::tests::device_rules_test {
namespace {

using runtime::Context;
using runtime::TensorId;
using namespace runtime::vulkan;

runtime::TensorDescriptor vector_of(std::uint32_t size) { return {{DataType::float32, Shape{size}}, true, true}; }

std::uint64_t submissions(runtime::Device& device) { return dynamic_cast<VulkanDevice&>(device).queue().submitted(); }

TEST_CASE("vulkan rules: a device that ends nothing in time is lost, and its context says so once") {
  auto device = open_test_gpu(runtime::GpuOptions{.wait_limit = std::chrono::nanoseconds(1)});
  if (!device) return;
  Context context(std::move(device), 1);
  std::vector<std::string> reasons;
  context.when_lost([&](const std::string& reason) { reasons.push_back(reason); });
  constexpr std::uint32_t size = 1u << 20;  // takes longer than the limit
  const TensorId x = context.create_tensor(vector_of(size)), y = context.create_tensor(vector_of(size));
  const auto graph = context.load(small_gpu_program(size));
  CHECK_THROWS_WITH_AS(
      [&] {
        for (int run = 0; run < 100; ++run) {
          context.dispatch(graph, {{{"x", x}}}, {{{"y", y}}});
          context.read(y).get();
        }
      }(),
      doctest::Contains("the GPU has ended no work for"), Error);
  CHECK(reasons.size() == 1);
  CHECK_THROWS_WITH_AS(context.create_tensor(vector_of(1)), doctest::Contains("the context's device is lost"), Error);
  CHECK_THROWS_AS(context.write(x, bytes_of(std::vector<float>(size))), Error);
  context.destroy(x);
  CHECK(context.destroy());
}

TEST_CASE("vulkan rules: a program with much work is submitted in parts, with the same results") {
  std::vector<float> results[2];
  std::uint64_t parts[2] = {};
  for (const int cut : {0, 1}) {
    auto device = open_test_gpu(runtime::GpuOptions{.flops_at_once = cut ? 1u : 0u});
    if (!device) return;
    runtime::Device& gpu = *device;
    Context context(std::move(device), 1);
    const auto graph = context.load(small_gpu_program(5));
    const TensorId x = context.create_tensor(vector_of(5)), y = context.create_tensor(vector_of(5));
    const std::uint64_t before = submissions(gpu);
    for (const float first : {1.0f, -2.0f}) {
      context.write(x, bytes_of(std::vector<float>{first, 2, -3, 4, 5}));
      context.dispatch(graph, {{{"x", x}}}, {{{"y", y}}});
      const auto values = floats_of(context.read(y).get());
      results[cut].insert(results[cut].end(), values.begin(), values.end());
    }
    parts[cut] = submissions(gpu) - before;
  }
  CHECK(results[0] == results[1]);
  CHECK(parts[0] == 2);
  CHECK(parts[1] == 2 * small_program(5).steps.size());
}

TEST_CASE("vulkan rules: a dispatch with much work is submitted in slices of its workgroups") {
  constexpr std::uint32_t size = 100'003;
  std::vector<float> numbers(size);
  for (std::uint32_t i = 0; i < size; ++i) numbers[i] = float(i % 1001) - 500;
  std::vector<float> results[2];
  std::uint64_t parts[2] = {};
  for (const int cut : {0, 1}) {
    auto device = open_test_gpu(runtime::GpuOptions{.flops_at_once = cut ? size / 7 : 0u});
    if (!device) return;
    runtime::Device& gpu = *device;
    Context context(std::move(device), 1);
    const auto graph = context.load(small_gpu_program(size));
    const TensorId x = context.create_tensor(vector_of(size)), y = context.create_tensor(vector_of(size));
    context.write(x, bytes_of(numbers));
    const std::uint64_t before = submissions(gpu);
    context.dispatch(graph, {{{"x", x}}}, {{{"y", y}}});
    results[cut] = floats_of(context.read(y).get());
    parts[cut] = submissions(gpu) - before;
  }
  CHECK(results[0] == results[1]);
  CHECK(parts[1] >= parts[0] + 7);
}

TEST_CASE("vulkan rules: timestamps overflow after their valid bits") {
  constexpr std::uint64_t limit = std::uint64_t{1} << 36;
  CHECK(ticks_between(limit - 5, 7, 36) == 12);
  CHECK(ticks_between(limit - 5, limit - 5, 36) == 0);
  CHECK(ticks_between(~std::uint64_t{0}, 2, 64) == 3);
  CHECK(ticks_between((std::uint64_t{9} << 36) + 3, 5, 36) == 2);  // what lies above is not valid
}

TEST_CASE("vulkan rules: the best device is the largest of the best kind") {
  runtime::GpuInfo small, large, integrated, old;
  small.kind = large.kind = old.kind = "discrete";
  integrated.kind = "integrated";
  small.memory_bytes = 4, large.memory_bytes = 8, integrated.memory_bytes = 64, old.memory_bytes = 16;
  old.missing = {"Vulkan 1.2"};
  const std::vector<runtime::GpuInfo> gpus{integrated, small, old, large};
  CHECK(runtime::best_gpu(gpus) == &gpus[3]);
  CHECK(runtime::best_gpu(std::span(gpus).first(1)) == gpus.data());
  CHECK(runtime::best_gpu(std::span(gpus).subspan(2, 1)) == nullptr);
}

TEST_CASE("vulkan rules: a device is opened by its UUID, however it is written") {
  if (!open_test_gpu()) return;
  const std::string uuid = runtime::list_gpus().at(0).uuid;
  REQUIRE(uuid.size() == 32);
  std::string written;
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) written += '-';
    written += char(std::toupper(uuid[i]));
  }
  for (const std::string& name : {uuid, written}) CHECK_NOTHROW(webnn::Context({.device = "gpu:" + name}));
  std::string other = uuid;
  other[0] = other[0] == '0' ? '1' : '0';
  CHECK_THROWS_WITH_AS(webnn::Context({.device = "gpu:" + other}), doctest::Contains("there is no gpu:"), Error);
  CHECK_THROWS_WITH_AS(webnn::Context({.device = "gpu:" + uuid.substr(1)}), doctest::Contains("there is no device"),
                       Error);
}

// That another one has an effect is seen below, where files make division inexact.
TEST_CASE("vulkan rules: a file replaces the built-in shader of its name, if it is one") {
  const ScratchFolder folder;
  const auto write = [&](const ShaderCode& shader, std::size_t bytes) {
    std::ofstream(folder.path() / "unary_real.spv", std::ios::binary)
        .write(reinterpret_cast<const char*>(shader.words.data()), std::streamsize(bytes));
  };
  const auto run = [&] {
    Context context(open_test_gpu(runtime::GpuOptions{.shader_folder = folder.path()}), 1);
    const TensorId x = context.create_tensor(vector_of(4)), y = context.create_tensor(vector_of(4));
    const auto graph = context.load(small_gpu_program());
    context.write(x, bytes_of({1, 2, 3, 4}));
    context.dispatch(graph, {{{"x", x}}}, {{{"y", y}}});
    return floats_of(context.read(y).get());
  };
  if (!open_test_gpu()) return;
  const std::vector<float> usual = run();  // nothing is there
  const ShaderCode shader = shaders::unary_real();
  write(shader, shader.words.size_bytes());
  CHECK(run() == usual);
  write(shader, 7);
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("is no SPIR-V"), Error);
}

/// The largest error of an operator on these numbers in units in the last place, on a driver that divides inexactly.
double worst_error(const std::filesystem::path& shaders, bool corrects, std::string_view op,
                   const std::vector<float>& a, const std::vector<float>& b, double (*exact)(double, double)) {
  const auto device = open_test_gpu(runtime::GpuOptions{.shader_folder = shaders, .inexact_division = corrects});
  const OperandDescriptor descriptor{DataType::float32, Shape{std::uint32_t(a.size())}};
  const bool is_binary = row(*find_operator(op)).family == Family::binary;
  KernelSpec spec;
  spec.op = *find_operator(op);
  spec.inputs = {descriptor};
  OptionalTensors inputs{TestTensor{descriptor, bytes_of(a)}};
  if (is_binary) {
    spec.inputs.push_back(descriptor);
    inputs.push_back(TestTensor{descriptor, bytes_of(b)});
  }
  spec.outputs = {descriptor};
  const auto kernel = *api::find_kernel(is_binary ? "vulkan.binary" : "vulkan.unary");
  const std::vector<float> results = floats_of(run_on_device(*device, kernel, spec, inputs)[0].data);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double wanted = exact(a[i], b[i]), ulp = std::ldexp(1.0, std::ilogb(float(wanted)) - 23);
    worst = std::max(worst, std::abs(double(results[i]) - wanted) / ulp);
  }
  return worst;
}

TEST_CASE("vulkan rules: quantizeLinear rounds what lies halfway, even where quotients are inexact") {
  if (!open_test_gpu()) return;
  const ScratchFolder folder;
  const ShaderCode shader = shaders::inexact_quantization();
  std::ofstream(folder.path() / "quantization.spv", std::ios::binary)
      .write(reinterpret_cast<const char*>(shader.words.data()), std::streamsize(shader.words.size_bytes()));
  const OperandDescriptor x{DataType::float32, Shape{100}}, scale{DataType::float32, Shape{1}},
      zero{DataType::uint8, Shape{1}}, y{DataType::uint8, Shape{100}};
  KernelSpec spec;
  spec.op = "quantizeLinear"_op;
  spec.inputs = {x, scale, zero};
  spec.outputs = {y};
  std::vector<float> numbers;
  for (int i = 0; i < 100; ++i) numbers.push_back((float(i) + 0.5f) * 3);
  const OptionalTensors inputs{TestTensor{x, bytes_of(numbers)}, TestTensor{scale, bytes_of(std::vector<float>{3})},
                               TestTensor{zero, {std::byte{0}}}};
  for (const bool corrects : {false, true}) {
    const auto device =
        open_test_gpu(runtime::GpuOptions{.shader_folder = folder.path(), .inexact_division = corrects});
    const auto result = run_on_device(*device, *api::find_kernel("vulkan.quantizeLinear"), spec, inputs)[0];
    int wrong = 0;
    for (int i = 0; i < 100; ++i) wrong += std::to_integer<int>(result.data[std::size_t(i)]) != (i + 1) / 2 * 2;
    CHECK((wrong == 0) == corrects);
  }
}

TEST_CASE("vulkan rules: quotients and square roots are as exact as WebNN asks, even where Vulkan's are not") {
  if (!open_test_gpu()) return;
  const ScratchFolder folder;
  for (const auto& [name, shader] :
       {std::pair{"unary_real", shaders::inexact_unary()}, std::pair{"binary_real", shaders::inexact_binary()}})
    std::ofstream(folder.path() / (std::string(name) + ".spv"), std::ios::binary)
        .write(reinterpret_cast<const char*>(shader.words.data()), std::streamsize(shader.words.size_bytes()));
  std::mt19937 engine(5);
  std::vector<float> a, b, positive;
  for (int i = 0; i < 20'000; ++i) {
    const auto number = [&] {
      return std::ldexp(1.0f + float(engine() >> 9) * 0x1p-23f, int(engine() % 80) - 40) *
             (engine() % 2 ? 1.0f : -1.0f);
    };
    a.push_back(number());
    b.push_back(number());
    positive.push_back(std::abs(a.back()));
  }
  const auto quotient = [](double x, double y) { return x / y; };
  const auto reciprocal = [](double x, double) { return 1 / x; };
  const auto root = [](double x, double) { return std::sqrt(x); };
  for (const bool corrects : {false, true}) {
    const auto is_as_expected = [&](double error) { return corrects ? error <= 1.0 : error >= 1.5; };
    CHECK(is_as_expected(worst_error(folder.path(), corrects, "div", a, b, quotient)));
    CHECK(is_as_expected(worst_error(folder.path(), corrects, "reciprocal", a, b, reciprocal)));
    CHECK(is_as_expected(worst_error(folder.path(), corrects, "sqrt", positive, b, root)));
  }
  // What has no quotient worth correcting stays what it is.
  constexpr float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> x{0, -0.0f, inf, 1, -1, 1e38f, 3e-39f, inf}, y{1, 2, 2, 0, 0, 1e-5f, 1, inf};
  const auto device = open_test_gpu(runtime::GpuOptions{.inexact_division = true});
  KernelSpec spec;
  const OperandDescriptor descriptor{DataType::float32, Shape{8}};
  spec.op = "div"_op;
  spec.inputs = {descriptor, descriptor};
  spec.outputs = {descriptor};
  const std::vector<float> results =
      floats_of(run_on_device(*device, *api::find_kernel("vulkan.binary"), spec,
                              {TestTensor{descriptor, bytes_of(x)}, TestTensor{descriptor, bytes_of(y)}})[0]
                    .data);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) CHECK(results[i] == x[i] / y[i]);
  CHECK(std::isnan(results[7]));
}

TEST_CASE("vulkan rules: large tiles are for devices with large workgroups, all others run everywhere") {
  const auto usual = open_test_gpu();
  if (!usual) return;
  const auto least = open_test_gpu(runtime::GpuOptions{.least_groups = true});
  const OperandDescriptor square{DataType::float32, Shape{512, 512}};
  KernelSpec spec;
  spec.op = "matmul"_op;
  spec.inputs = {square, square};
  spec.outputs = {square};
  int refused = 0;
  for (const KernelRow* kernel : runtime::gpu_kernel_rows()) {
    if (!takes(*kernel, spec, usual->target())) continue;
    CAPTURE(kernel->name);
    CHECK(usual->can_run({kernel}, spec));
    const bool is_large = kernel->name == "vulkan.matmul.tiled_128" || kernel->name == "vulkan.matmul.tiled_128_wide" ||
                          kernel->name == "vulkan.matmul.tiled_large_lanes";
    CHECK(least->can_run({kernel}, spec) == !is_large);
    refused += is_large;
  }
  CHECK(refused == 3);
}

TEST_CASE("vulkan rules: shaders that ask for exact infinities and subnormals are valid") {
  if (!has_program("spirv-val")) return skip("spirv-val is not installed");
  const ScratchFolder folder;
  for (const ShaderCode& shader : {shaders::unary_real(), shaders::tiled_matmul(), shaders::copy()}) {
    const FloatMode modes[] = {keeps_special_numbers, keeps_subnormals(16), keeps_subnormals(32), keeps_subnormals(64)};
    const std::vector<std::uint32_t> words(shader.words.begin(), shader.words.end());
    CHECK(with_float_modes(words, {}) == words);
    const std::vector<std::uint32_t> asking = with_float_modes(words, modes);
    CHECK(asking.size() == words.size() + 2 * 2 + 4 * 4);
    const auto file = folder.path() / "shader.spv";
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(asking.data()), std::streamsize(asking.size() * sizeof asking[0]));
    const ShellResult check =
        run_shell("spirv-val --target-env vulkan1.2 --scalar-block-layout " + shell_word(file) + " 2>&1");
    CHECK_MESSAGE(check.status == 0, check.output);
  }
}

}  // namespace
}  // namespace webnn::tests::device_rules_test
