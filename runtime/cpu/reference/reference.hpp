// Shared by all reference kernels: storage types, a single rounding per result, strides and walks over shapes.
//
// A reference kernel is the plainest program that follows the specification. It computes in double precision (integers:
// 64 bits) and rounds once when an element is stored, so that faster kernels can be compared with it. All attributes
// are read when a kernel is prepared; the function that runs captures plain values, does not allocate and does not
// throw.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "runtime/cpu_kernel.hpp"
#include "runtime/strides.hpp"
#include "schema/elements/float64.hpp"
#include "schema/elements/half.hpp"
#include "schema/elements/number.hpp"
#include "schema/error.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::reference {

/// The bytes of constant operands, as passed to PrepareFunction.
using Constants = std::span<const std::span<const std::byte>>;

// ---- storage types ------------------------------------------------------------------------------------------------

/// One element of a 4-bit type, unpacked. In memory two of them share a byte, the first one in the low nibble.
struct Int4 {
  std::int8_t value = 0;  // -8..7
};
struct Uint4 {
  std::uint8_t value = 0;  // 0..15
};

template <typename T>
inline constexpr bool is_4bit = std::is_same_v<T, Int4> || std::is_same_v<T, Uint4>;
template <typename T>
inline constexpr bool is_real = std::is_same_v<T, float> || std::is_same_v<T, Half> || std::is_same_v<T, double>;

template <typename T>
consteval DataType data_type_of() {
  if constexpr (std::is_same_v<T, float>) return DataType::float32;
  if constexpr (std::is_same_v<T, Half>) return DataType::float16;
  if constexpr (std::is_same_v<T, std::int32_t>) return DataType::int32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return DataType::uint32;
  if constexpr (std::is_same_v<T, std::int64_t>) return DataType::int64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return DataType::uint64;
  if constexpr (std::is_same_v<T, std::int8_t>) return DataType::int8;
  if constexpr (std::is_same_v<T, std::uint8_t>) return DataType::uint8;
  if constexpr (std::is_same_v<T, Int4>) return DataType::int4;
  if constexpr (std::is_same_v<T, Uint4>) return DataType::uint4;
  if constexpr (std::is_same_v<T, double>) return float64;
}

/// The type to compute with: double for floats, the widest integer type of the same signedness for integers.
template <typename T>
using arithmetic_t = std::conditional_t<
    is_real<T>, double,
    std::conditional_t<std::is_unsigned_v<T> || std::is_same_v<T, Uint4>, std::uint64_t, std::int64_t>>;

template <typename T>
constexpr arithmetic_t<T> load(T element) {
  if constexpr (std::is_same_v<T, Half>) {
    return double(float(element));
  } else if constexpr (is_4bit<T>) {
    return element.value;
  } else {
    return element;
  }
}

/// For a number of the computing type; integers are never NaN.
template <typename Wide>
constexpr bool is_nan(Wide value) {
  if constexpr (std::is_floating_point_v<Wide>) {
    return value != value;
  } else {
    return false;
  }
}

/// The float16 nearest to `value`, ties to even, in one rounding.
constexpr Half round_to_half(double value) {
  float rounded = float(value);
  const bool inexact = double(rounded) != value && value == value;
  if (inexact && rounded - rounded == 0.0f) {
    // Rounds to odd, so that the second conversion never mistakes an inexact float for a tie.
    auto bits = std::bit_cast<std::uint32_t>(rounded);
    const bool away_from_zero = value < 0 ? double(rounded) < value : double(rounded) > value;
    if (away_from_zero) --bits;
    rounded = std::bit_cast<float>(bits | 1u);
  }
  return Half(rounded);
}

/// Rounds a result once to its storage type. Integers keep their low bits: overflow wraps.
template <typename T>
constexpr T store(arithmetic_t<T> result) {
  if constexpr (std::is_same_v<T, Half>) {
    return round_to_half(result);
  } else if constexpr (std::is_same_v<T, Int4>) {
    return {std::int8_t(std::int8_t(std::uint8_t(result) << 4) >> 4)};
  } else if constexpr (std::is_same_v<T, Uint4>) {
    return {std::uint8_t(result & 0xf)};
  } else {
    return T(result);
  }
}

/// A number of the call as an element of type T ("casting a number to a data type").
template <typename T>
T cast_number(Number value) {
  static_assert(!is_4bit<T>);
  std::byte bytes[sizeof(T)];
  schema::store(value, data_type_of<T>(), bytes);
  T element;
  std::memcpy(&element, bytes, sizeof element);
  return element;
}

/// A real attribute (alpha, epsilon, ...) cast to the operand's type, ready to compute with.
template <typename T>
double parameter(double attribute) {
  return load(cast_number<T>(Number(attribute)));
}

// ---- memory -------------------------------------------------------------------------------------------------------

template <typename T>
const T* input(const KernelArguments& arguments, std::size_t index) {
  static_assert(!is_4bit<T>, "4-bit elements are packed: use element()");
  return reinterpret_cast<const T*>(arguments.inputs[index]);
}
/// Null when the operand is absent.
template <typename T>
const T* optional_input(const KernelArguments& arguments, std::size_t index) {
  return index < arguments.inputs.size() ? input<T>(arguments, index) : nullptr;
}
template <typename T>
T* output(const KernelArguments& arguments, std::size_t index = 0) {
  static_assert(!is_4bit<T>, "4-bit elements are packed: use set_element()");
  return reinterpret_cast<T*>(arguments.outputs[index]);
}

/// Element `index` of a tensor of any type, including packed types.
template <typename T>
T element(const std::byte* data, std::size_t index) {
  if constexpr (is_4bit<T>) {
    const auto byte = std::to_integer<unsigned>(data[index / 2]);
    return store<T>(arithmetic_t<T>(index % 2 ? byte >> 4 : byte & 0xfu));
  } else {
    return reinterpret_cast<const T*>(data)[index];
  }
}

/// Writes element `index`. Packed elements must be written in ascending order: an even one clears the high nibble of
/// its byte, so that the padding of an odd count is zero.
template <typename T>
void set_element(std::byte* data, std::size_t index, T value) {
  if constexpr (is_4bit<T>) {
    const auto nibble = std::byte(std::uint8_t(value.value) & 0xfu);
    if (index % 2) {
      data[index / 2] |= nibble << 4;
    } else {
      data[index / 2] = nibble;
    }
  } else {
    reinterpret_cast<T*>(data)[index] = value;
  }
}

// ---- choosing code by type ----------------------------------------------------------------------------------------

/// double is for the oracle (schema/elements/float64.hpp): where it replaces a float type of the graph, nothing is
/// rounded.
template <typename... T>
struct TypeList {};
using FloatTypes = TypeList<float, Half, double>;
using SignedTypes = TypeList<float, Half, double, std::int64_t, std::int32_t, std::int8_t>;
using WideTypes = TypeList<float, Half, double, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
using IndexTypes = TypeList<std::int32_t, std::uint32_t, std::int64_t>;
using AnyTypes =
    TypeList<float, Half, double, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, std::int8_t, std::uint8_t>;
using QuantizedTypes = TypeList<std::uint8_t, std::int8_t, std::uint32_t, std::int32_t, Int4, Uint4>;
using AnyAnd4BitTypes = TypeList<float, Half, double, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t,
                                 std::int8_t, std::uint8_t, Int4, Uint4>;

/// Calls `visit.operator()<T>()` with the storage type of `type`; used when a kernel is prepared. Throws Error when the
/// type is not in the list, which the operator's row does not allow to happen.
///   return dispatch(FloatTypes{}, type, [&]<typename T>() { return Kernel{...}; });
template <typename... T, typename Visit>
Kernel dispatch(TypeList<T...>, DataType type, Visit&& visit) {
  Kernel kernel;
  const bool found = ((data_type_of<T>() == type && (kernel = visit.template operator()<T>(), true)) || ...);
  if (!found) throw Error(ExitCode::unsupported, "no reference kernel takes " + std::string(name_of(type)) + " here");
  return kernel;
}

/// For kernels that move elements unchanged: calls with an unsigned type of the same size.
template <typename Visit>
Kernel dispatch_size(DataType type, Visit&& visit) {
  switch (bits_of(type)) {
    case 8:
      return visit.template operator()<std::uint8_t>();
    case 16:
      return visit.template operator()<std::uint16_t>();
    case 32:
      return visit.template operator()<std::uint32_t>();
    case 64:
      return visit.template operator()<std::uint64_t>();
    default:
      throw Error(ExitCode::unsupported, "no reference kernel moves elements of " + std::string(name_of(type)));
  }
}

/// A kernel without scratch memory, from a function of KernelArguments.
template <typename Run>
Kernel make_kernel(Run run) {
  return Kernel{std::move(run), 0};
}

// ---- strides and walks --------------------------------------------------------------------------------------------

/// Position in each axis.
using Index = std::array<std::int64_t, max_rank>;

/// The strides along `axes`, in that order.
inline Strides pick(const Strides& strides, std::span<const std::uint32_t> axes) {
  Strides picked{};
  for (std::size_t i = 0; i < axes.size(); ++i) picked[i] = strides[axes[i]];
  return picked;
}

/// Visits every index of `shape` in row-major order with the offsets of N tensors: visit(offsets), where offsets[i] is
/// the sum of index * strides[i]. A scalar is visited once.
template <std::size_t N, typename Visit>
void for_each_offset(const Shape& shape, const std::array<Strides, N>& strides, Visit&& visit) {
  std::array<std::int64_t, N> offsets{};
  if (shape.rank() == 0) {
    visit(offsets);
    return;
  }
  const unsigned last = shape.rank() - 1;
  const std::uint32_t count = shape[last];
  std::array<std::uint32_t, max_rank> index{};
  while (true) {
    for (std::uint32_t i = 0; i < count; ++i) {
      visit(std::as_const(offsets));
      for (std::size_t t = 0; t < N; ++t) offsets[t] += strides[t][last];
    }
    for (std::size_t t = 0; t < N; ++t) offsets[t] -= strides[t][last] * count;
    unsigned axis = last;  // carry
    while (axis > 0) {
      --axis;
      for (std::size_t t = 0; t < N; ++t) offsets[t] += strides[t][axis];
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
      for (std::size_t t = 0; t < N; ++t) offsets[t] -= strides[t][axis] * shape[axis];
      if (axis == 0) return;
    }
    if (last == 0) return;
  }
}

/// The same with the offset of one tensor: visit(offset).
template <typename Visit>
void for_each_offset(const Shape& shape, const Strides& strides, Visit&& visit) {
  for_each_offset(shape, std::array<Strides, 1>{strides}, [&](const auto& offsets) { visit(offsets[0]); });
}

/// Visits every index of `shape` in row-major order: visit(index, number of the visit).
template <typename Visit>
void for_each_index(const Shape& shape, Visit&& visit) {
  Index index{};
  for (std::size_t number = 0;; ++number) {
    visit(std::as_const(index), number);
    unsigned axis = shape.rank();
    while (true) {
      if (axis == 0) return;
      --axis;
      if (++index[axis] < std::int64_t(shape[axis])) break;
      index[axis] = 0;
    }
  }
}

}  // namespace webnn::runtime::reference
