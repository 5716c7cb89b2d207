// Conditions of kernel rows that several providers share.
#pragma once

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// Types of the first operand that several rows allow.
inline constexpr DataTypes floats{DataType::float32, DataType::float16};
inline constexpr DataTypes int8_or_uint8{DataType::int8, DataType::uint8};
inline constexpr DataTypes narrow_integer = int8_or_uint8 | DataType::int32;
inline constexpr DataTypes castable = floats | narrow_integer;
inline constexpr DataTypes float32_or_integer{DataType::float32, DataType::int32, DataType::uint32, DataType::int64,
                                              DataType::uint64,  DataType::int8,  DataType::uint8};
inline constexpr DataTypes whole_bytes = float32_or_integer | DataType::float16;

/// The maximum number of post-ops, and of operands of all steps together, in an elementwise group.
inline constexpr std::size_t longest_chain = most_post_ops, most_group_inputs = 36;
/// Whether every operand broadcasts to the output.
bool operands_broadcast(const KernelSpec& spec);
/// The post-ops are of the families unary and binary, and each takes the running result only. All have the output's
/// type, a float type, and their operands broadcast to its shape. The vector kernels have functions for them.
bool elementwise_post_ops(const KernelSpec& spec);
/// As elementwise_post_ops, but post-ops may also take results of earlier steps, or only operands from outside, and need no
/// vector functions.
bool elementwise_expression(const KernelSpec& spec);
/// An elementwise root operator with such post-ops; its operands broadcast to the output.
bool elementwise_group(const KernelSpec& spec);

/// The vector kernels have a function for each of the elementwise operators.
bool has_vector_functions(const KernelSpec& spec);

/// The attribute `layout` is nchw: only the plan decides the layout in memory.
bool is_nchw(const KernelSpec& spec);
/// resample2d over the last two axes, which are neighbours in row-major order.
bool resamples_height_and_width(const KernelSpec& spec);
/// Whether gemm's c can be the primitive's bias (without a c: an addition for each column). A bias is neither scaled
/// nor broadcast along other axes.
bool product_has_bias(const KernelSpec& spec);

}  // namespace webnn::runtime
