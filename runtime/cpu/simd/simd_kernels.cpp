#include "runtime/cpu/simd/simd_kernels.hpp"

#include "runtime/cpu/simd/isa.hpp"

namespace webnn::runtime {
namespace simd {

#define SIMD_KERNEL(name, function, pack, ...)                                           \
  template <Isa isa>                                                                     \
  Kernel prepare_##function(const KernelSpec& spec, Constants constants);                \
  template <Isa isa>                                                                     \
  std::optional<PackedConstant> pack_##pack(const KernelSpec& spec, std::size_t operand, \
                                            std::span<const std::byte> bytes);
#define VNNI_KERNEL(name, function, ...) Kernel prepare_##function(const KernelSpec& spec, Constants constants);
#define PORTABLE_KERNEL(name, function, ...) Kernel prepare_##function(const KernelSpec& spec, Constants constants);
#include "schema/kernels/kernels.def"

template <Isa isa>
std::optional<PackedConstant> pack_nothing(const KernelSpec&, std::size_t, std::span<const std::byte>) {
  return std::nullopt;
}

}  // namespace simd

std::span<const KernelEntry> simd_kernels() {
  using namespace simd;
#define SIMD_KERNEL(name, function, pack, ...)                                         \
  {"simd." name ".avx512", prepare_##function<Isa::avx512>, pack_##pack<Isa::avx512>}, \
      {"simd." name ".avx2", prepare_##function<Isa::avx2>, pack_##pack<Isa::avx2>},
#define VNNI_KERNEL(name, function, ...) {"simd." name ".avx512_vnni", prepare_##function},
#define PORTABLE_KERNEL(name, function, ...) {"simd." name, prepare_##function},
  static constexpr KernelEntry entries[] = {
#include "schema/kernels/kernels.def"
  };
  return entries;
}

}  // namespace webnn::runtime
