// float16 storage: 16 bits, converted with round-to-nearest-even. Arithmetic is done in float32.
#pragma once

#include <bit>
#include <cstdint>

namespace webnn::schema {

constexpr std::uint16_t half_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return std::uint16_t(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));  // NaN, made quiet
  if (magnitude >= 0x477ff000u) return std::uint16_t(sign | 0x7c00u);  // rounds to 2^16 or more: infinity
  if (magnitude < 0x33000001u) return std::uint16_t(sign);             // at most half of the smallest subnormal: zero
  std::uint32_t mantissa;
  std::uint32_t shift;
  std::uint32_t exponent;
  if (magnitude < 0x38800000u) {  // subnormal half
    shift = 126u - (magnitude >> 23);
    mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    exponent = 0;
  } else {
    shift = 13u;
    mantissa = magnitude & 0x7fffffu;
    exponent = (magnitude >> 23) - 112u;
  }
  std::uint32_t result = (exponent << 10) + (mantissa >> shift);
  const std::uint32_t rest = mantissa & ((1u << shift) - 1u);
  const std::uint32_t middle = 1u << (shift - 1u);
  if (rest > middle || (rest == middle && (result & 1u))) ++result;  // a carry correctly runs into the exponent
  return std::uint16_t(sign | result);
}

constexpr float half_value(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t mantissa = half & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
  const float magnitude = float(mantissa) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

/// One float16 number; conversions only.
struct Half {
  std::uint16_t bits = 0;

  constexpr Half() = default;
  constexpr explicit Half(float value) : bits(half_bits(value)) {}
  constexpr explicit operator float() const { return half_value(bits); }
  static constexpr Half from_bits(std::uint16_t bits) {
    Half half;
    half.bits = bits;
    return half;
  }
};

static_assert(sizeof(Half) == 2);

}  // namespace webnn::schema
