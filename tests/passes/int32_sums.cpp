// quantize makes operators on integers only where their sums fit in an int32, and leaves longer ones in float.
#include <algorithm>
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "api/oracle/evaluate.hpp"
#include "compiler/passes/pipeline.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::int32_sums_test {
namespace {

using namespace webnn::compiler;

/// Whether an operator on integers is left of a graph, for a device with all features.
bool becomes_integers(const std::string& text, DeviceKind device = DeviceKind::cpu) {
  CAPTURE(text);
  Diagnostics diagnostics;
  Options options = options_of_tests();
  options.target = {device, Feature(~0u)};
  options.evaluate = api::reference_evaluate();
  Unit unit{parsed("graph \"sums\" {\n" + text + "  output \"y\" = %y\n}\n"), {}, options, diagnostics, {}};
  REQUIRE(run_pass(find_pass("quantize"), unit));
  REQUIRE(run_pass(find_pass("remove_dead"), unit));
  return std::ranges::any_of(unit.graph.order(), [&](NodeId id) {
    const OperatorId op = unit.graph.node(id).op;
    return op == "@quantizedConv2d"_op || op == "@quantizedAveragePool2d"_op;
  });
}

std::string number(int value) { return std::to_string(value); }

/// The scale and zero point of a tensor with this rank: %NAMEs and %NAMEz.
std::string quantization(const std::string& name, const std::string& type, int rank, int zero_point,
                         const std::string& scale = "0.25") {
  std::string ones;
  for (int i = 0; i < rank; ++i) ones += i == 0 ? "1" : ", 1";
  return "  %" + name + "s = constant float32[" + ones + "] {" + scale + "}\n  %" + name + "z = constant " + type +
         "[" + ones + "] {" + number(zero_point) + "}\n";
}

std::string matrix_product(const std::string& type, int zero_point, int taps, const std::string& body) {
  const std::string n = number(taps);
  return "  %x = input " + type + "[1, " + n + "]\n  %w = constant int8[" + n + ", 1] {0...}\n" +
         quantization("x", type, 2, zero_point) + quantization("w", "int8", 2, 0) + quantization("r", "uint8", 2, 0) +
         "  %dx = dequantizeLinear(%x, %xs, %xz)\n  %dw = dequantizeLinear(%w, %ws, %wz)\n" + body;
}

std::string convolution(int channels, const std::string& filter, const std::string& op) {
  const std::string n = number(channels);
  return "  %x = input uint8[1, " + n + ", 3, 3]\n  %w = constant int8" + filter + " {0...}\n" +
         quantization("x", "uint8", 4, 0) + quantization("w", "int8", 4, 0) + quantization("r", "uint8", 4, 0) +
         "  %dx = dequantizeLinear(%x, %xs, %xz)\n  %dw = dequantizeLinear(%w, %ws, %wz)\n  %p = " + op +
         "\n  %y = quantizeLinear(%p, %rs, %rz)\n";
}

}  // namespace

TEST_CASE("quantize: sums of products of matrices fit in an int32") {
  if (!has_convolution_library()) return skip(no_convolution_library());
  const std::string rounded = "  %p = matmul(%dx, %dw)\n  %y = quantizeLinear(%p, %rs, %rz)\n";
  CHECK(becomes_integers(matrix_product("uint8", 0, 65'793, rounded)));  // times 255 times 128
  CHECK_FALSE(becomes_integers(matrix_product("uint8", 0, 65'794, rounded)));
  CHECK(becomes_integers(matrix_product("uint8", 128, 131'071, rounded)));  // times 128 times 128
  CHECK_FALSE(becomes_integers(matrix_product("uint8", 128, 131'072, rounded)));
  CHECK(becomes_integers(matrix_product("int8", 0, 131'071, rounded)));
  CHECK_FALSE(becomes_integers(matrix_product("int8", 0, 131'072, rounded)));
  CHECK_FALSE(becomes_integers(matrix_product("uint8", 0, 65'794, "  %y = matmul(%dx, %dw)\n")));
  CHECK_FALSE(becomes_integers(matrix_product("uint8", 0, 65'794, "  %y = gemm(%dx, %dw)\n")));
}

TEST_CASE("quantize: so do sums with a bias in their unit") {
  if (!has_convolution_library()) return skip(no_convolution_library());
  const auto with_bias = [](const std::string& bias) {
    return matrix_product("uint8", 0, 1,
                          "  %b = constant float32[1] {" + bias +
                              "}\n  %p = gemm(%dx, %dw, c=%b)\n  %y = quantizeLinear(%p, %rs, %rz)\n");
  };
  CHECK(becomes_integers(with_bias("1.34e8")));  // in units of 1/16
  CHECK(becomes_integers(with_bias("-1.34e8")));
  CHECK_FALSE(becomes_integers(with_bias("1.35e8")));
  CHECK_FALSE(becomes_integers(with_bias("-1.35e8")));
  CHECK_FALSE(becomes_integers(with_bias("NaN")));
}

TEST_CASE("quantize: so do those of convolutions") {
  if (!has_convolution_library()) return skip(no_convolution_library());
  const auto plain = [](int channels) {
    return convolution(channels, "[1, " + number(channels) + ", 3, 3]", "conv2d(%dx, %dw)");
  };
  CHECK(becomes_integers(plain(7'310)));  // of nine taps each
  CHECK_FALSE(becomes_integers(plain(7'311)));
  if (!has_provider("onednn")) return skip(no_provider("onednn"));
  const auto transposed = [](int channels) {
    return convolution(channels, "[" + number(channels) + ", 1, 2, 2]", "convTranspose2d(%dx, %dw) {strides=[2, 2]}");
  };
  CHECK(becomes_integers(transposed(65'793)));  // of one tap each
  CHECK_FALSE(becomes_integers(transposed(65'794)));
}

TEST_CASE("quantize: so do those of bytes in averages") {
  const auto mean = [](int height, int width, const std::string& op) {
    return "  %x = input uint8[1, 1, " + number(height) + ", " + number(width) + "]\n" +
           quantization("x", "uint8", 4, 0) + quantization("r", "uint8", 4, 0) +
           "  %dx = dequantizeLinear(%x, %xs, %xz)\n  %p = " + op + "\n  %y = quantizeLinear(%p, %rs, %rz)\n";
  };
  const std::string of_all = "reduceMean(%dx) {axes=[2, 3], keepDimensions=true}", pool = "averagePool2d(%dx)";
  for (const std::string& op : {of_all, pool}) {
    CHECK(becomes_integers(mean(1'009, 8'311, op)));  // the CPU's kernel takes up to 2^23
    CHECK_FALSE(becomes_integers(mean(1'009, 8'363, op)));
  }
  CHECK(becomes_integers(mean(4'001, 4'001, "averagePool2d(%dx) {windowDimensions=[2, 4000]}")));
  if (!api::find_kernel("vulkan.quantizedAveragePool2d")) return skip(no_provider("vulkan"));
  for (const std::string& op : {of_all, pool}) {
    CHECK(becomes_integers(mean(1'009, 8'329, op), DeviceKind::vulkan));  // below 2^31 / 255
    CHECK_FALSE(becomes_integers(mean(1'009, 8'363, op), DeviceKind::vulkan));
  }
}

}  // namespace webnn::tests::int32_sums_test
