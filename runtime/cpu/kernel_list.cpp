#include "runtime/cpu/kernel_list.hpp"

#include "runtime/cpu/onednn/onednn_kernels.hpp"
#include "runtime/cpu/reference/reference_kernels.hpp"
#include "runtime/cpu/simd/simd_kernels.hpp"
#include "runtime/cpu/xnnpack/xnnpack_kernels.hpp"

namespace webnn::runtime {
namespace {

using Provider = std::span<const KernelEntry> (*)();
constexpr Provider providers[] = {onednn_kernels, simd_kernels, xnnpack_kernels, reference_kernels};

}  // namespace

const KernelEntry* find_cpu_kernel(std::string_view name) {
  for (const Provider provider : providers)
    for (const KernelEntry& entry : provider())
      if (entry.name == name) return &entry;
  return nullptr;
}

Feature limit_cpu_kernels(Feature features) { return limit_onednn_isa(features); }

}  // namespace webnn::runtime
