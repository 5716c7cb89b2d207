// Operators of ONNX Runtime on quantised tensors: those on what their numbers stand for, between dequantizeLinear and
// quantizeLinear, which passes join again.
#include <numeric>

#include "compiler/onnx/import/import_math.hpp"

namespace webnn::compiler {
namespace {

/// A tensor, its scale and its zero point.
TensorId dequantized_at(ImportCall& c, std::size_t first) {
  return import_dequantized(c, c.input(first), c.input(first + 1), c.optional(first + 2), 0);
}

/// The result with the scale and zero point from operand `first` on.
void finish_quantized(ImportCall& c, TensorId result, std::size_t first) {
  c.finish(import_quantized(c, result, c.input(first), c.optional(first + 1), c.type(c.input(0)), 0));
}

template <OperatorId op>
void read_quantized_binary(ImportCall& c) {
  finish_quantized(c, c.make(op, {dequantized_at(c, 0), dequantized_at(c, 3)}), 6);
}

void read_quantized_sigmoid(ImportCall& c) { finish_quantized(c, c.make("sigmoid"_op, {dequantized_at(c, 0)}), 3); }

void read_quantized_leaky_relu(ImportCall& c) {
  finish_quantized(c, c.make("leakyRelu"_op, {dequantized_at(c, 0)}, {{"alpha", c.real("alpha", 0.01)}}), 3);
}

/// `opset` is that of the softmax which it stands for.
void read_quantized_softmax(ImportCall& c) {
  const TensorId x = dequantized_at(c, 0);
  const std::int64_t opset = c.integer("opset", 13), axis = c.axis(c.integer("axis", -1), c.rank(x));
  if (opset < 13 && axis + 1 != c.rank(x)) c.refuse("a softmax of versions before 13 over several axes is not read");
  finish_quantized(c, c.make("softmax"_op, {x}, {{"axis", axis}}), 3);
}

void refuse_channels_last(ImportCall& c) {
  if (c.flag("channels_last")) c.refuse("channels on the last axis are not read");
}

void read_quantized_average_pool(ImportCall& c) {
  refuse_channels_last(c);
  finish_quantized(c, c.onnx("AveragePool", {dequantized_at(c, 0)}, c.node().attributes), 3);
}

void read_quantized_global_average_pool(ImportCall& c) {
  refuse_channels_last(c);
  const TensorId x = dequantized_at(c, 0);
  if (c.rank(x) < 3) c.refuse("its input has no spatial axes");
  if (c.rank(x) == 4) return finish_quantized(c, c.make("averagePool2d"_op, {x}), 3);
  IntegerList axes(std::size_t(c.rank(x) - 2));
  std::iota(axes.begin(), axes.end(), 2);
  finish_quantized(c, c.make("reduceMean"_op, {x}, {{"axes", axes}, {"keepDimensions", true}}), 3);
}

/// The scale and zero point of the result, then those of each operand behind it.
void read_quantized_concat(ImportCall& c) {
  if (c.input_count() < 5 || (c.input_count() - 2) % 3 != 0) c.refuse("its operands are no tensors with scales");
  std::vector<TensorId> parts;
  for (std::size_t i = 2; i < c.input_count(); i += 3) parts.push_back(dequantized_at(c, i));
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(parts[0]));
  const TensorId joined = parts.size() == 1 ? parts[0] : c.make_all("concat"_op, parts, {{"axis", axis}})[0];
  c.finish(import_quantized(c, joined, c.input(0), c.optional(1), c.type(c.input(2)), 0));
}

/// Without a scale the result stays float32. The bias has the product of the operands' scales.
void read_quantized_gemm(ImportCall& c) {
  const bool b_transpose = c.flag("transB");
  const TensorId a = dequantized_at(c, 0);
  const TensorId b = import_dequantized(c, c.input(3), c.input(4), c.optional(5), b_transpose ? 0 : 1);
  const double alpha = c.real("alpha", 1);
  TensorId bias{};
  if (c.has(6)) {
    TensorId scale = c.make("mul"_op, {c.reshape(c.input(1), {}), c.input(4)});
    bias = import_dequantized(c, c.input(6), scale, {}, -1);
  }
  const TensorId result =
      c.make("gemm"_op, {a, b, bias},
             {{"alpha", alpha}, {"beta", alpha}, {"aTranspose", c.flag("transA")}, {"bTranspose", b_transpose}});
  if (!c.has(7)) return c.finish(result);
  finish_quantized(c, result, 7);
}

void finish_with_bias(ImportCall& c, TensorId product, std::size_t bias) {
  c.finish(c.has(bias) ? c.make("add"_op, {product, c.input(bias)}) : product);
}

/// A, B, their scales, their zero points, a bias.
void read_matmul_integer_to_float(ImportCall& c) {
  const TensorId a = import_dequantized(c, c.input(0), c.input(2), c.optional(4), -2);
  const TensorId b = import_dequantized(c, c.input(1), c.input(3), c.optional(5), -1);
  finish_with_bias(c, import_matmul(c, a, b), 6);
}

void read_dynamic_quantize_matmul(ImportCall& c) {
  const DynamicallyQuantized a = import_dynamically_quantized(c, c.input(0));
  const TensorId left = import_dequantized(c, a.tensor, a.scale, a.zero_point, {});
  const TensorId right = import_dequantized(c, c.input(1), c.input(2), c.optional(3), -1);
  finish_with_bias(c, import_matmul(c, left, right), 4);
}

constexpr OnnxImportRow microsoft_quantized_import_rows[] = {
    {.op_type = "DynamicQuantizeMatMul", .read = read_dynamic_quantize_matmul, .domain = microsoft_domain},
    {.op_type = "MatMulIntegerToFloat", .read = read_matmul_integer_to_float, .domain = microsoft_domain},
    {.op_type = "QGemm", .read = read_quantized_gemm, .domain = microsoft_domain},
    {.op_type = "QLinearAdd", .read = read_quantized_binary<"add"_op>, .domain = microsoft_domain},
    {.op_type = "QLinearAveragePool", .read = read_quantized_average_pool, .domain = microsoft_domain},
    {.op_type = "QLinearConcat", .read = read_quantized_concat, .domain = microsoft_domain},
    {.op_type = "QLinearGlobalAveragePool", .read = read_quantized_global_average_pool, .domain = microsoft_domain},
    {.op_type = "QLinearLeakyRelu", .read = read_quantized_leaky_relu, .domain = microsoft_domain},
    {.op_type = "QLinearMul", .read = read_quantized_binary<"mul"_op>, .domain = microsoft_domain},
    {.op_type = "QLinearSigmoid", .read = read_quantized_sigmoid, .domain = microsoft_domain},
    {.op_type = "QLinearSoftmax", .read = read_quantized_softmax, .domain = microsoft_domain},
};

}  // namespace

std::span<const OnnxImportRow> import_microsoft_quantized_rows() { return microsoft_quantized_import_rows; }

}  // namespace webnn::compiler
