// Quantised tensors: scales and zero points in the form that WebNN has for them.
#include <algorithm>

#include "compiler/onnx/import/math/formula.hpp"
#include "compiler/onnx/import/math/math.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"

namespace webnn::compiler {

TensorId quantization_operand(ImportCall& c, TensorId operand, const OnnxIntegers& sizes, QuantizedAxis axis) {
  OnnxIntegers dims(sizes.size(), 1);
  if (c.count(operand) == 1) return c.reshape(operand, dims);
  if (!axis || (c.rank(operand) == std::int64_t(sizes.size()) && c.rank(operand) != 1)) return operand;
  const std::uint32_t place = c.axis(*axis, std::int64_t(sizes.size()));
  if (c.dims(operand) != OnnxIntegers{sizes[place]})
    c.refuse("its scales and zero points do not have one element for each place of the axis");
  dims[place] = sizes[place];
  return c.reshape(operand, dims);
}

namespace {

/// The zero point beside a scale; 0 when it is absent.
TensorId zero_point_beside(ImportCall& c, TensorId zero_point, TensorId scale, OnnxType type, const OnnxIntegers& sizes,
                           QuantizedAxis axis) {
  if (!zero_point.valid()) return c.filled(type, c.dims(scale), 0);
  const TensorId result = quantization_operand(c, zero_point, sizes, axis);
  return c.dims(result) == c.dims(scale) ? result : c.expand(result, c.dims(scale));
}

}  // namespace

TensorId import_quantized(ImportCall& c, TensorId x, TensorId scale, TensorId zero_point, OnnxType type,
                          QuantizedAxis axis) {
  const OnnxIntegers sizes = c.dims(x);
  const TensorId scales = quantization_operand(c, scale, sizes, axis);
  return c.make("quantizeLinear"_op, {x, scales, zero_point_beside(c, zero_point, scales, type, sizes, axis)});
}

TensorId import_dequantized(ImportCall& c, TensorId x, TensorId scale, TensorId zero_point, QuantizedAxis axis) {
  const OnnxIntegers sizes = c.dims(x);
  TensorId scales = quantization_operand(c, scale, sizes, axis);
  // One scale with several zero points.
  if (zero_point.valid() && c.count(zero_point) > c.count(scale))
    scales = c.expand(scales, c.dims(quantization_operand(c, zero_point, sizes, axis)));
  return c.make("dequantizeLinear"_op, {x, scales, zero_point_beside(c, zero_point, scales, c.type(x), sizes, axis)});
}

namespace {

/// Scales or zero points of blocks; where the last block is not full, they are repeated for each element.
TensorId block_operand(ImportCall& c, TensorId operand, TensorId x, std::int64_t axis, std::int64_t block) {
  if (!operand.valid()) return operand;
  const std::uint32_t place = c.axis(axis, c.rank(x));
  const std::int64_t size = c.dims(x)[place], blocks = size / block + (size % block != 0);
  OnnxIntegers expected = c.dims(x);
  expected[place] = blocks;
  if (c.dims(operand) != expected) c.refuse("its scales and zero points do not have one element for each block");
  if (size % block == 0) return operand;
  if (size > most_listed_elements) c.refuse("its blocks do not divide the axis");
  c.count_list(size);
  OnnxIntegers indices;
  for (std::int64_t i = 0; i < size; ++i) indices.push_back(i / block);
  return c.make("gather"_op, {operand, c.integers_tensor(indices)}, {{"axis", std::int64_t{place}}});
}

std::int64_t block_size(ImportCall& c) {
  const std::int64_t block = c.integer("block_size", 0);
  if (block < 0) c.refuse("its block size is negative");
  return block;
}

OnnxType type_attribute(ImportCall& c, std::string_view name, OnnxType absent) {
  const std::int64_t value = c.integer(name, 0);
  return value == 0 ? absent : OnnxType(value);
}

void read_quantize(ImportCall& c) {
  const OnnxType precision = type_attribute(c, "precision", c.type(c.input(1)));
  const TensorId x = c.cast(c.input(0), precision);
  TensorId scale = c.cast(c.input(1), precision), zero_point = c.optional(2);
  const OnnxType type = zero_point.valid() ? c.type(zero_point) : type_attribute(c, "output_dtype", OnnxType::uint8);
  QuantizedAxis axis = c.integer("axis", 1);
  if (const std::int64_t block = block_size(c)) {
    scale = block_operand(c, scale, x, *axis, block);
    zero_point = block_operand(c, zero_point, x, *axis, block);
    axis = std::nullopt;
  }
  c.finish(import_quantized(c, x, scale, zero_point, type, axis));
}

void read_dequantize(ImportCall& c) {
  const TensorId x = c.input(0);
  TensorId scale = c.input(1), zero_point = c.optional(2);
  QuantizedAxis axis = c.integer("axis", 1);
  if (const std::int64_t block = block_size(c)) {
    scale = block_operand(c, scale, x, *axis, block);
    zero_point = block_operand(c, zero_point, x, *axis, block);
    axis = std::nullopt;
  }
  const TensorId result = import_dequantized(c, x, scale, zero_point, axis);
  c.finish(c.cast(result, type_attribute(c, "output_dtype", c.type(result))));
}

}  // namespace

DynamicallyQuantized import_dynamically_quantized(ImportCall& c, TensorId x) {
  ImportFormula f(c, x);
  f.let("low", "min(reduceMin(?x), 0)");
  f.let("range", "sub(max(reduceMax(?x), 0), ?low)");
  f.let("scale", "where(equal(?range, 0), 1, div(?range, 255))");
  const TensorId scale = f("?scale");
  const TensorId zero_point =
      c.cast(f("roundEven(clamp(sub(0, div(?low, ?scale))) {minValue=0, maxValue=255})"), OnnxType::uint8);
  return {import_quantized(c, x, scale, zero_point, OnnxType::uint8, {}), scale, zero_point};
}

namespace {

void read_dynamic_quantize(ImportCall& c) {
  const DynamicallyQuantized result = import_dynamically_quantized(c, c.input(0));
  c.finish(0, result.tensor);
  c.finish(1, result.scale);
  c.finish(2, result.zero_point);
}

/// The operators on quantised tensors are those on what their numbers stand for, and passes join them again.
TensorId dequantized_input(ImportCall& c, std::size_t first, std::int64_t axis) {
  return import_dequantized(c, c.input(first), c.input(first + 1), c.optional(first + 2), axis);
}

void read_quantized_matmul(ImportCall& c) {
  // Scales of a matrix on the left are those of its rows.
  const TensorId product = import_matmul(c, dequantized_input(c, 0, -2), dequantized_input(c, 3, -1));
  c.finish(import_quantized(c, product, c.input(6), c.optional(7), c.type(c.input(0)), -2));
}

void read_quantized_conv(ImportCall& c) {
  if (c.count(c.input(1)) != 1 || (c.has(2) && c.count(c.input(2)) != 1))
    c.refuse("its input has more than one scale or zero point");
  const TensorId x = dequantized_input(c, 0, 1), filter = dequantized_input(c, 3, 0);
  TensorId bias{};
  if (c.has(8)) {  // its scale is the product of the others
    const TensorId filter_scale = c.input(4);
    const TensorId scale = c.make("mul"_op, {c.reshape(c.input(1), {}), filter_scale});
    bias = import_dequantized(c, c.input(8), scale, {}, 0);
  }
  const TensorId result = c.onnx("Conv", {x, filter, bias}, c.node().attributes);
  c.finish(import_quantized(c, result, c.input(6), c.optional(7), c.type(c.input(0)), 1));
}

constexpr OnnxImportRow quantization_import_rows[] = {
    {.op_type = "DequantizeLinear", .read = read_dequantize},
    {.op_type = "DynamicQuantizeLinear", .read = read_dynamic_quantize},
    {.op_type = "QLinearConv", .read = read_quantized_conv},
    {.op_type = "QLinearMatMul", .read = read_quantized_matmul},
    {.op_type = "QuantizeLinear", .read = read_quantize},
    {.op_type = "DequantizeLinear", .read = read_dequantize, .domain = microsoft_domain},
    {.op_type = "QuantizeLinear", .read = read_quantize, .domain = microsoft_domain},
};

}  // namespace

std::span<const OnnxImportRow> import_quantization_rows() { return quantization_import_rows; }

}  // namespace webnn::compiler
