#include "runtime/cpu/simd/simd_kernels.hpp"

#include <utility>

#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/threads/float_mode.hpp"

namespace webnn::runtime {
namespace simd {

#define KERNELS(name) extern const CpuKernels name##_kernels;
#define SIMD_KERNELS(name) extern const SimdKernels name##_kernels;
#include "runtime/cpu/simd/kernels.def"

namespace {

/// Runs a function in the mode without subnormal numbers.
template <typename Run>
auto without_subnormals_in(Run run) {
  return [run = std::move(run)](const auto&... arguments) {
    const InFloatMode mode(without_subnormals(float_mode()));
    run(arguments...);
  };
}

Kernel without_subnormals_in(Kernel kernel) {
  kernel.run = without_subnormals_in(std::move(kernel.run));
  if (kernel.run_lines) kernel.run_lines = without_subnormals_in(std::move(kernel.run_lines));
  return kernel;
}

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
#ifdef TILE_ISAS
    TILE_ISAS(ISA_ROW, Needs::tiles)
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
      const bool drops = kernel.drops_subnormals && are_subnormals_slow();
      one.prepare = [=, prepare = kernel.prepare, isa = set.isa](const KernelSpec& spec, Constants constants) {
        Kernel prepared = prepare(spec, constants, isa);
        return drops ? without_subnormals_in(std::move(prepared)) : std::move(prepared);
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
