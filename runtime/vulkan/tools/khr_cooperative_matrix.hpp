// Widely installed GLSL compilers support cooperative matrices only as NVIDIA's extension, while devices of all vendors
// support Khronos'. The two differ in the names of instructions and in little else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace webnn::runtime::vulkan {

/// Converts a module from SPV_NV_cooperative_matrix to SPV_KHR_cooperative_matrix:
///
///   OpTypeCooperativeMatrixNV       gets a use: a matrix has M x K, K x N or M x N elements, where M, N and K are the
///                                   constants with the SpecIds 11, 12 and 13
///   OpCooperativeMatrixLoadNV       "column major" becomes a layout, which precedes the stride
///   OpCooperativeMatrixStoreNV      likewise
///   OpCooperativeMatrixMulAddNV     renamed only
///
/// The module must already use the Vulkan memory model, which both extensions require. Throws Error (internal) for
/// words that are no module, for other sizes, and for instructions of the extension that are not listed here.
std::vector<std::uint32_t> with_khr_cooperative_matrices(std::span<const std::uint32_t> module);

}  // namespace webnn::runtime::vulkan
