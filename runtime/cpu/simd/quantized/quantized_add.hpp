// How @quantizedAdd converts its operands to the scale of its result.
#pragma once

#include <cstddef>
#include <cstdint>

namespace webnn::runtime::simd {

/// int8 bytes have their highest bit flipped (XOR with `flip_*`), so that all are uint8. Then result = round(a * of_a +
/// b * of_b + offset), saturated.
struct QuantizedSum {
  std::uint8_t flip_a = 0, flip_b = 0, flip_result = 0;
  float of_a = 1, of_b = 1, offset = 0;
};

/// Adds `count` bytes.
using QuantizedAdd = void (*)(const QuantizedSum& sum, const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* to,
                              std::size_t count);

}  // namespace webnn::runtime::simd
