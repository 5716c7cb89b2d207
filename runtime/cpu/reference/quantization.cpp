// quantizeLinear: roundEven(x / scale) + zeroPoint, saturated to the type of zeroPoint.
// dequantizeLinear: (x - zeroPoint) * scale.
// scale and zeroPoint have the rank of the input; each of their elements applies to a block of it ("blockwise
// broadcastable").
#include <vector>

#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

/// Finds the element of `scale` and `zeroPoint` for an element of the input.
struct Blocks {
  Shape shape;      // of the input
  Shape block;      // elements of the input along each axis that share one element of the scale
  Strides strides;  // of the scale

  std::size_t at(const Index& index) const {
    std::int64_t offset = 0;
    for (unsigned axis = 0; axis < shape.rank(); ++axis) offset += index[axis] / block[axis] * strides[axis];
    return std::size_t(offset);
  }
};

Blocks blocks_of(const Shape& input, const Shape& scale) {
  Blocks blocks{input, {}, row_major_strides(scale)};
  for (unsigned axis = 0; axis < input.rank(); ++axis) blocks.block.push_back(input[axis] / scale[axis]);
  return blocks;
}

/// The lowest and the highest value of an integer type of this width.
template <typename Q>
constexpr std::pair<double, double> range_of() {
  if constexpr (std::is_same_v<Q, Int4>)
    return {-8, 7};
  else if constexpr (std::is_same_v<Q, Uint4>)
    return {0, 15};
  else
    return {double(std::numeric_limits<Q>::min()), double(std::numeric_limits<Q>::max())};
}

/// NaN gives 0, as in every conversion to an integer.
template <typename Q>
Q saturate(double value) {
  const auto [least, greatest] = range_of<Q>();
  if (value != value) return store<Q>(0);
  return store<Q>(arithmetic_t<Q>(std::fmin(std::fmax(value, least), greatest)));
}

/// The quotient is rounded to float32, because the specification treats the division as an operator of its own: ties
/// are decided after its rounding. (For float16, the float32 quotient decides ties like the exact one.) The oracle does
/// not round it.
template <typename S, typename Q>
Kernel prepare_quantize(const Blocks& blocks) {
  using Quotient = std::conditional_t<std::is_same_v<S, double>, double, float>;
  return make_kernel([=](const KernelArguments& arguments) {
    for_each_index(blocks.shape, [&](const Index& index, std::size_t number) {
      const std::size_t block = blocks.at(index);
      const Quotient quotient =
          Quotient(load(input<S>(arguments, 0)[number])) / Quotient(load(input<S>(arguments, 1)[block]));
      const auto zero_point = double(load(element<Q>(arguments.inputs[2], block)));
      set_element(arguments.outputs[0], number, saturate<Q>(std::nearbyint(double(quotient)) + zero_point));
    });
  });
}

template <typename S, typename Q>
Kernel prepare_dequantize(const Blocks& blocks) {
  return make_kernel([=](const KernelArguments& arguments) {
    for_each_index(blocks.shape, [&](const Index& index, std::size_t number) {
      const std::size_t block = blocks.at(index);
      const auto value = double(load(element<Q>(arguments.inputs[0], number)));
      const auto zero_point = double(load(element<Q>(arguments.inputs[2], block)));
      output<S>(arguments)[number] = store<S>((value - zero_point) * load(input<S>(arguments, 1)[block]));
    });
  });
}

}  // namespace

Kernel prepare_quantize_linear(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const Blocks blocks = blocks_of(call.shape(0), call.shape(1));
  return dispatch(FloatTypes{}, call.operand(1).type, [&]<typename S>() {
    return dispatch(QuantizedTypes{}, call.operand(2).type,
                    [&]<typename Q>() { return prepare_quantize<S, Q>(blocks); });
  });
}

Kernel prepare_dequantize_linear(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const Blocks blocks = blocks_of(call.shape(0), call.shape(1));
  return dispatch(FloatTypes{}, call.operand(1).type, [&]<typename S>() {
    return dispatch(QuantizedTypes{}, call.operand(2).type,
                    [&]<typename Q>() { return prepare_dequantize<S, Q>(blocks); });
  });
}

constexpr CpuKernel quantization_list[] = {
    {.row = {.name = "quantizeLinear", .op = "quantizeLinear"}, .prepare = prepare_quantize_linear},
    {.row = {.name = "dequantizeLinear", .op = "dequantizeLinear"}, .prepare = prepare_dequantize_linear},
};
extern constexpr CpuKernels quantization_kernels(quantization_list);

}  // namespace webnn::runtime::reference
