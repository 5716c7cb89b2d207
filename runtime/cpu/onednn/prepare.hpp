// The prepare and pack functions of all kernels of this folder.
#pragma once

#include "runtime/kernel.hpp"

namespace webnn::runtime::onednn {

/// The bytes of operands that never change, as PrepareFunction gets them.
using Constants = std::span<const std::span<const std::byte>>;

Kernel prepare_convolution(const KernelSpec& spec, Constants constants);  // conv2d and convTranspose2d
std::optional<PackedConstant> pack_filter(const KernelSpec& spec, std::size_t operand,
                                          std::span<const std::byte> bytes);

std::string implementation_of_convolution(const KernelSpec& spec);

Kernel prepare_quantized_convolution(const KernelSpec& spec, Constants constants);  // @quantizedConv2d
std::optional<PackedConstant> pack_quantized_filter(const KernelSpec& spec, std::size_t operand,
                                                    std::span<const std::byte> bytes);

Kernel prepare_contraction(const KernelSpec& spec, Constants constants);  // matmul and gemm
std::optional<PackedConstant> pack_matrix(const KernelSpec& spec, std::size_t operand,
                                          std::span<const std::byte> bytes);
std::string implementation_of_contraction(const KernelSpec& spec, bool constant_b);

}  // namespace webnn::runtime::onednn
