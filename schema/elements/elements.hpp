// Access to single elements of a tensor of any data type; for reports, generators and comparisons, not for kernels.
#pragma once

#include <cstddef>

#include "schema/elements/number.hpp"
#include "schema/elements/types.hpp"

namespace webnn::schema {

/// Element `index` of row-major data of `type`. Integers are exact; float16 and float32 are widened.
Number load_element(DataType type, const std::byte* data, std::size_t index);

/// Stores `value`, cast to `type`, as element `index`. For 4-bit types the other nibble of the byte is left alone.
void store_element(Number value, DataType type, std::byte* data, std::size_t index);

}  // namespace webnn::schema
