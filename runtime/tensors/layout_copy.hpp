// Copies a tensor between row-major and channels-last order, for elements of any size. It is how tensors change the
// layout in which a program left them, without a kernel.
#pragma once

#include <cstddef>
#include <span>

#include "schema/kernels/kernel_table.hpp"

namespace webnn::runtime {

using namespace webnn::schema;

/// Copies all elements from `from`, stored in `from_layout`, to `to`, stored in `to_layout`, with the threads of the
/// caller's Team. Both have the size of the descriptor and do not overlap. Layouts are row_major and channels_last; if
/// they differ, the rank is 4.
void copy_layout(std::span<std::byte> to, Layout to_layout, std::span<const std::byte> from, Layout from_layout,
                 const OperandDescriptor& descriptor);

/// memcpy, in parallel from some hundred kilobytes on.
void copy_bytes(std::span<std::byte> to, std::span<const std::byte> from);
/// Fills with zeros, likewise.
void clear_bytes(std::span<std::byte> to);

}  // namespace webnn::runtime
