// Elementwise operators of one and two operands on float32, with any chain of elementwise post-ops.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/step.inl.hpp"
#include <cmath>
#include <utility>

#include "runtime/cpu/simd/for_each_isa.hpp"
//
#include "runtime/cpu/simd/chain.hpp"
#include "runtime/cpu/simd/prepare.hpp"

namespace webnn::runtime::simd {

void sine_of_large(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = float(std::sin(double(values[i])));
}
void cosine_of_large(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = float(std::cos(double(values[i])));
}
void tangent_of_large(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = float(std::tan(double(values[i])));
}

namespace {

template <Isa isa>
StepTable step_table() {
  return for_isa<isa>(N_AVX2::step_table, N_AVX3::step_table)();
}

}  // namespace

template <Isa isa>
Kernel prepare_elementwise(const KernelSpec& spec, Constants) {
  Chain chain(spec, step_table<isa>());
  chain.load(0);
  if (spec.root_operand_count() == 1)
    chain.unary(spec.op, spec.attributes);
  else
    chain.binary(spec.op, 1);
  chain.post_ops(spec, spec.root_operand_count());
  chain.store(spec.outputs[0].type);
  return std::move(chain).kernel();
}
template Kernel prepare_elementwise<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_elementwise<Isa::avx512>(const KernelSpec&, Constants);

}  // namespace webnn::runtime::simd
