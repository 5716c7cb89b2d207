// Conditions of kernel rows: what a kernel takes beyond operator and type. Each is a function of the spec alone, so
// that the compiler chooses and a loader proves by the same words.
#pragma once

#include "schema/kernels/kernel_table.hpp"

namespace webnn::schema {

// ---- onednn (kernel_conditions_onednn.cpp) --------------------------------------------------------------------------
// runtime/cpu/onednn/README.md says where oneDNN differs from the reference, and what was decided.
bool onednn_takes_convolution(const KernelSpec& spec);
/// @quantizedConv2d whose windows all see some of the input.
bool onednn_takes_quantized_convolution(const KernelSpec& spec);
bool onednn_takes_matmul(const KernelSpec& spec);
bool onednn_takes_convolution_post_ops(const KernelSpec& spec);
bool onednn_takes_contraction_post_ops(const KernelSpec& spec);
/// Whether gemm's c (where there is none: an addition for each column) may be the primitive's bias, which is neither
/// scaled nor added to other axes.
bool onednn_contraction_has_bias(const KernelSpec& spec);

/// How the other operand of a binary post-op meets the result.
enum class PostOpOperand : std::uint8_t {
  full,         // an element for each of the result's, in the same order
  per_channel,  // one for each index of the channel axis, or one for all
  other,
};
/// `channel_axis` counts from the end: 1 is the last axis, 3 the channels of a tensor in nchw order.
PostOpOperand classify_post_op_operand(const KernelSpec& spec, std::size_t operand, unsigned channel_axis);

/// Index in KernelSpec::inputs of the first operand of post-op `i` that comes from outside the node.
std::size_t first_operand_of_post_op(const KernelSpec& spec, std::size_t i);

// ---- simd (kernel_conditions_simd.cpp) ------------------------------------------------------------------------------
/// Most post-ops, and most operands of all steps of an elementwise group.
constexpr std::size_t longest_chain = 32, most_group_inputs = 36;
/// Post-ops of the families unary and binary that each take the running result only; all in the output's type, which is
/// a float type, with operands that broadcast to its shape.
bool elementwise_post_ops(const KernelSpec& spec);
/// The same, but they may take the results of earlier steps, too, and may all start from operands of their own.
bool elementwise_expression(const KernelSpec& spec);
/// An elementwise root operator with such post-ops; its operands broadcast to the output.
bool elementwise_group(const KernelSpec& spec);
/// The same with comparisons, predicates, logicalNot, where, and casts from them and between float types among the
/// steps. The results of steps are floats and truth values, and the last one may be cast to a narrow integer.
bool simd_takes_group(const KernelSpec& spec);
/// A window operator on a tensor of logical order nchw.
bool window_of_nchw(const KernelSpec& spec);
/// Values of 32 bits, float16 and 8-bit integers.
bool simd_takes_where(const KernelSpec& spec);
/// Between types of up to 32 bits, but not between floats and uint32.
bool simd_takes_cast(const KernelSpec& spec);
/// To 8-bit integers.
bool simd_takes_quantize(const KernelSpec& spec);

// ---- simd, groups with operators along rows (row_group.hpp) --------------------------------------------------------
/// A group on float32 of elementwise operators and at least one along rows, all of one length; a reduction may be
/// followed by elementwise operators only. Steps see no result from before an operator along rows but its own.
bool simd_takes_row_group(const KernelSpec& spec);
/// For rows that take calls with post-ops only.
bool has_post_ops(const KernelSpec& spec);

// ---- simd, along axes (kernel_conditions_simd_axes.cpp) -------------------------------------------------------------
/// Axes that are neighbours in memory, whichever the layout.
bool simd_takes_layer_normalization(const KernelSpec& spec);
/// The attribute `layout` says nchw: the layout is the plan's business alone.
bool simd_takes_nchw(const KernelSpec& spec);
/// argMin and argMax of a tensor of rank 4 whose results lie in the order of the input's memory, whichever the layout.
bool simd_arg_keeps_order(const KernelSpec& spec);
/// resample2d over the last two axes; over two axes that are neighbours in row-major order.
bool simd_resamples_height_and_width(const KernelSpec& spec);
bool simd_resamples_neighbours(const KernelSpec& spec);
/// The nearest elements over the last two axes, which are copied.
bool simd_resamples_nearest(const KernelSpec& spec);
/// gru, lstm and their cells whose weights, with units rounded up to 16, are no larger than a tensor may be.
bool simd_takes_recurrent(const KernelSpec& spec);
/// gemm and matmul of a few rows with one matrix, for which panels of up to 32 columns are no waste.
bool simd_takes_few_rows(const KernelSpec& spec);
/// @blockQuantizedMatmul whose blocks fill words of 32 bits along the inner axis, or nearly so, and whose columns fill
/// panels of up to 32.
bool simd_takes_block_quantized_matmul(const KernelSpec& spec);
/// convTranspose2d whose windows neither overlap nor leave gaps, to fewer channels than fill oneDNN's vectors.
bool simd_takes_conv_transpose(const KernelSpec& spec);
/// conv2d of each channel by itself, with windows of 3 or 5 columns that move by 1 or 2.
bool simd_takes_depthwise(const KernelSpec& spec);
/// conv2d with windows of one pixel, without padding and groups.
bool simd_takes_pointwise(const KernelSpec& spec);
/// @quantizedConv2d of each channel by itself to bytes, with windows of 3x3 or 5x5 that move by 1 or 2 columns.
bool simd_takes_quantized_depthwise(const KernelSpec& spec);
/// @quantizedConv2d of 16 pixels or more, each by itself, from a multiple of four channels to bytes of 32 or more.
bool simd_takes_quantized_pointwise(const KernelSpec& spec);
/// conv2d with 3x3 windows side by side, channels that fill vectors, and pixels enough that a transform pays.
bool simd_takes_winograd(const KernelSpec& spec);
/// The side of the tiles for which that takes least, 2 or 4; 1 when no transform pays.
std::uint32_t winograd_tile(const KernelSpec& spec);
/// What it takes at most: channels of the input, and elements of a window with all output channels.
constexpr std::size_t spread_most_channels = 256, spread_most_results = 64;
/// @attention whose heads have at most this many features.
bool simd_takes_attention(const KernelSpec& spec);
constexpr std::size_t attention_most_features = 512;
/// Windows whose sums of bytes an int32 holds.
bool simd_takes_quantized_average(const KernelSpec& spec);
/// Pooling with one window that is the whole plane.
bool simd_takes_global_pool(const KernelSpec& spec);

// ---- xnnpack (kernel_conditions_xnnpack.cpp) ------------------------------------------------------------------------
// runtime/cpu/xnnpack/README.md says where XNNPACK differs from the reference.
/// conv2d and convTranspose2d as canonicalize writes them, whose output is less than one stride larger than it need be.
bool xnnpack_takes_convolution(const KernelSpec& spec);
/// gemm and matmul with one matrix on the right, and for gemm a bias.
bool xnnpack_takes_product(const KernelSpec& spec);
/// Windows of several neighbours, but not many, that all see some of the input.
bool xnnpack_takes_max_pool(const KernelSpec& spec);
/// Linear interpolation over height and width.
bool xnnpack_takes_resample(const KernelSpec& spec);
/// Scales that a float32 holds with all its digits, and a quantised result.
bool xnnpack_takes_quantized_convolution(const KernelSpec& spec);
/// Three tensors of one type, whose scales are not too far apart.
bool xnnpack_takes_quantized_add(const KernelSpec& spec);
/// One relu or clamp, which is the range of the results.
bool xnnpack_takes_post_ops(const KernelSpec& spec);

// ---- vulkan (kernel_conditions_vulkan.cpp) --------------------------------------------------------------------------
/// Tensors nchw, filters oihw (transposed: iohw), as canonicalize writes convolutions.
bool vulkan_takes_convolution(const KernelSpec& spec);
/// Window operators whose attributes lead to no position in or outside of the input that 31 bits do not hold.
bool vulkan_positions_are_narrow(const KernelSpec& spec);
/// matmul, gemm and such convolutions whose products of matrices fill tiles of 64 x 64 elements to a fair part. Here
/// and in the next one: convolutions with narrow positions only.
bool vulkan_takes_tiles(const KernelSpec& spec);
/// Such conv2d whose groups have one input channel each.
bool vulkan_takes_depthwise(const KernelSpec& spec);
/// @attention whose heads have at most 256 features.
bool vulkan_takes_attention(const KernelSpec& spec);

}  // namespace webnn::schema
