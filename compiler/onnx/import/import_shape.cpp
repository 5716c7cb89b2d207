// ONNX operators about shapes: constants, sizes, and other shapes for the same elements.
#include <algorithm>

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {
namespace {

void read_constant(ImportCall& c) {
  if (c.has_attribute("value_int")) return c.finish(c.scalar(OnnxType::int64, c.integer("value_int")));
  if (c.has_attribute("value_ints")) return c.finish(c.integers_tensor(c.integers("value_ints")));
  if (c.has_attribute("value_float")) return c.finish(c.scalar(OnnxType::float32, c.real("value_float")));
  if (c.has_attribute("value_floats")) {
    const std::vector<double> values = c.reals("value_floats");
    const std::vector<float> floats(values.begin(), values.end());
    const auto bytes = std::as_bytes(std::span(floats));
    return c.finish(c.constant(OnnxType::float32, {std::int64_t(floats.size())},
                               Bytes(std::vector<std::byte>(bytes.begin(), bytes.end()))));
  }
  c.finish(c.constant(c.tensor("value")));
}

/// A size of 0 stands for that of the input, -1 for what is left.
void read_reshape(ImportCall& c) {
  const TensorId x = c.input(0);
  const auto shape = c.integers_from(1, "shape");
  if (!shape) c.refuse("it has no shape");
  OnnxIntegers dims = *shape;
  const bool zero_is_zero = c.flag("allowzero");
  std::int64_t known = 1, open = -1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 0 && !zero_is_zero) {
      if (std::int64_t(i) >= c.rank(x)) c.refuse("the shape copies a dimension that the input has not");
      dims[i] = c.dims(x)[i];
    }
    if (dims[i] < -1 || (dims[i] == -1 && open >= 0)) c.refuse("the shape is not valid");
    if (dims[i] == -1)
      open = std::int64_t(i);
    else if (__builtin_mul_overflow(known, dims[i], &known))
      c.refuse("the shape is too large");
  }
  if (open >= 0) {
    if (known == 0 || c.count(x) % known != 0) c.refuse("the shape does not divide the elements of the input");
    dims[std::size_t(open)] = c.count(x) / known;
    known = c.count(x);
  }
  if (known != c.count(x)) c.refuse("the shape has another number of elements than the input");
  c.finish(c.reshape(x, dims));
}

void read_shape(ImportCall& c) {
  const OnnxIntegers& dims = c.dims(c.input(0));
  const auto rank = std::int64_t(dims.size());
  const auto clamped = [&](std::int64_t at) { return std::clamp(at < 0 ? at + rank : at, std::int64_t{0}, rank); };
  const std::int64_t start = clamped(c.integer("start", 0)), end = clamped(c.integer("end", rank));
  c.finish(c.integers_tensor(start < end ? OnnxIntegers(dims.begin() + start, dims.begin() + end) : OnnxIntegers()));
}

void read_flatten(ImportCall& c) {
  const TensorId x = c.input(0);
  std::int64_t axis = c.integer("axis", 1);
  if (axis < 0) axis += c.rank(x);
  if (axis < 0 || axis > c.rank(x)) c.refuse("the axis is outside of the input's shape");
  std::int64_t outer = 1;
  for (std::int64_t i = 0; i < axis; ++i) outer *= c.dims(x)[std::size_t(i)];
  c.finish(c.reshape(x, {outer, outer == 0 ? 0 : c.count(x) / outer}));
}

constexpr OnnxImportRow shape_import_rows[] = {
    {.op_type = "Constant", .read = read_constant},
    {.op_type = "Flatten", .read = read_flatten},
    {.op_type = "Reshape", .read = read_reshape},
    {.op_type = "Shape", .read = read_shape},
};

}  // namespace

std::span<const OnnxImportRow> import_shape_rows() { return shape_import_rows; }

}  // namespace webnn::compiler
