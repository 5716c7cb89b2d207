// A call of oneDNN that is divided among threads gives the bits of the whole call.
#include <cstring>
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "runtime/threads/parallel.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::onednn_pieces_test {
namespace {

/// Numbers in [-1, 1) that look random, the same in each run.
std::vector<std::byte> noise(const Shape& shape, std::uint32_t seed) {
  std::vector<float> numbers(element_count(shape));
  for (float& number : numbers) {
    seed = seed * 1664525u + 1013904223u;
    number = float(double(seed >> 8) / double(1u << 23) - 1.0);
  }
  std::vector<std::byte> bytes(numbers.size() * sizeof(float));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

struct Call {
  std::string_view kernel, op;
  std::vector<Shape> shapes;
  NamedAttributes attributes{};
  bool constant_weights = true;
};

/// The result with `threads` threads.
std::vector<std::byte> compute(const Call& call, unsigned threads) {
  OptionalTensors inputs;
  for (const Shape& shape : call.shapes)
    inputs.push_back(TestTensor{{DataType::float32, shape}, noise(shape, std::uint32_t(inputs.size() + 1))});
  KernelSpec spec = operator_spec(call.op, inputs, call.attributes);
  const bool is_convolution = row(*find_operator(call.op)).family != Family::contraction;
  if (is_convolution) {
    spec.input_layouts.assign(spec.inputs.size(), Layout::row_major);
    spec.input_layouts[0] = Layout::channels_last;
    spec.output_layouts = {Layout::channels_last};
  }
  REQUIRE(takes(row(*api::find_kernel(call.kernel)), spec, {DeviceKind::cpu, runtime::detect_cpu_features()}));
  RunOptions options;
  options.may_allocate = true;
  if (call.constant_weights) options.constants = {1};
  const runtime::Team team(threads);
  return run_kernel(runtime::cpu_kernels().find(*api::find_kernel(call.kernel))->prepare, spec, inputs, options)[0]
      .data;
}

Call conv2d(const Shape& input, const Shape& filter, NamedAttributes attributes = {}) {
  return {"onednn.conv2d", "conv2d", {input, filter}, std::move(attributes)};
}

std::vector<Call> calls() {
  const NamedAttribute padded{"padding", IntegerList{1, 1, 1, 1}}, strided{"strides", IntegerList{2, 2}};
  std::vector<Call> calls = {
      conv2d({1, 3, 96, 96}, {32, 3, 3, 3}, {padded, strided}),
      conv2d({1, 3, 112, 112}, {64, 3, 7, 7}, {{"padding", IntegerList{3, 3, 3, 3}}, strided}),
      conv2d({1, 64, 28, 28}, {64, 64, 3, 3}, {padded}),
      conv2d({1, 128, 14, 14}, {128, 128, 3, 3}, {padded, strided}),
      conv2d({1, 256, 7, 7}, {128, 256, 3, 3}, {padded}),
      conv2d({1, 48, 31, 17}, {40, 48, 5, 3}, {{"padding", IntegerList{2, 0, 1, 1}}}),
      conv2d({1, 64, 40, 40}, {32, 64, 3, 3}, {{"padding", IntegerList{4, 4, 4, 4}}, {"dilations", IntegerList{3, 3}}}),
      conv2d({5, 32, 20, 20}, {32, 32, 3, 3}, {padded}),
      conv2d({3, 64, 30, 30}, {64, 32, 3, 3}, {padded, {"groups", 2}}),
      // Lines, which are divided along themselves, at one thread too if they are long.
      conv2d({1, 8, 1, 9001}, {16, 8, 1, 7}, {{"padding", IntegerList{0, 0, 3, 3}}}),
      conv2d({1, 8, 9001, 1}, {16, 8, 7, 1}, {{"padding", IntegerList{6, 0, 0, 0}}}),
      conv2d({2, 1, 1, 20'000}, {32, 1, 1, 10}, {{"strides", IntegerList{1, 5}}}),
      conv2d({1, 16, 700, 1}, {16, 16, 3, 1},
             {{"padding", IntegerList{25, 25, 0, 0}}, {"dilations", IntegerList{25, 1}}}),
      {"onednn.convTranspose2d", "convTranspose2d", {{4, 32, 14, 14}, {32, 32, 3, 3}}, {strided}},
  };
  for (const std::uint32_t rows : {96u, 100u, 128u, 333u})
    for (const auto& [inner, columns] : {std::pair(64u, 256u), std::pair(300u, 70u), std::pair(768u, 768u)})
      for (const bool constant : {true, false})
        calls.push_back({"onednn.matmul", "matmul", {{rows, inner}, {inner, columns}}, {}, constant});
  calls.push_back({"onednn.matmul", "matmul", {{12, 64, 64}, {12, 64, 96}}, {}, false});
  calls.push_back({"onednn.matmul", "matmul", {{12, 64, 64}, {12, 64, 96}}, {}, true});
  calls.push_back({"onednn.matmul", "matmul", {{6, 2, 80, 64}, {1, 2, 64, 96}}, {}, false});
  calls.push_back({"onednn.gemm", "gemm", {{200, 128}, {128, 192}, {192}}, {{"alpha", 0.5}, {"beta", 2.0}}});
  calls.push_back({"onednn.gemm", "gemm", {{128, 200}, {192, 128}}, {{"aTranspose", true}, {"bTranspose", true}}});
  return calls;
}

}  // namespace

TEST_CASE("onednn: the number of threads among which a call is divided changes no bit") {
  if (!includes(runtime::detect_cpu_features(), Feature::avx2)) return;
  for (const Call& call : calls()) {
    std::string text(call.kernel);
    for (const Shape& shape : call.shapes) {
      text += " of";
      for (const std::uint32_t size : shape) text += " " + std::to_string(size);
    }
    CAPTURE(text);
    const auto alone = compute(call, 1);
    for (const unsigned threads : {2u, 3u, 8u}) CHECK(compute(call, threads) == alone);
  }
}

}  // namespace webnn::tests::onednn_pieces_test
