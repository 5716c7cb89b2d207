// Operators of com.microsoft on quantised tensors, as operators on numbers between dequantizeLinear and quantizeLinear.
// The compiler makes operators on integers of them where it can.
#include <algorithm>
#include <cmath>

#include "compiler/onnx/import/networks/microsoft.hpp"
#include "compiler/onnx/import/networks/window.hpp"
#include "schema/sentence.hpp"

namespace webnn::compiler {
namespace {

/// A scale or zero point for a tensor of some rank: one number, or one for each element of an axis.
TensorId point_for(ImportCall& c, TensorId point, std::int64_t rank, std::int64_t axis) {
  OnnxIntegers dims(std::size_t(rank), 1);
  if (c.count(point) != 1) dims[c.axis(axis, rank)] = c.count(point);
  return c.reshape(point, dims);
}

TensorId zero_point_for(ImportCall& c, TensorId point, TensorId scale, OnnxType type) {
  if (!point.valid()) return c.filled(type, c.dims(scale), 0);
  if (c.count(point) == 1) return c.expand(c.reshape(point, OnnxIntegers(c.dims(scale).size(), 1)), c.dims(scale));
  if (c.count(point) != c.count(scale)) c.refuse("it does not have one zero point for each scale");
  return c.reshape(point, c.dims(scale));
}

TensorId numbers_of(ImportCall& c, TensorId x, TensorId scale, TensorId point, std::int64_t axis = -1) {
  scale = point_for(c, scale, c.rank(x), axis);
  return c.make("dequantizeLinear"_op, {x, scale, zero_point_for(c, point, scale, c.type(x))});
}

TensorId integers_of(ImportCall& c, TensorId x, TensorId scale, TensorId point, OnnxType type) {
  scale = point_for(c, scale, c.rank(x), -1);
  if (point.valid()) type = c.type(point);
  return c.make("quantizeLinear"_op, {x, scale, zero_point_for(c, point, scale, type)});
}

/// Operand `first` with its scale and zero point.
TensorId numbers_at(ImportCall& c, std::size_t first) {
  return numbers_of(c, c.input(first), c.input(first + 1), c.optional(first + 2));
}

/// The result, with the scale and zero point at `first`, of the type of input 0.
void finish_integers(ImportCall& c, TensorId y, std::size_t first, std::size_t like = 0) {
  c.finish(integers_of(c, y, c.input(first), c.optional(first + 1), c.type(c.input(like))));
}

template <OperatorId op>
void read_q_linear_binary(ImportCall& c) {
  finish_integers(c, c.make(op, {numbers_at(c, 0), numbers_at(c, 3)}), 6);
}

void read_q_linear_sigmoid(ImportCall& c) { finish_integers(c, c.make("sigmoid"_op, {numbers_at(c, 0)}), 3); }

void read_q_linear_leaky_relu(ImportCall& c) {
  finish_integers(c, c.make("leakyRelu"_op, {numbers_at(c, 0)}, {{"alpha", c.real("alpha", 0.01)}}), 3);
}

void read_q_linear_softmax(ImportCall& c) {
  const TensorId x = numbers_at(c, 0);
  const std::int64_t axis = c.axis(c.integer("axis", -1), c.rank(x));
  if (c.integer("opset", 13) < 13 && axis != c.rank(x) - 1) c.refuse("its softmax is over several axes");
  finish_integers(c, c.make("softmax"_op, {x}, {{"axis", axis}}), 3);
}

void read_q_linear_where(ImportCall& c) {
  const TensorId y = c.make("where"_op, {c.input(0), numbers_at(c, 1), numbers_at(c, 4)});
  finish_integers(c, y, 7, 1);
}

void read_q_linear_concat(ImportCall& c) {
  std::vector<TensorId> parts;
  for (std::size_t i = 2; i + 1 < c.input_count(); i += 3) parts.push_back(numbers_at(c, i));
  if (parts.empty()) c.refuse("it has no inputs");
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(parts[0]));
  finish_integers(c, c.make_all("concat"_op, parts, {{"axis", axis}})[0], 0, 2);
}

void read_q_linear_global_average_pool(ImportCall& c) {
  const TensorId x = numbers_at(c, 0);
  const bool last = c.flag("channels_last");
  OnnxIntegers axes;
  for (std::int64_t axis = last ? 1 : 2; axis < c.rank(x) - (last ? 1 : 0); ++axis) axes.push_back(axis);
  const TensorId y = c.rank(x) == 4 && !last ? c.make("averagePool2d"_op, {x})
                                             : c.make("reduceMean"_op, {x}, {{"axes", axes}, {"keepDimensions", true}});
  finish_integers(c, y, 3);
}

void read_q_linear_reduce_mean(ImportCall& c) {
  const TensorId x = numbers_at(c, 0);
  OnnxIntegers axes;
  for (const std::uint32_t axis : c.axes(c.integers("axes"), c.rank(x))) axes.push_back(axis);
  if (axes.empty())
    for (std::int64_t axis = 0; axis < c.rank(x); ++axis) axes.push_back(axis);
  const bool keep = c.flag("keepdims", true);
  const TensorId y = c.make("reduceMean"_op, {x}, {{"axes", axes}, {"keepDimensions", keep}});
  finish_integers(c, y, 3);
}

/// A filter or matrix has one scale, or one for each output.
void read_q_gemm(ImportCall& c) {
  const bool across = c.flag("transB");
  TensorId bias = c.optional(6);
  if (c.count(c.input(1)) != 1 || (c.has(2) && c.count(c.input(2)) != 1))
    c.refuse("its first matrix has more than one scale or zero point");
  const TensorId a = numbers_at(c, 0);
  const TensorId b = numbers_of(c, c.input(3), c.input(4), c.optional(5), across ? 0 : 1);
  const double alpha = c.real("alpha", 1);
  if (bias.valid()) {  // in units of both scales
    const TensorId unit = c.make("mul"_op, {c.reshape(c.input(1), {}), c.input(4)});
    bias = c.make("mul"_op, {c.cast(bias, c.type(unit)), c.count(unit) == 1 ? c.reshape(unit, {}) : unit});
  }
  const TensorId y =
      c.make("gemm"_op, {a, b, bias},
             {{"alpha", alpha}, {"beta", alpha}, {"aTranspose", c.flag("transA")}, {"bTranspose", across}});
  if (!c.has(7)) return c.finish(y);
  finish_integers(c, y, 7);
}

/// Numbers rounded as dynamic quantisation to uint8 rounds them.
TensorId dynamically_rounded(ImportCall& c, TensorId x) {
  OnnxIntegers all;
  for (std::int64_t axis = 0; axis < c.rank(x); ++axis) all.push_back(axis);
  const TensorId low = c.expression("min(?x, 0)", {{{"x", c.make("reduceMin"_op, {x}, {{"axes", all}})}}});
  const TensorId high = c.expression("max(?x, 0)", {{{"x", c.make("reduceMax"_op, {x}, {{"axes", all}})}}});
  TensorId scale = c.expression("div(sub(?h, ?l), 255)", {{{"h", high}, {"l", low}}});
  scale = c.expression("where(equal(?s, 0), 1, ?s)", {{{"s", scale}}});  // all numbers are 0
  const TensorId point =
      c.expression("clamp(roundEven(div(neg(?l), ?s))) {minValue=0, maxValue=255}", {{{"l", low}, {"s", scale}}});
  return c.expression("mul(sub(clamp(add(roundEven(div(?x, ?s)), ?p)) {minValue=0, maxValue=255}, ?p), ?s)",
                      {{{"x", x}, {"s", scale}, {"p", point}}});
}

void read_dynamic_quantize_matmul(ImportCall& c) {
  const TensorId b = numbers_of(c, c.input(1), c.input(2), c.optional(3));
  TensorId y = c.make("matmul"_op, {dynamically_rounded(c, c.input(0)), b});
  if (c.has(4)) y = c.make("add"_op, {y, c.input(4)});
  c.finish(y);
}

void read_matmul_integer_to_float(ImportCall& c) {
  const TensorId a = numbers_of(c, c.input(0), c.input(2), c.optional(4));
  const TensorId b = numbers_of(c, c.input(1), c.input(3), c.optional(5));
  TensorId y = c.make("matmul"_op, {a, b});
  if (c.has(6)) y = c.make("add"_op, {y, c.input(6)});
  c.finish(y);
}

constexpr std::string_view ms_quantized = microsoft_domain;

constexpr OnnxImportRow quantized_microsoft_rows[] = {
    {.op_type = "DynamicQuantizeMatMul", .read = read_dynamic_quantize_matmul, .domain = ms_quantized},
    {.op_type = "MatMulIntegerToFloat", .read = read_matmul_integer_to_float, .domain = ms_quantized},
    {.op_type = "QGemm", .read = read_q_gemm, .domain = ms_quantized},
    {.op_type = "QLinearAdd", .read = read_q_linear_binary<"add"_op>, .domain = ms_quantized},
    {.op_type = "QLinearConcat", .read = read_q_linear_concat, .domain = ms_quantized},
    {.op_type = "QLinearGlobalAveragePool", .read = read_q_linear_global_average_pool, .domain = ms_quantized},
    {.op_type = "QLinearLeakyRelu", .read = read_q_linear_leaky_relu, .domain = ms_quantized},
    {.op_type = "QLinearMul", .read = read_q_linear_binary<"mul"_op>, .domain = ms_quantized},
    {.op_type = "QLinearReduceMean", .read = read_q_linear_reduce_mean, .domain = ms_quantized},
    {.op_type = "QLinearSigmoid", .read = read_q_linear_sigmoid, .domain = ms_quantized},
    {.op_type = "QLinearSoftmax", .read = read_q_linear_softmax, .domain = ms_quantized},
    {.op_type = "QLinearWhere", .read = read_q_linear_where, .domain = ms_quantized},
};

}  // namespace

std::span<const OnnxImportRow> import_microsoft_quantized_rows() { return quantized_microsoft_rows; }

}  // namespace webnn::compiler
