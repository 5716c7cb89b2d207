#include "runtime/cpu/xnnpack/xnnpack_kernels.hpp"

namespace webnn::runtime {
namespace xnnpack {

#define XNNPACK_KERNEL(name, function, ...) Kernel prepare_##function(const KernelSpec& spec, Constants constants);
#include "schema/kernels/kernels.def"

}  // namespace xnnpack

std::span<const KernelEntry> xnnpack_kernels() {
  using namespace xnnpack;
#define XNNPACK_KERNEL(name, function, ...) {"xnnpack." name, prepare_##function, nullptr},
  static constexpr KernelEntry entries[] = {
#include "schema/kernels/kernels.def"
  };
  return entries;
}

}  // namespace webnn::runtime
