// A kernel of ours with vector code: one row for all instruction sets.
#pragma once

#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu_kernel.hpp"

namespace webnn::runtime::simd {

/// What a kernel needs of an instruction set.
enum class Needs : std::uint8_t { vectors, byte_products, pair_products, tiles };

struct SimdKernel {
  /// Without what the instruction set adds: names around its name, features, and its factor.
  KernelRow row;
  Needs needs = Needs::vectors;
  /// It sums products, and gives zeros instead of subnormal numbers where the processor is slow with these. Activations
  /// such as silu make them of what is far below zero, and the product behind would take ten times as long.
  bool drops_subnormals = false;
  /// Like PrepareFunction and PackFunction, for an instruction set.
  Kernel (*prepare)(const KernelSpec& spec, Constants constants, Isa isa);
  std::optional<PackedConstant> (*pack)(const KernelSpec& spec, std::size_t operand, std::span<const std::byte> bytes,
                                        Isa isa) = nullptr;
};
/// The kernels of a file.
using SimdKernels = std::span<const SimdKernel>;

}  // namespace webnn::runtime::simd
