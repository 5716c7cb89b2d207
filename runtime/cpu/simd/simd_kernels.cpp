#include "runtime/cpu/simd/simd_kernels.hpp"

#include "runtime/cpu/simd/prepare.hpp"

namespace webnn::runtime {

std::span<const KernelEntry> simd_kernels() {
  using namespace simd;
// The two entries of a SIMD_KERNEL row.
#define SIMD_ENTRIES(name, prepare) \
  {"simd." name ".avx512", prepare<Isa::avx512>}, {"simd." name ".avx2", prepare<Isa::avx2>},
  static constexpr KernelEntry entries[] = {SIMD_ENTRIES("predicate", prepare_predicate)};
#undef SIMD_ENTRIES
  return entries;
}

}  // namespace webnn::runtime
