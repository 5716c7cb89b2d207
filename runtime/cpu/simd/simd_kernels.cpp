#include "runtime/cpu/simd/simd_kernels.hpp"

#include "runtime/cpu/simd/simd_kernel.hpp"

namespace webnn::runtime {
namespace simd {

#define KERNELS(name) extern const CpuKernels name##_kernels;
#define SIMD_KERNELS(name) extern const SimdKernels name##_kernels;
#include "runtime/cpu/simd/kernels.def"

namespace {

/// What an instruction set adds to a kernel's row.
struct InstructionSet {
  Needs offers;
  Isa isa;
  std::string_view name;
  Feature features;
  double factor;
};
#define ISA_ROW(name, target, features, registers, factor, offers) {offers, Isa::name, #name, features, factor},
constexpr InstructionSet instruction_sets[] = {
    // clang-format off
    VECTOR_ISAS(ISA_ROW, Needs::vectors)
#ifdef BYTE_PRODUCT_ISAS
    BYTE_PRODUCT_ISAS(ISA_ROW, Needs::byte_products)
#endif
#ifdef PAIR_PRODUCT_ISAS
    PAIR_PRODUCT_ISAS(ISA_ROW, Needs::pair_products)
#endif
    // clang-format on
};

/// Lists the kernels of a file for each instruction set that has what they need.
void add_kernels_by_isa(CpuKernelList& list, SimdKernels kernels) {
  for (const SimdKernel& kernel : kernels)
    for (const InstructionSet& set : instruction_sets) {
      if (set.offers != kernel.needs) continue;
      ListedCpuKernel one{kernel.row};
      one.row.features = set.features;
      one.row.factor *= set.factor;
      one.prepare = [prepare = kernel.prepare, isa = set.isa](const KernelSpec& spec, Constants constants) {
        return prepare(spec, constants, isa);
      };
      if (kernel.pack)
        one.pack = [pack = kernel.pack, isa = set.isa](const KernelSpec& spec, std::size_t operand,
                                                       std::span<const std::byte> bytes) {
          return pack(spec, operand, bytes, isa);
        };
      list.add({"simd", kernel.row.name, set.name}, std::move(one));
    }
}

}  // namespace
}  // namespace simd

void add_simd_kernels(CpuKernelList& list) {
  using namespace simd;
#define KERNELS(name) add_kernels(list, "simd", name##_kernels);
#define SIMD_KERNELS(name) add_kernels_by_isa(list, name##_kernels);
#include "runtime/cpu/simd/kernels.def"
}

}  // namespace webnn::runtime
