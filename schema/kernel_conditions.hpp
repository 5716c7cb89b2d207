// Conditions of kernel rows: what a kernel takes beyond operator and type. Each is a function of the spec alone, so
// that the compiler chooses and a loader proves by the same words.
#pragma once

#include "schema/kernel_table.hpp"

namespace webnn::schema {}  // namespace webnn::schema
