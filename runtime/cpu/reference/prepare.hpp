// The prepare functions of the reference kernels, one for each `reference.*` row of schema/kernels.def.
#pragma once

#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {

using Constants = std::span<const std::span<const std::byte>>;

// Elementwise: unary.cpp, binary.cpp, comparison.cpp, logical.cpp, where.cpp, cast.cpp
Kernel prepare_unary(const KernelSpec&, Constants);
Kernel prepare_binary(const KernelSpec&, Constants);
Kernel prepare_comparison(const KernelSpec&, Constants);
Kernel prepare_logical(const KernelSpec&, Constants);
Kernel prepare_predicate(const KernelSpec&, Constants);
Kernel prepare_where(const KernelSpec&, Constants);
Kernel prepare_cast(const KernelSpec&, Constants);

// Movement: movement.cpp, pad.cpp, indexed.cpp
Kernel prepare_copy(const KernelSpec&, Constants);
Kernel prepare_concat(const KernelSpec&, Constants);
Kernel prepare_expand(const KernelSpec&, Constants);
Kernel prepare_pad(const KernelSpec&, Constants);
Kernel prepare_reverse(const KernelSpec&, Constants);
Kernel prepare_reorder(const KernelSpec&, Constants);
Kernel prepare_slice(const KernelSpec&, Constants);
Kernel prepare_split(const KernelSpec&, Constants);
Kernel prepare_tile(const KernelSpec&, Constants);
Kernel prepare_transpose(const KernelSpec&, Constants);
Kernel prepare_triangular(const KernelSpec&, Constants);
Kernel prepare_gather(const KernelSpec&, Constants);
Kernel prepare_gather_elements(const KernelSpec&, Constants);
Kernel prepare_gather_nd(const KernelSpec&, Constants);
Kernel prepare_scatter_elements(const KernelSpec&, Constants);
Kernel prepare_scatter_nd(const KernelSpec&, Constants);

// Along axes: reduction.cpp, arg_reduction.cpp, cumulative_sum.cpp
Kernel prepare_reduction(const KernelSpec&, Constants);
Kernel prepare_arg_reduction(const KernelSpec&, Constants);
Kernel prepare_cumulative_sum(const KernelSpec&, Constants);

// Statistics: normalization.cpp, softmax.cpp
Kernel prepare_batch_normalization(const KernelSpec&, Constants);
Kernel prepare_instance_normalization(const KernelSpec&, Constants);
Kernel prepare_layer_normalization(const KernelSpec&, Constants);
Kernel prepare_softmax(const KernelSpec&, Constants);

// Windows, contractions, resampling, quantisation: one file each
Kernel prepare_pool2d(const KernelSpec&, Constants);
Kernel prepare_conv2d(const KernelSpec&, Constants);
Kernel prepare_conv_transpose2d(const KernelSpec&, Constants);
Kernel prepare_gemm(const KernelSpec&, Constants);
Kernel prepare_matmul(const KernelSpec&, Constants);
Kernel prepare_attention(const KernelSpec&, Constants);
Kernel prepare_resample2d(const KernelSpec&, Constants);
Kernel prepare_quantize_linear(const KernelSpec&, Constants);
Kernel prepare_dequantize_linear(const KernelSpec&, Constants);

// Internal operators: quantized.cpp
Kernel prepare_quantized_conv2d(const KernelSpec&, Constants);
Kernel prepare_quantized_add(const KernelSpec&, Constants);

// Recurrent networks: gru.cpp, lstm.cpp
Kernel prepare_gru(const KernelSpec&, Constants);
Kernel prepare_gru_cell(const KernelSpec&, Constants);
Kernel prepare_lstm(const KernelSpec&, Constants);
Kernel prepare_lstm_cell(const KernelSpec&, Constants);

}  // namespace webnn::runtime::reference
