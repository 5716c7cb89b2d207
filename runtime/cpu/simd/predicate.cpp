// isNaN and isInfinite of float32.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/predicate.inl.hpp"
#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/prepare.hpp"
#include "runtime/parallel.hpp"

namespace webnn::runtime::simd {

template <Isa isa>
Kernel prepare_predicate(const KernelSpec& spec, Constants) {
  constexpr auto predicate = for_isa<isa>(N_AVX2::predicate, N_AVX3::predicate);
  const std::size_t count = element_count(spec.outputs[0].shape);
  const bool infinite = spec.op == "isInfinite"_op;
  return {[=](const KernelArguments& arguments) {
            const auto* x = reinterpret_cast<const float*>(arguments.inputs[0]);
            auto* y = reinterpret_cast<std::uint8_t*>(arguments.outputs[0]);
            parallel_for(count, 32768, [=](std::size_t begin, std::size_t end) {
              predicate(x + begin, y + begin, end - begin, infinite);
            });
          },
          0};
}
template Kernel prepare_predicate<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_predicate<Isa::avx512>(const KernelSpec&, Constants);

}  // namespace webnn::runtime::simd
