// Data types, shapes and operand descriptors, used by all other files. Sizes are computed with overflow checks; nothing
// here allocates.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "schema/elements/data_type.hpp"

namespace webnn::schema {

/// A set of data types.
class DataTypes {
 public:
  constexpr DataTypes() = default;
  constexpr DataTypes(DataType type) : bits_(std::uint16_t(1u << unsigned(type))) {}
  constexpr DataTypes(std::initializer_list<DataType> types) {
    for (DataType type : types) bits_ = std::uint16_t(bits_ | (1u << unsigned(type)));
  }
  constexpr bool contains(DataType type) const { return (bits_ >> unsigned(type)) & 1u; }
  constexpr bool contains(DataTypes other) const { return (other.bits_ & ~bits_) == 0; }
  constexpr bool overlaps(DataTypes other) const { return (other.bits_ & bits_) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr DataTypes operator|(DataTypes other) const {
    DataTypes result;
    result.bits_ = std::uint16_t(bits_ | other.bits_);
    return result;
  }
  constexpr bool operator==(const DataTypes&) const = default;
  /// "float32, float16 or int32"
  std::string text() const;

 private:
  std::uint16_t bits_ = 0;
};

inline constexpr unsigned max_rank = 8;
inline constexpr std::uint32_t max_dimension = 0x7fffffffu;
/// The size limit of one tensor, in bytes (this project's maxTensorByteLength).
inline constexpr std::uint64_t max_tensor_bytes = 0x7fffffffu;

/// The dimensions of a tensor, outermost first: at most `max_rank` sizes, stored without allocation. Readers check rank
/// and sizes before they make one, so a Shape in a graph is always valid.
class Shape {
 public:
  constexpr Shape() = default;
  constexpr Shape(std::initializer_list<std::uint32_t> sizes) { assign(std::span(sizes.begin(), sizes.size())); }
  constexpr explicit Shape(std::span<const std::uint32_t> sizes) { assign(sizes); }
  static constexpr Shape filled(unsigned rank, std::uint32_t size) {
    Shape shape;
    for (unsigned i = 0; i < rank; ++i) shape.push_back(size);
    return shape;
  }

  constexpr unsigned rank() const { return rank_; }
  constexpr bool empty() const { return rank_ == 0; }
  constexpr std::uint32_t operator[](unsigned axis) const {
    assert(axis < rank_);
    return sizes_[axis];
  }
  constexpr std::uint32_t& operator[](unsigned axis) {
    assert(axis < rank_);
    return sizes_[axis];
  }
  constexpr void push_back(std::uint32_t size) {
    assert(rank_ < max_rank);
    sizes_[rank_++] = size;
  }
  constexpr const std::uint32_t* begin() const { return sizes_.data(); }
  constexpr const std::uint32_t* end() const { return sizes_.data() + rank_; }
  constexpr std::span<const std::uint32_t> sizes() const { return {sizes_.data(), rank_}; }
  constexpr bool operator==(const Shape& other) const {
    if (rank_ != other.rank_) return false;
    for (unsigned i = 0; i < rank_; ++i)
      if (sizes_[i] != other.sizes_[i]) return false;
    return true;
  }
  /// "[1, 3, 224, 224]"
  std::string text() const;

 private:
  constexpr void assign(std::span<const std::uint32_t> sizes) {
    assert(sizes.size() <= max_rank);
    for (std::uint32_t size : sizes) sizes_[rank_++] = size;
  }

  std::array<std::uint32_t, max_rank> sizes_{};
  std::uint8_t rank_ = 0;
};

/// The product of the sizes (1 for a scalar); nullopt when it does not fit in 64 bits.
std::optional<std::uint64_t> checked_element_count(std::span<const std::uint32_t> sizes);

/// MLOperandDescriptor: data type and shape of a tensor.
struct OperandDescriptor {
  DataType type = DataType::float32;
  Shape shape;

  bool operator==(const OperandDescriptor&) const = default;
  /// "float32[1, 3, 224, 224]"
  std::string text() const;
};

/// Why `descriptor` is invalid (a dimension outside 1..2^31-1, too many elements or bytes); empty when it is valid.
std::string descriptor_error(const OperandDescriptor& descriptor);
/// Why a valid descriptor is too large for a `limit` in bytes; empty when it is not.
std::string size_error(const OperandDescriptor& descriptor, std::uint64_t limit);
/// The number of elements, and of bytes, of a valid descriptor.
std::size_t element_count(const Shape& shape);
std::size_t byte_length(const OperandDescriptor& descriptor);

/// The shape of two shapes broadcast against each other (NumPy rules, "bidirectionally broadcasting shapes"); nullopt
/// when they are incompatible.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

}  // namespace webnn::schema
