// Elementwise operators as chains of steps: of one and two operands,
// comparisons, where, cast, quantizeLinear and dequantizeLinear; those with
// float results with any chain of elementwise post-ops.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/steps.inl.hpp"
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

/// The steps on lanes of `type`'s kind.
template <Isa isa>
StepTable steps_for(DataType type) {
  if (is_float(type)) return for_isa<isa>(N_AVX2::float_steps::table, N_AVX3::float_steps::table)();
  return for_isa<isa>(N_AVX2::integer_steps::table, N_AVX3::integer_steps::table)();
}

}  // namespace

template <Isa isa>
Kernel prepare_elementwise(const KernelSpec& spec, Constants constants) {
  Chain chain(spec, constants, steps_for<isa>(spec.inputs[0]->type));
  chain.load(0);
  if (spec.root_operand_count() == 1)
    chain.unary(spec.op, spec.attributes);
  else
    chain.binary(spec.op, 1);
  chain.post_ops(spec, spec.root_operand_count());
  chain.store();
  return std::move(chain).kernel();
}
template Kernel prepare_elementwise<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_elementwise<Isa::avx512>(const KernelSpec&, Constants);

template <Isa isa>
Kernel prepare_cast(const KernelSpec& spec, Constants constants) {
  const DataType from = spec.inputs[0]->type, to = spec.outputs[0].type;
  Chain chain(spec, constants, steps_for<isa>(is_float(from) ? from : to));
  chain.load(0);
  chain.post_ops(spec, 1);
  chain.store();
  return std::move(chain).kernel();
}
template Kernel prepare_cast<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_cast<Isa::avx512>(const KernelSpec&, Constants);

template <Isa isa>
Kernel prepare_where(const KernelSpec& spec, Constants constants) {
  Chain chain(spec, constants, steps_for<isa>(spec.outputs[0].type));
  chain.load(0);
  chain.where(1, 2);
  chain.post_ops(spec, 3);
  chain.store();
  return std::move(chain).kernel();
}
template Kernel prepare_where<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_where<Isa::avx512>(const KernelSpec&, Constants);

/// roundEven(x / scale) + zeroPoint. The quotient is rounded as a float32,
/// which decides what is a tie.
template <Isa isa>
Kernel prepare_quantize_linear(const KernelSpec& spec, Constants constants) {
  Chain chain(spec, constants, steps_for<isa>(DataType::float32));
  chain.load(0);
  chain.binary("div"_op, 1);
  chain.unary("roundEven"_op, {});
  chain.binary("add"_op, 2);
  chain.store();
  return std::move(chain).kernel();
}
template Kernel prepare_quantize_linear<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_quantize_linear<Isa::avx512>(const KernelSpec&, Constants);

/// (x - zeroPoint) scale
template <Isa isa>
Kernel prepare_dequantize_linear(const KernelSpec& spec, Constants constants) {
  Chain chain(spec, constants, steps_for<isa>(DataType::float32));
  chain.load(0);
  chain.binary("sub"_op, 2);
  chain.binary("mul"_op, 1);
  chain.post_ops(spec, 3);
  chain.store();
  return std::move(chain).kernel();
}
template Kernel prepare_dequantize_linear<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_dequantize_linear<Isa::avx512>(const KernelSpec&, Constants);

}  // namespace webnn::runtime::simd
