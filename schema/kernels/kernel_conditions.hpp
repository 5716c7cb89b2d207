// Conditions of kernel rows: what a kernel requires beyond operator and type. Each is a function of the spec alone, so
// that the compiler (which chooses) and the loader (which verifies) use the same code.
#pragma once

#include "schema/kernels/kernel_table.hpp"

namespace webnn::schema {

// ---- onednn (kernel_conditions_onednn.cpp) --------------------------------------------------------------------------
// runtime/cpu/onednn/README.md says where oneDNN differs from the reference, and what was decided.
bool onednn_takes_convolution(const KernelSpec& spec);
/// @quantizedConv2d in which every window sees some of the input.
bool onednn_takes_quantized_convolution(const KernelSpec& spec);
bool onednn_takes_matmul(const KernelSpec& spec);
bool onednn_takes_convolution_post_ops(const KernelSpec& spec);
bool onednn_takes_contraction_post_ops(const KernelSpec& spec);
/// Whether gemm's c can be the primitive's bias (without a c: an addition for each column). A bias is neither scaled
/// nor broadcast along other axes.
bool onednn_contraction_has_bias(const KernelSpec& spec);

/// How the other operand of a binary post-op relates to the result.
enum class PostOpOperand : std::uint8_t {
  full,         // one element for each of the result's, in the same order
  per_channel,  // one element for each index of the channel axis, or a single one
  other,
};
/// `channel_axis` counts from the end: 1 is the last axis, 3 the channel axis of an nchw tensor.
PostOpOperand classify_post_op_operand(const KernelSpec& spec, std::size_t operand, unsigned channel_axis);

// ---- simd (kernel_conditions_simd.cpp) ------------------------------------------------------------------------------
/// The maximum number of post-ops, and of operands of all operations together, in an elementwise group.
constexpr std::size_t longest_chain = 32, most_group_inputs = 36;
/// The post-ops are of the families unary and binary, and each takes the running result only. All have the output's
/// type, a float type, and their operands broadcast to its shape.
bool elementwise_post_ops(const KernelSpec& spec);
/// The same, but post-ops may also take results of earlier operations, or only operands from outside.
bool elementwise_expression(const KernelSpec& spec);
/// An elementwise root operator with such post-ops; its operands broadcast to the output.
bool elementwise_group(const KernelSpec& spec);
/// The same, and also comparisons, predicates, logicalNot, where, casts of truth values, and casts between float types.
/// All operations give floats or truth values, except that the last one may cast to a narrow integer type.
bool simd_takes_group(const KernelSpec& spec);
/// A window operator on an nchw tensor.
bool window_of_nchw(const KernelSpec& spec);
/// Types of 32 bits, float16 and 8-bit integers.
bool simd_takes_where(const KernelSpec& spec);
/// Between types of up to 32 bits, except from float to uint32.
bool simd_takes_cast(const KernelSpec& spec);
/// To 8-bit integers.
bool simd_takes_quantize(const KernelSpec& spec);

// ---- simd, groups with operators along rows (row_group.hpp) --------------------------------------------------------
/// A float32 group of elementwise operators and at least one operator along rows. All rows have the same length. Behind
/// a reduction there are elementwise operators only. No operation reads a result from before the last operator along
/// rows, except that operator itself.
bool simd_takes_row_group(const KernelSpec& spec);
/// For rows that only take calls with post-ops.
bool has_post_ops(const KernelSpec& spec);

// ---- simd, along axes (kernel_conditions_simd_axes.cpp) -------------------------------------------------------------
/// The normalised axes are neighbours in memory, in either layout.
bool simd_takes_layer_normalization(const KernelSpec& spec);
/// The attribute `layout` is nchw: only the plan decides the layout in memory.
bool simd_takes_nchw(const KernelSpec& spec);
/// argMin and argMax of a tensor of rank 4 whose results have the same order in memory as the input, in either layout.
bool simd_arg_keeps_order(const KernelSpec& spec);
/// resample2d over the last two axes, which are neighbours in row-major order.
bool simd_resamples_height_and_width(const KernelSpec& spec);
bool simd_resamples_neighbours(const KernelSpec& spec);
/// Nearest-neighbour resampling over the last two axes: it only copies elements.
bool simd_resamples_nearest(const KernelSpec& spec);
/// gru, lstm and their cells whose weights stay within the size limit of a tensor when units are rounded up to 16.
bool simd_takes_recurrent(const KernelSpec& spec);
/// gemm and matmul of a few rows with one matrix, whose columns fill panels of up to 32 without much padding.
bool simd_takes_few_rows(const KernelSpec& spec);
/// @blockQuantizedMatmul whose blocks fill 32-bit words along the inner axis, at least nearly, and whose columns fill
/// panels of up to 32.
bool simd_takes_block_quantized_matmul(const KernelSpec& spec);
/// convTranspose2d whose windows neither overlap nor leave gaps, with too few output channels to fill oneDNN's vectors.
bool simd_takes_conv_transpose(const KernelSpec& spec);
/// Depthwise conv2d with windows of 3 or 5 columns and a horizontal stride of 1 or 2.
bool simd_takes_depthwise(const KernelSpec& spec);
/// conv2d with 1x1 windows, without padding and groups.
bool simd_takes_pointwise(const KernelSpec& spec);
/// Depthwise @quantizedConv2d with int8 or uint8 results, windows of 3x3 or 5x5, and a horizontal stride of 1 or 2.
bool simd_takes_quantized_depthwise(const KernelSpec& spec);
/// Pointwise @quantizedConv2d with int8 or uint8 results: at least 16 pixels, a multiple of 4 input channels, at least
/// 32 output channels.
bool simd_takes_quantized_pointwise(const KernelSpec& spec);
/// conv2d with 3x3 windows, stride 1, channels that fill vectors, and enough pixels that a Winograd transform pays.
bool simd_takes_winograd(const KernelSpec& spec);
/// The tile size with the lowest cost, 2 or 4; 1 when no transform pays.
std::uint32_t winograd_tile(const KernelSpec& spec);
/// Limits of simd_takes_conv_transpose: input channels, and elements of a window over all output channels.
constexpr std::size_t spread_most_channels = 256, spread_most_results = 64;
/// @attention whose heads have at most this many features.
bool simd_takes_attention(const KernelSpec& spec);
constexpr std::size_t attention_most_features = 512;
/// Windows whose sums of bytes fit in an int32.
bool simd_takes_quantized_average(const KernelSpec& spec);
/// Pooling with one window over the whole plane.
bool simd_takes_global_pool(const KernelSpec& spec);

// ---- xnnpack (kernel_conditions_xnnpack.cpp) ------------------------------------------------------------------------
// runtime/cpu/xnnpack/README.md says where XNNPACK differs from the reference.
/// conv2d and convTranspose2d in canonical layout. The output of convTranspose2d is at least one stride long in each
/// direction.
bool xnnpack_takes_convolution(const KernelSpec& spec);
/// gemm and matmul with one matrix on the right; gemm's c, if any, is a bias.
bool xnnpack_takes_product(const KernelSpec& spec);
/// Windows of 2 to 9 adjacent elements, each of which sees some of the input.
bool xnnpack_takes_max_pool(const KernelSpec& spec);
/// Linear interpolation over height and width.
bool xnnpack_takes_resample(const KernelSpec& spec);
/// Scales that are normal float32 numbers, and a quantised result.
bool xnnpack_takes_quantized_convolution(const KernelSpec& spec);
/// Three tensors of one type with ratios of scales that XNNPACK supports.
bool xnnpack_takes_quantized_add(const KernelSpec& spec);
/// One relu or clamp, which becomes the output range.
bool xnnpack_takes_post_ops(const KernelSpec& spec);

// ---- vulkan (kernel_conditions_vulkan.cpp) --------------------------------------------------------------------------
/// nchw tensors and oihw filters (convTranspose2d: iohw), as canonicalize writes convolutions.
bool vulkan_takes_convolution(const KernelSpec& spec);
/// Window operators whose positions, inside and outside of the input, fit in 31 bits.
bool vulkan_positions_are_narrow(const KernelSpec& spec);
/// matmul, gemm and such conv2d whose matrix products fill 64 x 64 tiles to a fair part. Here and below, convolutions
/// must have narrow positions.
bool vulkan_takes_tiles(const KernelSpec& spec);
/// Such conv2d with one input channel per group.
bool vulkan_takes_depthwise(const KernelSpec& spec);
/// @attention whose heads have at most 256 features.
bool vulkan_takes_attention(const KernelSpec& spec);

}  // namespace webnn::schema
