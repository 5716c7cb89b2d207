#include "runtime/cpu/reference/reference_kernels.hpp"

namespace webnn::runtime {
namespace reference {

#define KERNELS(name) std::span<const CpuKernel> name##_kernels();
#include "runtime/cpu/reference/kernels.def"

/// Elements are computed one after another, in float64.
constexpr double one_at_a_time = 10 * slow;

}  // namespace reference

void add_reference_kernels(CpuKernels& list) {
  using namespace reference;
#define KERNELS(name) name##_kernels(),
  for (const std::span<const CpuKernel> kernels : {
#include "runtime/cpu/reference/kernels.def"
       })
    for (CpuKernel kernel : kernels) {
      kernel.row.factor = one_at_a_time;
      list.add({"reference", kernel.row.name}, kernel);
    }
}

}  // namespace webnn::runtime
