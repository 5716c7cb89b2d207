// A kernel of ours: one row for all instruction sets that it is compiled for.
#pragma once

#include "runtime/cpu_kernel.hpp"

namespace webnn::runtime::simd {

/// The functions for each instruction set, of which a kernel has some. `any` runs on every processor.
template <typename Function>
struct Variants {
  Function avx512_vnni = nullptr, avx512 = nullptr, avx2 = nullptr, any = nullptr;
};

struct SimdKernel {
  /// Without what the variants add: names around its name, features, and the factor of narrower vectors.
  KernelRow row;
  Variants<PrepareFunction> prepare;
  Variants<PackFunction> pack{};
};
/// The kernels of a file.
using SimdKernels = std::span<const SimdKernel>;

}  // namespace webnn::runtime::simd
