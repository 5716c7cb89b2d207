#include "runtime/cpu/kernel_list.hpp"

#include "runtime/cpu/onednn/onednn_kernels.hpp"
#include "runtime/cpu/reference/reference_kernels.hpp"
#include "runtime/cpu/simd/simd_kernels.hpp"
#include "runtime/cpu/xnnpack/xnnpack_kernels.hpp"
#include "runtime/threads/parallel.hpp"

namespace webnn::runtime {
namespace {

CpuKernelList all_kernels() {
  CpuKernelList list;
  add_simd_kernels(list);
  add_onednn_kernels(list);
  add_xnnpack_kernels(list);
  add_reference_kernels(list);
  return list;
}

}  // namespace

const CpuKernelList& cpu_kernels() {
  static const CpuKernelList list = all_kernels();
  return list;
}

std::optional<PackedConstant> pack_constant(KernelId kernel, const KernelSpec& spec, std::size_t operand,
                                            std::span<const std::byte> bytes) {
  const ListedCpuKernel* const found = cpu_kernels().find(kernel);
  if (!found || !found->pack) return std::nullopt;
  const Team team(1);  // kernels choose forms by the number of threads, but a program runs with any number
  return found->pack(spec, operand, bytes);
}

Feature limit_cpu_kernels(Feature features) { return limit_onednn_isa(features); }

}  // namespace webnn::runtime
