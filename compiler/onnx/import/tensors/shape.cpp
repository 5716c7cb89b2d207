// ONNX operators about shapes: constants, sizes, and other shapes for the same elements.
#include <algorithm>
#include <cmath>

#include "compiler/onnx/import/tensors/parts.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"

namespace webnn::compiler {
namespace {

void read_constant(ImportCall& c) {
  if (c.has_attribute("value_int")) return c.finish(c.scalar(OnnxType::int64, c.integer("value_int")));
  if (c.has_attribute("value_ints")) return c.finish(c.integers_tensor(c.integers("value_ints")));
  if (c.has_attribute("value_float")) return c.finish(c.scalar(OnnxType::float32, c.real("value_float")));
  if (c.has_attribute("value_floats")) {
    const std::vector<double> values = c.reals("value_floats");
    const std::vector<float> floats(values.begin(), values.end());
    return c.finish(parts::constant_of(c, OnnxType::float32, {std::int64_t(floats.size())}, floats));
  }
  if (c.has_attribute("value_string") || c.has_attribute("value_strings")) c.refuse("WebNN has no strings");
  if (c.has_attribute("sparse_value")) c.refuse("sparse constants are not supported");
  c.finish(c.constant(c.tensor("value")));
}

void read_constant_of_shape(ImportCall& c) {
  const OnnxIntegers dims = c.known_integers(c.input(0), "the dimensions");
  OnnxType type = OnnxType::float32;
  Number value = 0.0;
  if (c.has_attribute("value")) {
    const TensorId given = c.constant(c.tensor("value"));
    type = c.type(given);
    value = c.known_number(given, "its value");
  }
  for (const std::int64_t size : dims)
    if (size < 0) c.refuse("a dimension of " + std::to_string(size) + " is negative");
  const bool is_empty = std::ranges::find(dims, 0) != dims.end();
  c.finish(is_empty ? parts::without_elements(c, type, dims) : c.filled(type, dims, value));
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
  parts::check_sizes(c, dims);
  c.finish(c.reshape(x, dims));
}

void read_shape(ImportCall& c) {
  const OnnxIntegers& dims = c.dims(c.input(0));
  const auto rank = std::int64_t(dims.size());
  const auto clamped = [&](std::int64_t at) { return std::clamp(at < 0 ? at + rank : at, std::int64_t{0}, rank); };
  const std::int64_t start = clamped(c.integer("start", 0)), end = clamped(c.integer("end", rank));
  c.finish(c.integers_tensor(start < end ? OnnxIntegers(dims.begin() + start, dims.begin() + end) : OnnxIntegers()));
}

void read_size(ImportCall& c) { c.finish(c.scalar(OnnxType::int64, c.count(c.input(0)))); }

void read_flatten(ImportCall& c) {
  const TensorId x = c.input(0);
  std::int64_t axis = c.integer("axis", 1);
  if (axis < 0) axis += c.rank(x);
  if (axis < 0 || axis > c.rank(x)) c.refuse("the axis is outside of the input's shape");
  const std::int64_t count = c.count(x);  // refuses sizes whose product overflows
  std::int64_t outer = 1, inner = 1;
  for (std::int64_t i = 0; i < axis; ++i) outer *= c.dims(x)[std::size_t(i)];
  for (std::int64_t i = axis; i < c.rank(x); ++i)
    if (__builtin_mul_overflow(inner, c.dims(x)[std::size_t(i)], &inner)) c.refuse("the result is too large");
  if (count == 0) return c.finish(parts::without_elements(c, c.type(x), {outer, inner}));
  c.finish(c.reshape(x, {outer, inner}));
}

/// Without axes, all of size 1 go. They are an attribute before version 13.
void read_squeeze(ImportCall& c) {
  const TensorId x = c.input(0);
  std::vector<bool> goes(c.dims(x).size(), false);
  if (const auto axes = c.integers_from(1, "axes"); axes && !axes->empty()) {
    for (const std::uint32_t axis : c.axes(*axes, c.rank(x))) goes[axis] = true;
  } else {
    for (std::size_t i = 0; i < goes.size(); ++i) goes[i] = c.dims(x)[i] == 1;
  }
  OnnxIntegers dims;
  for (std::size_t i = 0; i < goes.size(); ++i) {
    if (goes[i] && c.dims(x)[i] != 1)
      c.refuse("the size of axis " + std::to_string(i) + " is " + std::to_string(c.dims(x)[i]) + ", not 1");
    if (!goes[i]) dims.push_back(c.dims(x)[i]);
  }
  c.finish(c.reshape(x, dims));
}

void read_unsqueeze(ImportCall& c) {
  const TensorId x = c.input(0);
  const auto axes = c.integers_from(1, "axes");
  if (!axes) c.refuse("it has no axes");
  std::vector<bool> is_new(c.dims(x).size() + axes->size(), false);
  for (const std::uint32_t axis : c.axes(*axes, std::int64_t(is_new.size()))) {
    if (is_new[axis]) c.refuse("an axis is given twice");
    is_new[axis] = true;
  }
  OnnxIntegers dims;
  for (std::size_t i = 0, old = 0; i < is_new.size(); ++i) dims.push_back(is_new[i] ? 1 : c.dims(x)[old++]);
  c.finish(c.reshape(x, dims));
}

/// The input's sizes of 1 and the given ones are repeated to each other's.
void read_expand(ImportCall& c) {
  const TensorId x = c.input(0);
  const OnnxIntegers shape = c.known_integers(c.input(1), "the new dimensions");
  for (const std::int64_t size : shape)
    if (size < 0) c.refuse("a dimension of " + std::to_string(size) + " is negative");
  c.finish(parts::expanded(c, x, parts::broadcast_dims(c, c.dims(x), shape)));
}

/// Of a sequence too.
void read_identity(ImportCall& c) { c.finish(c.has(0) ? c.optional(0) : c.input(0)); }

/// The first versions name the type in words.
struct OldTypeName {
  std::string_view name;
  OnnxType type;
};

constexpr OldTypeName old_type_names[] = {
    {"FLOAT", OnnxType::float32},   {"UINT8", OnnxType::uint8},   {"INT8", OnnxType::int8},
    {"UINT16", OnnxType::uint16},   {"INT16", OnnxType::int16},   {"INT32", OnnxType::int32},
    {"INT64", OnnxType::int64},     {"STRING", OnnxType::text},   {"BOOL", OnnxType::boolean},
    {"FLOAT16", OnnxType::float16}, {"UINT32", OnnxType::uint32}, {"UINT64", OnnxType::uint64},
    {"DOUBLE", OnnxType::float64},
};

TensorId cast_for_onnx(ImportCall& c, TensorId x, OnnxType type) {
  const bool is_packed = c.type(x) == OnnxType::int4 || c.type(x) == OnnxType::uint4;
  if (is_packed && type == OnnxType::boolean) x = c.cast(x, OnnxType::int8);
  if (c.type(x) == type) return x;
  if (type == OnnxType::boolean && c.count(x) == 0) return parts::without_elements(c, type, c.dims(x));
  return c.cast(x, type);
}

void read_cast(ImportCall& c) {
  if (c.opset() >= 6) return c.finish(cast_for_onnx(c, c.input(0), c.type("to")));
  const std::string name = c.text("to");
  const auto* known = std::ranges::find(old_type_names, name, &OldTypeName::name);
  if (known == std::end(old_type_names)) c.refuse("the type it casts to is not known");
  c.finish(cast_for_onnx(c, c.input(0), known->type));
}

void read_cast_like(ImportCall& c) { c.finish(cast_for_onnx(c, c.input(0), c.type(c.input(1)))); }

/// start, start + delta, ... before the limit.
void read_range(ImportCall& c) {
  const TensorId first = c.input(0);
  const OnnxType type = c.type(first);
  const auto stored = data_type_of(type);
  if (!stored) c.refuse("WebNN has no type " + name_of_type(type));
  const Number start = c.known_number(first, "the start"), limit = c.known_number(c.input(1), "the limit"),
               delta = c.known_number(c.input(2), "the step");
  std::int64_t count = 0;
  if (is_float(*stored)) {
    const double steps = std::ceil((limit.as_double() - start.as_double()) / delta.as_double());
    if (!(std::abs(steps) <= max_dimension)) c.refuse("the range is too long, or it is not a number");
    count = std::int64_t(std::max(0.0, steps));
  } else {
    const std::int64_t from = start.as_int64(), to = limit.as_int64(), step = delta.as_int64();
    if (step == 0) c.refuse("the step is 0");
    if (step > 0 ? from < to : from > to) {  // without a sign nothing overflows
      const auto up = [&](std::int64_t a, std::int64_t b) { return std::uint64_t(a) - std::uint64_t(b); };
      const std::uint64_t distance = step > 0 ? up(to, from) : up(from, to),
                          each = step > 0 ? up(step, 0) : up(0, step);
      const std::uint64_t steps = distance / each + (distance % each != 0);
      if (steps > max_dimension) c.refuse("the range is too long");
      count = std::int64_t(steps);
    }
  }
  if (count == 0) return c.finish(parts::without_elements(c, type, {0}));
  const OnnxType wide = type == OnnxType::float16 ? OnnxType::float32 : type;  // rounded once
  const TensorId steps = c.make("mul"_op, {parts::counted_up(c, wide, count), c.scalar(wide, delta)});
  c.finish(c.cast(c.make("add"_op, {steps, c.scalar(wide, start)}), type));
}

/// Ones on a diagonal: what is neither above nor below it.
void read_eye_like(ImportCall& c) {
  const TensorId x = c.input(0);
  if (c.rank(x) != 2) c.refuse("the input has not two dimensions");
  const OnnxType type = c.type("dtype", c.type(x));
  if (c.count(x) == 0) return c.finish(parts::without_elements(c, type, c.dims(x)));
  const std::int64_t limit = std::int64_t{max_dimension};
  const std::int64_t diagonal = std::clamp(c.integer("k", 0), -limit, limit);
  const TensorId upper =
      c.make("triangular"_op, {c.filled(type, c.dims(x), 1)}, {{"upper", true}, {"diagonal", diagonal}});
  c.finish(c.make("triangular"_op, {upper}, {{"upper", false}, {"diagonal", diagonal}}));
}

constexpr OnnxImportRow shape_import_rows[] = {
    {.op_type = "Cast", .read = read_cast},         {.op_type = "CastLike", .read = read_cast_like},
    {.op_type = "Constant", .read = read_constant}, {.op_type = "ConstantOfShape", .read = read_constant_of_shape},
    {.op_type = "Expand", .read = read_expand},     {.op_type = "EyeLike", .read = read_eye_like},
    {.op_type = "Flatten", .read = read_flatten},   {.op_type = "Identity", .read = read_identity},
    {.op_type = "Range", .read = read_range},       {.op_type = "Reshape", .read = read_reshape},
    {.op_type = "Shape", .read = read_shape},       {.op_type = "Size", .read = read_size},
    {.op_type = "Squeeze", .read = read_squeeze},   {.op_type = "Unsqueeze", .read = read_unsqueeze},
};

}  // namespace

std::span<const OnnxImportRow> import_shape_rows() { return shape_import_rows; }

}  // namespace webnn::compiler
