// Products with weights of few bits, through compiler and runtime: they compute what the float operators do, and the
// program keeps the few bits.
#include <algorithm>
#include <doctest/doctest.h>
#include <random>

#include "api/oracle/evaluate.hpp"
#include "api/runner/session.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "tests/harness/evaluate_graph.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/random/random_graph.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::block_weights_test {
namespace {

std::string random_bytes(std::size_t count, std::mt19937& engine) {
  std::string text = "0x";
  for (std::size_t i = 0; i < 2 * count; ++i) text += "0123456789abcdef"[engine() % 16];
  return text;
}

/// What the program computes is near what the graph's operators do; of its steps, `products` read integers. Gives the
/// bytes of the program's constants.
std::size_t check_products(const std::string& lines, std::ptrdiff_t products, double tolerance,
                           const ContextOptions& context = {}) {
  CAPTURE(lines);
  const compiler::Graph graph = graph_of(lines + "\n");
  std::mt19937 engine(7);
  TestTensors inputs;
  for (const auto& [name, input] : random_inputs(graph, engine)) {
    Numbers elements(element_count(input.descriptor.shape));
    for (Number& element : elements) element = Number(double(engine() % 4096) / 2048 - 1);
    inputs.emplace_back(name, tensor(input.descriptor.type, input.descriptor.shape, elements));
  }
  const TestTensors wanted = evaluate_graph(graph, inputs);

  api::Session session(context);
  Diagnostics diagnostics;
  REQUIRE(session.compile(graph, {}, diagnostics));
  const auto is_product = [](const Step& step) {
    return step.op == "@blockQuantizedMatmul"_op && row(step.kernel).provider() != "reference";
  };
  CHECK(std::ranges::count_if(session.program().steps, is_product) == products);
  std::vector<std::span<const std::byte>> views;
  for (const auto& [name, input] : inputs) views.emplace_back(input.data);
  const auto found = session.run(views);
  const Comparison comparison = compare_tensors(wanted[0].second.descriptor, found[0], wanted[0].second.data,
                                                Tolerance{.absolute = tolerance, .relative = tolerance});
  CAPTURE(comparison.max_absolute);
  CHECK(comparison.passed());

  std::size_t bytes = 0;
  for (const Bytes& constant : session.program().constants) bytes += constant.size();
  return bytes;
}

constexpr std::size_t weights = 64 * 256, blocks = 64 * 8;

/// A product of so many rows with 4-bit weights, 32 to a block, as exporters write it.
std::string grouped_product(const char* rows, const std::string& type = "float32") {
  std::mt19937 engine(3);
  return "%x = input " + type + "[" + rows + ", 256]\n%w = constant uint4[64, 8, 32] " +
         random_bytes(weights / 2, engine) + "\n%s = constant " + type + "[64, 8, 1] {0.0625...}\n" +
         "%z = constant uint4[64, 8, 1] " + random_bytes(blocks / 2, engine) +
         "\n%d = dequantizeLinear(%w, %s, %z)\n%r = reshape(%d) {newShape=[64, 256]}\n"
         "%t = transpose(%r) {permutation=[1, 0]}\n%p = matmul(%x, %t)\n%y = gelu(%p)\noutput \"y\" = %y";
}

}  // namespace

TEST_CASE("block weights: the program keeps 4 bits, for one row and for many") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  for (const char* rows : {"1", "3", "130"}) {
    const std::size_t bytes = check_products(grouped_product(rows), 1, 1e-4);
    CHECK(bytes == weights / 2 + blocks * (sizeof(float) + 1));
  }
}

TEST_CASE("block weights: one scale for each column, a bias, and bytes") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  std::mt19937 engine(3);
  const std::size_t bytes = check_products(
      "%x = input float32[2, 64]\n%w = constant int8[64, 32] " + random_bytes(64 * 32, engine) +
          "\n%s = constant float32[1, 32] {0.03125...}\n%z = constant int8[1, 32] {0...}\n%c = constant float32[32] "
          "{1...}\n%d = dequantizeLinear(%w, %s, %z)\n%y = gemm(%x, %d, c=%c)\noutput \"y\" = %y",
      1, 1e-3);
  CHECK(bytes == 64 * 32 + 32 * (sizeof(float) + 1 + sizeof(float)));
}

TEST_CASE("block weights: bytes without a sign, up to 255 on both sides of their zero points") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  for (const char* rows : {"1", "4", "50"}) {
    std::mt19937 engine(3);
    const std::size_t bytes =
        check_products(std::string("%x = input float32[") + rows + ", 64]\n%w = constant uint8[64, 32] " +
                           random_bytes(64 * 32, engine) + "\n%s = constant float32[4, 32] {0.0078125...}\n" +
                           "%z = constant uint8[4, 32] " + random_bytes(4 * 32, engine) +
                           "\n%d = dequantizeLinear(%w, %s, %z)\n%y = matmul(%x, %d)\noutput \"y\" = %y",
                       1, 1e-4);
    CHECK(bytes == 64 * 32 + 4 * 32 * (sizeof(float) + 1));
  }
}

TEST_CASE("block weights: float16 is widened for the products, and its scales stay float16") {
  if (!has_provider("onednn")) return skip(no_provider("onednn"));
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  std::mt19937 engine(3);
  const std::size_t bytes = check_products(
      "%x = input float16[1, 1, 64]\n%w = constant int4[64, 32] " + random_bytes(32 * 32, engine) +
          "\n%s = constant float16[2, 32] {0.0625...}\n%z = constant int4[2, 32] " + random_bytes(32, engine) +
          "\n%d = dequantizeLinear(%w, %s, %z)\n%y = matmul(%x, %d)\noutput \"y\" = %y",
      1, 1e-2);
  CHECK(bytes == 32 * 32 + 64 * 3);
}

TEST_CASE("block weights: two products that read one square matrix in both directions") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  std::mt19937 engine(3);
  check_products("%x = input float32[1, 32]\n%w = constant int4[32, 32] " + random_bytes(16 * 32, engine) +
                     "\n%s = constant float32[1, 1] {0.125}\n%z = constant int4[1, 1] 0x03\n"
                     "%d = dequantizeLinear(%w, %s, %z)\n%a = matmul(%x, %d)\n%b = gemm(%x, %d) {bTranspose=true}\n"
                     "%y = sub(%a, %b)\noutput \"y\" = %y",
                 2, 1e-4);
}

TEST_CASE("block weights: a GPU keeps 4 bits for few rows, and dequantises them for many") {
  if (!open_test_gpu()) return;
  for (const auto& [rows, products] : {std::pair{"1", 1}, {"8", 1}, {"40", 0}}) {
    const std::size_t bytes =
        check_products(grouped_product(rows), products, 1e-4, {.device = "gpu", .gpuValidation = true});
    if (products != 0) CHECK(bytes == weights / 2 + blocks * sizeof(float) + blocks / 2);
  }
  const std::size_t bytes =
      check_products(grouped_product("1", "float16"), 1, 1e-2, {.device = "gpu", .gpuValidation = true});
  CHECK(bytes == weights / 2 + blocks * 2 + blocks / 2);
}

}  // namespace webnn::tests::block_weights_test
