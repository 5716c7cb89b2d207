// The kernels of elementwise operators, as chains of stages: one and two operands, comparisons, where, cast,
// quantizeLinear and dequantizeLinear; on floats also whole groups of them.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/elementwise/stages.inl.hpp"
#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/cpu/simd/for_each_isa.hpp"
//
#include "runtime/cpu/simd/elementwise/chain.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "schema/operators/check_spec.hpp"

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
StageTable float_table() {
  return for_isa<isa>(N_AVX2::float_stages::table, N_AVX3::float_stages::table)();
}
template <Isa isa>
StageTable integer_table() {
  return for_isa<isa>(N_AVX2::integer_stages::table, N_AVX3::integer_stages::table)();
}

/// Lanes are float32 if any operand, or the result of any operator, has a float type.
bool on_floats(const KernelSpec& spec) {
  const std::vector<OperandDescriptor> results = results_of_steps(spec);
  return std::ranges::any_of(results, [](const OperandDescriptor& result) { return is_float(result.type); }) ||
         std::ranges::any_of(spec.inputs, [](const auto& input) { return input && is_float(input->type); });
}

}  // namespace

template <Isa isa>
Chain chain_of(const KernelSpec& spec, Constants constants) {
  Chain chain(spec, constants, on_floats(spec) ? float_table<isa>() : integer_table<isa>());
  chain.stages_of(spec);
  chain.store();
  return chain;
}
template Chain chain_of<Isa::avx2>(const KernelSpec&, Constants);
template Chain chain_of<Isa::avx512>(const KernelSpec&, Constants);

template <Isa isa>
Kernel prepare_elementwise(const KernelSpec& spec, Constants constants) {
  return chain_of<isa>(spec, constants).kernel();
}
template Kernel prepare_elementwise<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_elementwise<Isa::avx512>(const KernelSpec&, Constants);

/// roundEven(x / scale) + zeroPoint. The quotient is rounded to float32, which decides what is a tie.
template <Isa isa>
Kernel prepare_quantize_linear(const KernelSpec& spec, Constants constants) {
  Chain chain(spec, constants, float_table<isa>());
  chain.load(0);
  chain.binary("div"_op, 1);
  chain.unary("roundEven"_op, {}, DataType::float32);
  chain.binary("add"_op, 2);
  chain.store();
  return std::move(chain).kernel();
}
template Kernel prepare_quantize_linear<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_quantize_linear<Isa::avx512>(const KernelSpec&, Constants);

/// (x - zeroPoint) scale
template <Isa isa>
Kernel prepare_dequantize_linear(const KernelSpec& spec, Constants constants) {
  Chain chain(spec, constants, float_table<isa>());
  chain.load(0);
  chain.binary("sub"_op, 2);
  chain.binary("mul"_op, 1);
  chain.post_ops_of(spec);
  chain.store();
  return std::move(chain).kernel();
}
template Kernel prepare_dequantize_linear<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_dequantize_linear<Isa::avx512>(const KernelSpec&, Constants);

}  // namespace webnn::runtime::simd
