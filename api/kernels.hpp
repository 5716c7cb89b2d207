// All kernels of this build, of every device: the table that compiler and loader are given.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::api {

const schema::KernelTable& kernel_table();
/// The row with this name ("simd.softmax.avx2").
std::optional<schema::KernelId> find_kernel(std::string_view name);

/// The providers of CPU kernels, each once, in the order of the table.
std::vector<std::string_view> cpu_providers();

}  // namespace webnn::api
