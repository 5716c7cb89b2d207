// All CPU kernels of this build.
#pragma once

#include "runtime/cpu_kernel.hpp"

namespace webnn::runtime {

const CpuKernelList& cpu_kernels();

/// Packs a constant operand for a CPU kernel, see PackFunction. Nullopt for other kernels too.
std::optional<PackedConstant> pack_constant(KernelId kernel, const KernelSpec& spec, std::size_t operand,
                                            std::span<const std::byte> bytes);

/// Limits the libraries behind the kernels to these features. Libraries choose their code once per process: the first
/// call decides. Later devices with fewer features still compute correctly, but with the instructions of the first one.
/// Returns the features that a device may now claim: the given ones, without those that the first call has ruled out.
Feature limit_cpu_kernels(Feature features);

}  // namespace webnn::runtime
