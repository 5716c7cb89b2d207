// The plans of this device's kernels, one for each vulkan row of schema/kernels.def.
#pragma once

#include "runtime/vulkan/kernels/dispatch.hpp"

namespace webnn::runtime::vulkan {

// Elementwise: elementwise.cpp
Plan plan_unary(const KernelSpec& spec);
Plan plan_predicate(const KernelSpec& spec);
Plan plan_binary(const KernelSpec& spec);
Plan plan_logical(const KernelSpec& spec);
Plan plan_where(const KernelSpec& spec);
Plan plan_cast(const KernelSpec& spec);

// Movement: movement.cpp, indexed.cpp
Plan plan_view(const KernelSpec& spec);
Plan plan_concat(const KernelSpec& spec);
Plan plan_expand(const KernelSpec& spec);
Plan plan_pad(const KernelSpec& spec);
Plan plan_reverse(const KernelSpec& spec);
Plan plan_slice(const KernelSpec& spec);
Plan plan_split(const KernelSpec& spec);
Plan plan_tile(const KernelSpec& spec);
Plan plan_transpose(const KernelSpec& spec);
Plan plan_triangular(const KernelSpec& spec);
Plan plan_gather(const KernelSpec& spec);
Plan plan_gather_elements(const KernelSpec& spec);
Plan plan_gather_nd(const KernelSpec& spec);
Plan plan_scatter_elements(const KernelSpec& spec);
Plan plan_scatter_nd(const KernelSpec& spec);

// Along axes: reduction.cpp
Plan plan_reduction(const KernelSpec& spec);
Plan plan_arg_reduction(const KernelSpec& spec);
Plan plan_cumulative_sum(const KernelSpec& spec);
Plan plan_softmax(const KernelSpec& spec);

// Statistics: normalization.cpp
Plan plan_batch_normalization(const KernelSpec& spec);
Plan plan_instance_normalization(const KernelSpec& spec);
Plan plan_layer_normalization(const KernelSpec& spec);

// Windows, contractions, resampling, quantisation: window.cpp, matrix.cpp, resample2d.cpp, quantization.cpp
Plan plan_pool2d(const KernelSpec& spec);
Plan plan_conv2d(const KernelSpec& spec);
Plan plan_conv_transpose2d(const KernelSpec& spec);
Plan plan_tiled_conv2d(const KernelSpec& spec);
Plan plan_gemm(const KernelSpec& spec);
Plan plan_matmul(const KernelSpec& spec);
Plan plan_tiled_gemm(const KernelSpec& spec);
Plan plan_tiled_matmul(const KernelSpec& spec);
Plan plan_resample2d(const KernelSpec& spec);
Plan plan_quantization(const KernelSpec& spec);

// Recurrent networks and their cells: recurrent.cpp
Plan plan_gru(const KernelSpec& spec);
Plan plan_lstm(const KernelSpec& spec);

}  // namespace webnn::runtime::vulkan
