#include "runtime/cpu/reference/reference_kernels.hpp"

namespace webnn::runtime {
namespace reference {

#define KERNELS(name) extern const CpuKernels name##_kernels;
#include "runtime/cpu/reference/kernels.def"

/// Elements are computed one after another, in float64.
constexpr double one_at_a_time = 10 * slow;

}  // namespace reference

void add_reference_kernels(CpuKernelList& list) {
  using namespace reference;
#define KERNELS(name) &name##_kernels,
  for (const CpuKernels* const kernels : {
#include "runtime/cpu/reference/kernels.def"
       })
    for (const CpuKernel& kernel : *kernels) {
      KernelRow row = kernel.row;
      row.factor = one_at_a_time;
      list.add({"reference", row.name}, {row, kernel.prepare});
    }
}

}  // namespace webnn::runtime
