#include "runtime/cpu/reference/reference_kernels.hpp"

namespace webnn::runtime {
namespace reference {

#define REFERENCE_KERNEL(name, function, ...) Kernel prepare_##function(const KernelSpec& spec, Constants constants);
#include "schema/kernels/kernels.def"

}  // namespace reference

std::span<const KernelEntry> reference_kernels() {
  using namespace reference;
#define REFERENCE_KERNEL(name, function, ...) {"reference." name, prepare_##function},
  static constexpr KernelEntry entries[] = {
#include "schema/kernels/kernels.def"
  };
  return entries;
}

}  // namespace webnn::runtime
