// A CPU kernel: its row and its functions. Each file of kernels declares its own.
#pragma once

#include "runtime/kernel_conditions.hpp"
#include "runtime/kernel_list.hpp"

namespace webnn::runtime {

/// As a provider's file declares it.
struct CpuKernel {
  KernelRow row;  // named without the provider
  Kernel (*prepare)(const KernelSpec& spec, Constants constants);
  /// For rows that pack operands.
  std::optional<PackedConstant> (*pack)(const KernelSpec& spec, std::size_t operand,
                                        std::span<const std::byte> bytes) = nullptr;
};
/// The kernels of a file.
using CpuKernels = std::span<const CpuKernel>;

/// As all kernels are listed.
struct ListedCpuKernel {
  KernelRow row;
  PrepareFunction prepare{};
  PackFunction pack{};  // empty: the row packs nothing
};
using CpuKernelList = KernelList<ListedCpuKernel>;

/// Lists the kernels of a file, named with their provider.
inline void add_kernels(CpuKernelList& list, std::string_view provider, CpuKernels kernels) {
  for (const CpuKernel& kernel : kernels)
    list.add({provider, kernel.row.name}, {kernel.row, kernel.prepare, kernel.pack});
}

// ---- factors of rows (KernelRow::factor and scale)

/// Vectors half as long as the longest of any processor.
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
