#include "runtime/cpu/xnnpack/plain_quantized.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "runtime/cpu/xnnpack/operator.hpp"
#include "runtime/plain_convolution.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::xnnpack {
namespace {

constexpr std::size_t grain = 20'000;  // elements that are worth a thread

/// How the bytes of a tensor stand for numbers.
struct Quantization {
  std::size_t count;
  bool is_unsigned;
  float scale;
  int zero_point;

  Quantization(const OperandDescriptor& tensor, const OperatorCall& call, const std::string& name)
      : count(element_count(tensor.shape)),
        is_unsigned(tensor.type == DataType::uint8),
        scale(float(call.real(name + "Scale"))),
        zero_point(integer(std::byte(call.i32(name + "ZeroPoint")))) {}

  int integer(std::byte byte) const {
    const auto bits = std::to_integer<std::uint8_t>(byte);
    return is_unsigned ? int{bits} : int{std::int8_t(bits)};
  }
  void dequantize(const std::byte* from, float* to) const {
    parallel_for(count, grain, [=, *this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) to[i] = float(integer(from[i]) - zero_point) * scale;
    });
  }
  /// NaN gives 0, as in every conversion to an integer.
  void quantize(const float* from, std::byte* to) const {
    const int least = is_unsigned ? 0 : -128;
    const auto low = float(least - zero_point), high = float(least + 255 - zero_point);
    parallel_for(count, grain, [=, *this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const float steps = std::nearbyint(from[i] / scale);
        to[i] = std::isnan(steps) ? std::byte{0} : std::byte(int(std::clamp(steps, low, high)) + zero_point);
      }
    });
  }
};

/// In the order of the graph.
CountedVector<float> dequantized_filter(const KernelSpec& spec, Constants constants) {
  const std::size_t count = constants[1].size(), of_output = count / spec.outputs[0].shape[1];
  const auto* const filter = elements<std::int8_t>(constants[1]);
  const auto* const scales = elements<float>(constants[3]);
  CountedVector<float> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = float(filter[i]) * scales[i / of_output];
  return result;
}

}  // namespace

Kernel prepare_plain_quantized_conv2d(const KernelSpec& spec, Constants constants) {
  const SpecCall call(spec);
  const Quantization from(call.operand(0), call, "input"), to(spec.outputs[0], call, "output");
  const auto plain = std::make_shared<PlainConvolution>(spec);
  plain->take_weights(dequantized_filter(spec, constants).data());
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const PlainConvolution::Finish finish{elements<float>(constants[2]), -infinity, infinity};
  ScratchLayout scratch;
  const std::size_t x_at = scratch.add(from.count * sizeof(float)), y_at = scratch.add(to.count * sizeof(float));
  const auto run = [=](const KernelArguments& arguments) {
    auto* const x = reinterpret_cast<float*>(arguments.scratch + x_at);
    auto* const y = reinterpret_cast<float*>(arguments.scratch + y_at);
    constexpr std::int32_t all = 0;
    from.dequantize(arguments.inputs[0], x);
    plain->run(x, y, finish, all);
    to.quantize(y, arguments.outputs[0]);
  };
  return kernel_of(run, scratch);
}

}  // namespace webnn::runtime::xnnpack
