// One element of a tensor by its index, of any data type; for reports, generators and comparisons, not for kernels.
#pragma once

#include <cstddef>

#include "schema/elements/number.hpp"
#include "schema/elements/types.hpp"

namespace webnn::schema {

/// Element `index` of row-major data of `type`. Integers are exact, float16 and float32 widened.
Number load_element(DataType type, const std::byte* data, std::size_t index);

/// Stores `value` cast to `type` as element `index`; 4-bit types leave the other nibble of the byte alone.
void store_element(Number value, DataType type, std::byte* data, std::size_t index);

}  // namespace webnn::schema
