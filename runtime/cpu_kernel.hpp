// A CPU kernel: its row and its functions. Each file of kernels declares its own.
#pragma once

#include "runtime/kernel_conditions.hpp"
#include "runtime/kernel_list.hpp"

namespace webnn::runtime {

struct CpuKernel {
  KernelRow row;  // in a provider's files, named without the provider
  PrepareFunction prepare = nullptr;
  PackFunction pack = nullptr;  // for rows that pack operands
};
/// The kernels of a file.
using CpuKernels = std::span<const CpuKernel>;
using CpuKernelList = KernelList<CpuKernel>;

// ---- factors of rows (KernelRow::factor and scale)

/// AVX2 code on a processor that has AVX-512.
inline constexpr double half_vectors = 1.5;
/// For code that uses the widest vectors of the target.
inline double by_vectors(const KernelSpec&, const Target& target) {
  return includes(target.features, Feature::avx512) ? 1 : half_vectors;
}
/// A library's direct convolution or product, by the widest vectors.
inline constexpr double direct_factor = 1.1;
/// For calls that a kernel of ours can run, but is not made for.
inline constexpr double slower_than_libraries = 3;

}  // namespace webnn::runtime
