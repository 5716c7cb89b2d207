// Names and sizes of data types, texts and limits of descriptors, broadcasting.
#include "schema/elements/types.hpp"

#include <algorithm>
#include <vector>

#include "schema/round_up.hpp"
#include "schema/sentence.hpp"

namespace webnn::schema {
namespace {

struct TypeRow {
  std::string_view name;
  std::string_view short_name;
  unsigned bits;
  bool is_float;
  bool is_signed;
};

constexpr TypeRow type_rows[data_type_count + 1] = {
    {"float32", "f32", 32, true, true},  {"float16", "f16", 16, true, true}, {"int32", "i32", 32, false, true},
    {"uint32", "u32", 32, false, false}, {"int64", "i64", 64, false, true},  {"uint64", "u64", 64, false, false},
    {"int8", "i8", 8, false, true},      {"uint8", "u8", 8, false, false},   {"int4", "i4", 4, false, true},
    {"uint4", "u4", 4, false, false},    {"float64", "f64", 64, true, true},  // schema/elements/float64.hpp
};

const TypeRow& row_of(DataType type) { return type_rows[std::size_t(type)]; }

/// Bytes of `elements` elements. There are at most 2^31 of them, so nothing overflows.
std::uint64_t bytes_of(std::uint64_t elements, DataType type) { return div_up(elements * bits_of(type), 8); }

}  // namespace

std::string_view name_of(DataType type) { return row_of(type).name; }
std::string_view short_name_of(DataType type) { return row_of(type).short_name; }
unsigned bits_of(DataType type) { return row_of(type).bits; }
bool is_float(DataType type) { return row_of(type).is_float; }
bool is_signed(DataType type) { return row_of(type).is_signed; }

std::optional<DataType> parse_data_type(std::string_view name) {
  for (std::size_t i = 0; i < data_type_count; ++i)
    if (type_rows[i].name == name || type_rows[i].short_name == name) return DataType(i);
  return std::nullopt;
}

std::string DataTypes::text() const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < data_type_count; ++i)
    if (contains(DataType(i))) names.push_back(name_of(DataType(i)));
  return alternatives(names);
}

std::string alternatives(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string Shape::text() const {
  std::string text = "[";
  for (unsigned i = 0; i < rank_; ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(sizes_[i]);
  }
  return text + "]";
}

std::optional<std::uint64_t> checked_element_count(std::span<const std::uint32_t> sizes) {
  std::uint64_t count = 1;
  for (std::uint32_t size : sizes)
    if (__builtin_mul_overflow(count, std::uint64_t{size}, &count)) return std::nullopt;
  return count;
}

std::string OperandDescriptor::text() const { return sentence(type, shape); }

std::string descriptor_error(const OperandDescriptor& descriptor) {
  const Shape& shape = descriptor.shape;
  for (unsigned axis = 0; axis < shape.rank(); ++axis)
    if (shape[axis] == 0 || shape[axis] > max_dimension)
      return sentence("dimension ", axis, " is ", shape[axis], ", but a dimension is 1 to ", max_dimension);
  // All sizes are at least 1: a product that overflows exceeds the limit.
  const auto elements = checked_element_count(shape.sizes());
  if (!elements) return sentence(descriptor.text(), " has more elements than the limit of ", max_dimension);
  if (*elements > max_dimension)
    return sentence(descriptor.text(), " has ", *elements, " elements, but the limit is ", max_dimension);
  return size_error(descriptor, max_tensor_bytes);
}

std::string size_error(const OperandDescriptor& descriptor, std::uint64_t limit) {
  const std::uint64_t bytes = byte_length(descriptor);
  if (bytes <= limit) return {};
  return sentence(descriptor.text(), " takes ", bytes, " bytes, but the limit of a tensor is ", limit);
}

std::size_t element_count(const Shape& shape) {
  const auto count = checked_element_count(shape.sizes());
  assert(count);
  return count.value_or(0);
}

std::size_t byte_length(const OperandDescriptor& descriptor) {
  return bytes_of(element_count(descriptor.shape), descriptor.type);
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  const unsigned rank = std::max(a.rank(), b.rank());
  Shape result = Shape::filled(rank, 1);
  for (unsigned i = 0; i < rank; ++i) {  // from the last axis
    const std::uint32_t size_a = i < a.rank() ? a[a.rank() - 1 - i] : 1;
    const std::uint32_t size_b = i < b.rank() ? b[b.rank() - 1 - i] : 1;
    if (size_a != size_b && size_a != 1 && size_b != 1) return std::nullopt;
    result[rank - 1 - i] = size_a == 1 ? size_b : size_a;
  }
  return result;
}

}  // namespace webnn::schema
