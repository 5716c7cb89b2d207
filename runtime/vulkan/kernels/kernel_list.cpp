// The list of the provider's kernels.
#include "runtime/vulkan/kernels/dispatch.hpp"

namespace webnn::runtime::vulkan {

#define KERNELS(name) extern const GpuKernels name##_kernels;
#include "runtime/vulkan/kernels/kernels.def"

namespace {

KernelList<GpuKernel> all_kernels() {
  KernelList<GpuKernel> list;
#define KERNELS(name) &name##_kernels,
  for (const GpuKernels* const kernels : {
#include "runtime/vulkan/kernels/kernels.def"
       })
    for (GpuKernel kernel : *kernels) {
      kernel.row.device = DeviceKind::vulkan;
      list.add({"vulkan", kernel.row.name}, kernel);
    }
  return list;
}

}  // namespace

const KernelList<GpuKernel>& gpu_kernels() {
  static const KernelList<GpuKernel> list = all_kernels();
  return list;
}

}  // namespace webnn::runtime::vulkan
