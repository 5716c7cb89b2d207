// How @quantizedAdd brings its operands to the scale of its result.
#pragma once

#include <cstddef>

namespace webnn::runtime::simd {

/// result = round(a * of_a + b * of_b + offset), saturated.
struct QuantizedSum {
  float of_a = 1, of_b = 1, offset = 0;
};

/// `count` elements of 8 bits.
using QuantizedAdd = void (*)(const QuantizedSum& sum, const void* a, const void* b, void* to, std::size_t count);

}  // namespace webnn::runtime::simd
