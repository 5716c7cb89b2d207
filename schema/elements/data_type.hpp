// The data types of tensor elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "schema/export.h"

namespace webnn::schema {

/// MLOperandDataType of the specification, and the two 4-bit types that browsers add.
enum class DataType : std::uint8_t { float32, float16, int32, uint32, int64, uint64, int8, uint8, int4, uint4 };

inline constexpr std::size_t data_type_count = 10;

/// The specification's spelling: "float32", ...
WEBNN_API std::string_view name_of(DataType type);
/// The spelling in the `.webnn` text format: "f32", ...
WEBNN_API std::string_view short_name_of(DataType type);
WEBNN_API std::optional<DataType> parse_data_type(std::string_view name);
/// Bits of one element: 4 to 64. Elements of 4 bits are packed two per byte, low nibble first.
WEBNN_API unsigned bits_of(DataType type);
WEBNN_API bool is_float(DataType type);
WEBNN_API bool is_signed(DataType type);

}  // namespace webnn::schema
