// float64: a storage type for measuring errors, not a data type of graphs.
//
// It is outside the types that DataType lists: no file can name it, no operator or kernel row contains it, and a
// program with it is rejected. Only the reference kernels support it, when a caller substitutes it for float32 or
// float16 in a KernelSpec that has already been checked.
#pragma once

#include "schema/elements/types.hpp"

namespace webnn::schema {

inline constexpr DataType float64 = DataType(data_type_count);

}  // namespace webnn::schema
