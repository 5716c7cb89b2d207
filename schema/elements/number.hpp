// MLNumber: a number from a graph file or an API call, kept exact until its data type is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "schema/elements/data_type.hpp"

namespace webnn::schema {

/// A double, or a signed or unsigned 64-bit integer. Integers never pass through a double.
class WEBNN_API Number {
 public:
  enum class Kind : std::uint8_t { real, signed_integer, unsigned_integer };

  constexpr Number() : Number(0.0) {}
  constexpr Number(double value) : kind_(Kind::real), real_(value) {}
  constexpr Number(std::int64_t value) : kind_(Kind::signed_integer), signed_(value) {}
  constexpr Number(std::uint64_t value) : kind_(Kind::unsigned_integer), unsigned_(value) {}
  constexpr Number(int value) : Number(std::int64_t{value}) {}

  constexpr Kind kind() const { return kind_; }
  bool is_nan() const;
  bool is_finite() const;
  double as_double() const;
  /// Saturates. A real value is rounded half to even; NaN gives 0 (the specification's "cast" of a parameter).
  std::int64_t as_int64() const;
  std::uint64_t as_uint64() const;

  /// -1, 0 or 1, comparing the exact mathematical values; NaN is equal to itself and less than everything else.
  static int compare(const Number& a, const Number& b);
  /// The same number: equal by `compare` and, if zero, with the same sign (-0.0 is not 0).
  bool operator==(const Number& other) const;
  /// The shortest text that reads back as the same number; "NaN", "Infinity", "-Infinity".
  std::string text() const;

 private:
  Kind kind_;
  union {
    double real_;
    std::int64_t signed_;
    std::uint64_t unsigned_;
  };
};

/// Writes `value` cast to `type` into the first bytes of `out` (1 to 8; 4-bit types: the low nibble). This is "casting
/// a number to a data type": floats round to nearest even and overflow to infinity; integers round half to even, clamp,
/// and turn NaN into 0.
WEBNN_API void store(Number value, DataType type, std::byte* out);

}  // namespace webnn::schema
