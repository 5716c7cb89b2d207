// All kernels of this build, of every device: the table that compiler and loader are given.
#pragma once

#include <optional>
#include <string_view>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::api {

const schema::KernelTable& kernel_table();
/// The row with this name ("simd.softmax.avx2").
std::optional<schema::KernelId> find_kernel(std::string_view name);

}  // namespace webnn::api
