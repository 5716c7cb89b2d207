#include "runtime/cpu/xnnpack/xnnpack_kernels.hpp"

namespace webnn::runtime {
namespace xnnpack {

#define KERNELS(name) extern const CpuKernels name##_kernels;
#include "runtime/cpu/xnnpack/kernels.def"

}  // namespace xnnpack

void add_xnnpack_kernels(CpuKernelList& list) {
  using namespace xnnpack;
#define KERNELS(name) add_kernels(list, "xnnpack", name##_kernels);
#include "runtime/cpu/xnnpack/kernels.def"
}

}  // namespace webnn::runtime
