#include "runtime/cpu/xnnpack/xnnpack_kernels.hpp"

namespace webnn::runtime {
namespace xnnpack {

#define KERNELS(name) extern const CpuKernels name##_kernels;
#include "runtime/cpu/xnnpack/kernels.def"

}  // namespace xnnpack

void add_xnnpack_kernels(CpuKernelList& list) {
  using namespace xnnpack;
#define KERNELS(name) &name##_kernels,
  for (const CpuKernels* const kernels : {
#include "runtime/cpu/xnnpack/kernels.def"
       })
    for (const CpuKernel& kernel : *kernels)
      list.add({"xnnpack", kernel.row.name}, {kernel.row, kernel.prepare, kernel.pack});
}

}  // namespace webnn::runtime
