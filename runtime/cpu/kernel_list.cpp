#include "runtime/cpu/kernel_list.hpp"

#include "runtime/threads/parallel.hpp"

namespace webnn::runtime {

#define PROVIDER(name, limit)                     \
  void add_##name##_kernels(CpuKernelList& list); \
  Feature limit(Feature features);
#include "runtime/cpu/providers.def"
#undef PROVIDER

Feature no_limit(Feature features) { return features; }

namespace {

CpuKernelList all_kernels() {
  CpuKernelList list;
#define PROVIDER(name, limit) add_##name##_kernels(list);
#include "runtime/cpu/providers.def"
#undef PROVIDER
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

Feature limit_cpu_kernels(Feature features) {
#define PROVIDER(name, limit) features = limit(features);
#include "runtime/cpu/providers.def"
#undef PROVIDER
  return features;
}

}  // namespace webnn::runtime
