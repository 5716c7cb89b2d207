// float64: a storage type for comparing errors, not a data type of graphs.
//
// It lies beyond the types that DataType lists: no file can name it, no operator's or kernel's row contains it, and a
// program with it is refused. Only the reference kernels know it, when a caller replaces float32 or float16 by it in a
// KernelSpec that has been checked.
#pragma once

#include "schema/elements/types.hpp"

namespace webnn::schema {

inline constexpr DataType float64 = DataType(data_type_count);

}  // namespace webnn::schema
