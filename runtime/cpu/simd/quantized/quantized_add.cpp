// @quantizedAdd: the sum of two 8-bit tensors as a third one, without float tensors in between.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/quantized/quantized_add.inl.hpp"
#include "runtime/cpu/simd/quantized/quantized_add.hpp"

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {

Kernel prepare_quantized_add(const KernelSpec& spec, Constants, Isa isa) {
  const SpecCall call(spec);
  const auto add = VECTOR_CODE(isa, quantized::add);
  const auto flip = [](const OperandDescriptor& tensor) {
    return std::uint8_t(tensor.type == DataType::uint8 ? 0 : 0x80);
  };
  QuantizedSum sum;
  sum.flip_a = flip(call.operand(0));
  sum.flip_b = flip(call.operand(1));
  sum.flip_result = flip(spec.outputs[0]);
  // The byte that stands for 0, flipped: 128 more for signed bytes.
  const double zero_of_a = double(call.i32("aZeroPoint")) + sum.flip_a;
  const double zero_of_b = double(call.i32("bZeroPoint")) + sum.flip_b;
  const double of_a = call.real("aScale") / call.real("outputScale");
  const double of_b = call.real("bScale") / call.real("outputScale");
  sum.of_a = float(of_a);
  sum.of_b = float(of_b);
  sum.offset = float(double(call.i32("outputZeroPoint")) + sum.flip_result - of_a * zero_of_a - of_b * zero_of_b);
  const std::size_t count = element_count(spec.outputs[0].shape);
  return {[=](const KernelArguments& arguments) {
    constexpr std::size_t grain = 32'768;
    const auto bytes = [](const std::byte* operand) { return reinterpret_cast<const std::uint8_t*>(operand); };
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
      add(sum, bytes(arguments.inputs[0]) + begin, bytes(arguments.inputs[1]) + begin,
          reinterpret_cast<std::uint8_t*>(arguments.outputs[0]) + begin, end - begin);
    });
  }};
}

constexpr SimdKernel quantized_add_list[] = {
    {.row = {.name = "quantizedAdd",
             .op = "@quantizedAdd",
             .types = int8_or_uint8,
             .in_place = 0b11,
             .layouts = LayoutRule::uniform},
     .prepare = prepare_quantized_add},
};
extern constexpr SimdKernels quantized_add_kernels(quantized_add_list);

}  // namespace webnn::runtime::simd
