// @quantizedAdd: two 8-bit tensors become a third without float tensors between.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/quantized_add.inl.hpp"
#include "runtime/cpu/simd/quantized_add.hpp"

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/parallel.hpp"
#include "schema/operator_call.hpp"

namespace webnn::runtime::simd {

template <Isa isa>
Kernel prepare_quantized_add(const KernelSpec& spec, Constants) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const auto is_unsigned = [](const OperandDescriptor& tensor) { return tensor.type == DataType::uint8; };
  const QuantizedAdd add = for_isa<isa>(N_AVX2::quantized::find_add, N_AVX3::quantized::find_add)(
      is_unsigned(call.operand(0)), is_unsigned(call.operand(1)), is_unsigned(spec.outputs[0]));
  const double of_a = call.real("aScale") / call.real("outputScale");
  const double of_b = call.real("bScale") / call.real("outputScale");
  QuantizedSum sum;
  sum.of_a = float(of_a);
  sum.of_b = float(of_b);
  sum.offset = float(call.i32("outputZeroPoint") - of_a * call.i32("aZeroPoint") - of_b * call.i32("bZeroPoint"));
  const std::size_t count = element_count(spec.outputs[0].shape);
  return {[=](const KernelArguments& arguments) {
    constexpr std::size_t grain = 32'768;
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
      add(sum, arguments.inputs[0] + begin, arguments.inputs[1] + begin, arguments.outputs[0] + begin, end - begin);
    });
  }};
}
template Kernel prepare_quantized_add<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_quantized_add<Isa::avx512>(const KernelSpec&, Constants);

}  // namespace webnn::runtime::simd
