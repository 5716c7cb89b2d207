// Compilers of GLSL that are widely installed know cooperative matrices only as NVIDIA's extension; devices of all
// vendors know them as Khronos' one. The two differ in the names of instructions and in little else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace webnn::runtime::vulkan {

/// A module that uses SPV_NV_cooperative_matrix as one that uses SPV_KHR_cooperative_matrix.
///
///   OpTypeCooperativeMatrixNV       gets its use: a matrix has M x K, K x N or M x N elements, where M, N and K
///                                   are the constants with the SpecIds 11, 12 and 13
///   OpCooperativeMatrixLoadNV       "column major" becomes a layout, which stands before the stride
///   OpCooperativeMatrixStoreNV      the same
///   OpCooperativeMatrixMulAddNV     as it is
///
/// The module is of the Vulkan memory model already, which both extensions ask for. Throws Error (internal) for words
/// that are no module, for other sizes, and for instructions of the extension that are not in this list.
std::vector<std::uint32_t> with_khr_cooperative_matrices(std::span<const std::uint32_t> module);

}  // namespace webnn::runtime::vulkan
