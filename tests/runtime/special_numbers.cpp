// NaN and infinities through kernels that compute sums of products, and through what is applied to their results: a
// library's limits (relu, clamp) may forget a NaN, its functions may be made for ordinary numbers only.
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>

#include "api/kernels.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "runtime/threads/float_mode.hpp"
#include "runtime/threads/parallel.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/random/random_call.hpp"
#include "tests/harness/random/row_call.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::special_numbers_test {
namespace {

std::vector<float> floats(const TestTensor& tensor) {
  std::vector<float> values(tensor.data.size() / sizeof(float));
  std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return values;
}

/// Puts NaN and infinities at a few places.
void poison(TestTensor& tensor, std::mt19937& engine) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float specials[] = {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity, -0.0f,
                                std::numeric_limits<float>::denorm_min()};
  const std::size_t count = tensor.data.size() / sizeof(float);
  for (std::size_t i = 0; i < 1 + count / 400; ++i) {
    const float value = specials[engine() % std::size(specials)];
    std::memcpy(tensor.data.data() + engine() % count * sizeof value, &value, sizeof value);
  }
}

enum class Kind { number, infinity, negative_infinity, not_a_number };
Kind kind_of(float value) {
  if (std::isnan(value)) return Kind::not_a_number;
  if (std::isinf(value)) return value > 0 ? Kind::infinity : Kind::negative_infinity;
  return Kind::number;
}

/// The first element that differs in kind, or as a number by more than rounding; empty: none does. A transform of the
/// input spreads a NaN over a tile of the output: then an element may be a NaN that is none.
std::string difference(const std::vector<float>& actual, const std::vector<float>& expected, bool spreads) {
  REQUIRE(actual.size() == expected.size());
  float peak = 1;
  for (const float value : expected)
    if (std::isfinite(value)) peak = std::max(peak, std::abs(value));
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (spreads && std::isnan(actual[i])) continue;
    if (kind_of(actual[i]) != kind_of(expected[i]) ||
        (kind_of(actual[i]) == Kind::number && std::abs(actual[i] - expected[i]) > 1e-4f * peak))
      return "element " + std::to_string(i) + " is " + std::to_string(actual[i]) + ", expected " +
             std::to_string(expected[i]);
  }
  return {};
}

void append_activation(KernelSpec& spec, std::string_view name) {
  const OperatorId op = *find_any_operator(name);
  Attributes attributes(row(op).attributes.size());
  if (name == "clamp") {
    attributes[0].emplace(Number(-0.5));
    attributes[1].emplace(Number(1.5));
  }
  append_post_op(spec, op, std::move(attributes), {running_result(spec)});
}

/// Runs a row of the CPU on a call whose activations are row-major.
std::vector<float> run_row(const KernelRow& kernel, RandomCall call, unsigned threads) {
  call.spec = in_required_layouts(std::move(call.spec), kernel.layouts);
  bring_into_layouts(call);
  RunOptions options;
  options.may_allocate = true;
  options.overreads = kernel.overreads;
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    if (call.inputs[i] && ((call.spec.constants >> i) & 1u)) options.constants.push_back(i);
  const runtime::ListedCpuKernel* const entry = runtime::cpu_kernels().find({&kernel});
  for (const std::size_t i : options.constants) {
    if (!((kernel.packs >> i) & 1u)) continue;
    const auto packed = entry->pack(call.spec, i, call.inputs[i]->data);
    if (!packed) continue;
    call.inputs[i]->data.assign(packed->bytes.view().begin(), packed->bytes.view().end());
    call.spec.input_forms.resize(call.inputs.size());
    call.spec.input_forms[i] = packed->form;
    call.spec.input_layouts[i] = Layout::private_form;
  }
  const runtime::Team team(threads);
  const TestTensor result = run_kernel(entry->prepare, call.spec, call.inputs, options)[0];
  return floats(in_layout(result, call.spec.output_layouts[0], Layout::row_major));
}

}  // namespace

TEST_CASE("special numbers: every row of products and convolutions keeps NaN and infinities, through every post-op") {
  if (under_sanitizer) return skip("a sanitizer makes thousands of calls take too long");
  const runtime::CpuDevice device;
  const Target& target = device.target();
  std::mt19937 engine(5);
  for (const KernelRow& kernel : api::kernel_table()) {
    const std::string name(kernel.name);
    const bool is_product =
        kernel.op == "conv2d" || kernel.op == "convTranspose2d" || kernel.op == "gemm" || kernel.op == "matmul";
    if (!is_product || kernel.device != DeviceKind::cpu || !kernel.types.contains(DataType::float32) ||
        kernel.provider() == "reference")
      continue;
    if (!includes(target.features, kernel.features)) {
      skip_part(name, machine_lacks(kernel.features));
      continue;
    }
    CAPTURE(name);
    std::size_t taken = 0;
    for (const char* const post_op : {"", "relu", "clamp", "hardSigmoid", "leakyRelu", "hardSwish", "abs", "neg",
                                      "linear", "sigmoid", "tanh", "@silu", "gelu", "elu", "softplus", "softsign"}) {
      CAPTURE(post_op);
      std::size_t of_op = 0;
      for (int attempt = 0; attempt < 1000 && of_op < 4; ++attempt) {
        RandomCall call = random_call(*find_operator(kernel.op), DataType::float32, engine);
        call.spec.constants = kernel.constants | (engine() % 2 ? kernel.packs : 0);
        if (post_op[0] != '\0') append_activation(call.spec, post_op);
        if (!takes(kernel, call.spec, target)) {
          if (attempt == 200 && of_op == 0) break;  // not at all
          continue;
        }
        ++of_op;
        poison(*call.inputs[engine() % 4 == 0 ? 1 : 0], engine);
        const std::vector<float> expected = floats(run_steps(call.spec, call.inputs).back());
        const bool spreads = name.find("winograd") != name.npos;
        CHECK(difference(run_row(kernel, call, 1), expected, spreads) == "");
        CHECK(difference(run_row(kernel, call, 3), expected, spreads) == "");
      }
      taken += of_op;
    }
    CHECK(taken >= 4);
  }
}

TEST_CASE("special numbers: every other row on float32 gives NaN and infinities where the reference does") {
  const runtime::CpuDevice device;
  for (const KernelRow& kernel : api::kernel_table()) {
    if (kernel.device != DeviceKind::cpu || !kernel.types.contains(DataType::float32) ||
        kernel.provider() == "reference")
      continue;
    if (!includes(device.target().features, kernel.features)) {
      skip_part(kernel.name, "this machine lacks its features");
      continue;
    }
    const std::string name(kernel.name);
    CAPTURE(name);
    for (std::uint16_t index = 0; index < all_operators().size(); ++index) {
      const OperatorId op{index};
      const std::string op_name(row(op).name);
      if (!is_for(kernel, row(op)) || !row(op).operands[0].types.contains(DataType::float32)) continue;
      CAPTURE(op_name);
      std::seed_seq seed(op_name.begin(), op_name.end());
      std::mt19937 engine(seed);  // calls do not depend on what other operators there are
      for (int attempt = 0, taken = 0; attempt < 300 && taken < 6; ++attempt) {
        RandomCall call = random_call(op, DataType::float32, engine);
        call.spec.constants = kernel.constants;
        if (!takes(kernel, call.spec, device.target()) || call.spec.outputs.size() != 1) continue;
        ++taken;
        for (std::size_t i = 0; i < call.inputs.size(); ++i)
          if (call.inputs[i] && call.spec.inputs[i]->type == DataType::float32 && (i == 0 || engine() % 4 == 0))
            poison(*call.inputs[i], engine);
        const TestTensor expected = run_steps(call.spec, call.inputs).back();
        if (expected.descriptor.type != DataType::float32) continue;
        const bool spreads = name.find("winograd") != name.npos;
        CHECK(difference(run_row(kernel, call, 1), floats(expected), spreads) == "");
      }
    }
  }
}

TEST_CASE("special numbers: a sum that overflows on the way is with limits what it is without") {
  const runtime::CpuDevice device;
  for (const KernelRow& kernel : api::kernel_table()) {
    if (kernel.op != "matmul" || kernel.device != DeviceKind::cpu || kernel.provider() == "reference" ||
        !kernel.types.contains(DataType::float32) || !includes(device.target().features, kernel.features))
      continue;
    const std::string name(kernel.name);
    CAPTURE(name);
    RandomCall call;
    const Numbers a(std::size_t(16 * 4), Number(3e38));
    Numbers b(std::size_t(4 * 32));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = Number(i / 32 < 2 ? 2.0 : -2.0);  // infinity - infinity
    call.inputs = {tensor(DataType::float32, {16, 4}, a), tensor(DataType::float32, {4, 32}, b)};
    call.spec = operator_spec("matmul", call.inputs);
    call.spec.constants = kernel.constants;
    if (!takes(kernel, call.spec, device.target())) continue;
    const std::vector<float> without = run_row(kernel, call, 1);
    append_activation(call.spec, "relu");
    if (takes(kernel, call.spec, device.target()))
      CHECK(std::ranges::equal(run_row(kernel, call, 1), without, {}, kind_of, kind_of));
  }
}

TEST_CASE("special numbers: products give zeros instead of subnormal numbers, other operators keep them") {
  const runtime::CpuDevice device;
  const runtime::FloatMode before = runtime::float_mode();
  for (const KernelRow& kernel : api::kernel_table()) {
    if (kernel.device != DeviceKind::cpu || kernel.provider() != "simd" || !kernel.types.contains(DataType::float32) ||
        !includes(device.target().features, kernel.features))
      continue;
    const std::string name(kernel.name);
    CAPTURE(name);
    const auto run = [&](std::string_view op, double a, double b, unsigned threads) {
      RandomCall call;
      call.inputs = {tensor(DataType::float32, {64, 64}, Numbers(64 * 64, Number(a))),
                     tensor(DataType::float32, {64, 64}, Numbers(64 * 64, Number(b)))};
      call.spec = operator_spec(op, call.inputs);
      call.spec.constants = kernel.constants;
      return takes(kernel, call.spec, device.target()) ? run_row(kernel, call, threads) : std::vector<float>();
    };
    for (const unsigned threads : {1u, 3u}) {
      if (kernel.op == "matmul") {
        for (const float sum : run("matmul", 1e-30, 1e-12, threads))
          CHECK(sum == (runtime::are_subnormals_slow() ? 0 : doctest::Approx(64e-42f).epsilon(1e-3)));
        // Each product is subnormal, their sum is not.
        for (const float sum : run("matmul", 1e-30, 1e-9, threads))
          CHECK(std::abs(sum - 64e-39) <= 64.0 * std::numeric_limits<float>::min());
        // Subnormal operands are what they are.
        for (const float sum : run("matmul", 1e-40, 1e10, threads))
          CHECK(sum == doctest::Approx(64e-30f).epsilon(1e-3).scale(0));
      } else if (kernel.op.empty() && is_for(kernel, row("mul"_op))) {
        for (const float product : run("mul", 1e-30, 1e-12, threads)) CHECK(product == 1e-30f * 1e-12f);
      }
    }
  }
  CHECK(runtime::float_mode() == before);
}

TEST_CASE("special numbers: the hyperbolic tangent and the error function never exceed 1") {
  const runtime::CpuDevice device;
  std::vector<float> x;
  const auto from = std::bit_cast<std::uint32_t>(2.5f), to = std::bit_cast<std::uint32_t>(16.0f);
  for (std::uint32_t bits = from; bits < to; bits += 3) x.push_back(std::bit_cast<float>(bits));
  x.insert(x.end(), {9.5f, 100.0f, -100.0f, std::numeric_limits<float>::max(), -1e30f});
  TestTensor points{{DataType::float32, Shape{std::uint32_t(x.size())}},
                    std::vector<std::byte>(x.size() * sizeof(float))};
  std::memcpy(points.data.data(), x.data(), points.data.size());
  for (const char* const op : {"tanh", "erf", "sigmoid"})
    for (const KernelRow& kernel : api::kernel_table()) {
      if (kernel.device != DeviceKind::cpu || !kernel.op.empty() || kernel.family != Family::unary ||
          !kernel.types.contains(DataType::float32) || !includes(device.target().features, kernel.features))
        continue;
      const std::string name(kernel.name);
      CAPTURE(name);
      const std::string op_name(op);
      CAPTURE(op_name);
      const KernelSpec spec = operator_spec(op, {points});
      if (!takes(kernel, spec, device.target())) continue;
      const auto results = floats(run_kernel(runtime::cpu_kernels().find({&kernel})->prepare, spec, {points}, {})[0]);
      CHECK(std::ranges::none_of(results, [](float value) { return !(std::abs(value) <= 1); }));
    }
}

// A result that underflows takes the processor about a hundred times as long, and a mask makes many.
TEST_CASE("special numbers: exponentials of what a mask hides do not underflow") {
  const runtime::CpuDevice device;
  Numbers hidden(64);
  for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] = Number(i % 2 ? -1e4 : 0.5);
  hidden[1] = Number(-double(std::numeric_limits<float>::max()));
  hidden[3] = Number(-infinity);
  Numbers both = hidden;
  for (std::size_t i = 5; i < both.size(); i += 4) both[i] = Number(1e4);
  const TestTensor rows = tensor(DataType::float32, {2, 32}, hidden);
  const TestTensor key = tensor(DataType::float32, {32, 4}, Numbers(128, Number(0.25)));
  const TestTensor query = tensor(DataType::float32, {2, 4}, Numbers(8, Number(0.5)));
  struct Case {
    std::string_view op;
    OptionalTensors inputs;
    NamedAttributes attributes;
  };
  const IntegerList as_written{0, 1};
  const Case cases[] = {{"exp", {rows}, {}},
                        {"sigmoid", {tensor(DataType::float32, {2, 32}, both)}, {}},
                        {"softplus", {tensor(DataType::float32, {2, 32}, both)}, {}},
                        {"softmax", {rows}, {{"axis", 1}}},
                        {"softmax", {rows}, {{"axis", 0}}},
                        {"@attention",
                         {query, key, key, rows},
                         {{"scale", 1.0},
                          {"queryPermutation", as_written},
                          {"keyPermutation", as_written},
                          {"valuePermutation", as_written},
                          {"outputPermutation", as_written}}}};
  int ran = 0;
  for (const Case& each : cases) {
    CAPTURE(each.op);
    const KernelSpec spec = operator_spec(each.op, each.inputs, each.attributes);
    for (const KernelRow& kernel : api::kernel_table()) {
      const std::string name(kernel.name);
      if (!name.starts_with("simd.") || !takes(kernel, spec, device.target())) continue;
      CAPTURE(name);
      std::feclearexcept(FE_ALL_EXCEPT);
      run_kernel(runtime::cpu_kernels().find({&kernel})->prepare, spec, each.inputs, {});
      CHECK(std::fetestexcept(FE_UNDERFLOW) == 0);
      ++ran;
    }
  }
  if (ran == 0) skip(machine_lacks(Feature::avx2));
}

}  // namespace webnn::tests::special_numbers_test
