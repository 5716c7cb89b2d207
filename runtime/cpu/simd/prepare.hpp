// The prepare functions of the SIMD kernels, one for each SIMD_KERNEL row of schema/kernels.def.
#pragma once

#include "runtime/cpu/simd/isa.hpp"

namespace webnn::runtime::simd {

template <Isa isa>
Kernel prepare_elementwise(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_arg_reduction(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_attention(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_batch_normalization(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_conv2d_depthwise(const KernelSpec&, Constants);
template <Isa isa>
std::optional<PackedConstant> pack_conv2d_depthwise(const KernelSpec&, std::size_t, std::span<const std::byte>);
template <Isa isa>
Kernel prepare_conv2d_winograd(const KernelSpec&, Constants);
template <Isa isa>
std::optional<PackedConstant> pack_conv2d_winograd(const KernelSpec&, std::size_t, std::span<const std::byte>);
template <Isa isa>
Kernel prepare_conv_transpose2d(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_global_pool2d(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_gru(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_lstm(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_instance_normalization(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_layer_normalization(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_pool2d(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_reduction(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_quantized_add(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_resample2d(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_softmax(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_quantize_linear(const KernelSpec&, Constants);
template <Isa isa>
Kernel prepare_dequantize_linear(const KernelSpec&, Constants);

}  // namespace webnn::runtime::simd
