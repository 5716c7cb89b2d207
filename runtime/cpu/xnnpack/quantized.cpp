// @quantizedConv2d and @quantizedAdd.
//
// XNNPACK has per-channel scales for signed bytes only. Unsigned bytes are converted: a copy of the input is shifted by
// 128 before the call, and the output after it, with other zero points.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/cpu/xnnpack/filter.hpp"
#include "runtime/cpu/xnnpack/limits.hpp"
#include "runtime/cpu/xnnpack/operator.hpp"
#include "runtime/cpu_kernel.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::xnnpack {
namespace {

/// Converts unsigned to signed bytes, and back.
void shift_bytes(const std::byte* from, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i] ^ std::byte{0x80};
}

std::int8_t signed_zero_point(std::int32_t zero_point, DataType type) {
  return std::int8_t(type == DataType::uint8 ? zero_point - 128 : zero_point);
}

/// XNNPACK accepts scales that are normal numbers and for which one unit of the sum is less than 256 units of the
/// result. Beyond that, every sum but 0 saturates anyway.
std::vector<float> usable_scales(const float* scales, std::size_t count, float input_scale, float output_scale) {
  const float most = 255 * (output_scale / input_scale);
  std::vector<float> result(scales, scales + count);
  for (float& scale : result) scale = std::clamp(scale, std::numeric_limits<float>::min(), std::max(most, 1e-37f));
  return result;
}

/// The bias in the units of the integer sums of `taps` products each, kept within what they leave of an int32; NaN counts
/// as 0.
std::vector<std::int32_t> integer_bias(const float* bias, const std::vector<float>& scales, double input_scale,
                                       double taps) {
  const double most = std::max(0.0, 0x1p31 - 1 - taps * 128 * 255);
  std::vector<std::int32_t> result(scales.size());
  for (std::size_t i = 0; bias && i < scales.size(); ++i)
    if (!std::isnan(bias[i]))
      result[i] = std::int32_t(std::nearbyint(std::clamp(bias[i] / (input_scale * scales[i]), -most, most)));
  return result;
}

}  // namespace

Kernel prepare_quantized_conv2d(const KernelSpec& spec, Constants constants) {
  const SpecCall call(spec);
  const Convolution conv(call);
  const OperandDescriptor &from = call.operand(0), &to = spec.outputs[0];
  const auto [top, bottom, left, right] = conv.padding;
  const auto input_scale = float(call.real("inputScale")), output_scale = float(call.real("outputScale"));
  const std::vector<float> scales =
      usable_scales(elements<float>(constants[3]), conv.outputs(), input_scale, output_scale);
  const std::vector<std::int32_t> bias =
      integer_bias(elements<float>(constants[2]), scales, input_scale,
                   double(conv.group_inputs) * conv.window_height * conv.window_width);
  const CountedVector<std::int8_t> filter = conv.order_filter(elements<std::int8_t>(constants[1]));
  const Operator op = create_operator(spec, [&, top = top, bottom = bottom, left = left, right = right](auto* made) {
    return xnn_create_convolution2d_nhwc_qc8(
        top, right, bottom, left, conv.window_height, conv.window_width, conv.strides[0], conv.strides[1],
        conv.dilations[0], conv.dilations[1], conv.groups, conv.group_inputs, conv.group_outputs, conv.inputs(),
        conv.outputs(), signed_zero_point(call.i32("inputZeroPoint"), from.type), input_scale, scales.data(),
        filter.data(), bias.data(), signed_zero_point(call.i32("outputZeroPoint"), to.type), output_scale, -128, 127, 0,
        made);
  });
  const bool shift_input = from.type == DataType::uint8, shift_output = to.type == DataType::uint8;
  const std::size_t input_bytes = byte_length(from), output_bytes = byte_length(to);
  const Kernel convolve =
      kernel_of(spec, op, [=, batch = conv.batch, height = conv.height, width = conv.width](auto* set, const auto& at) {
        const std::byte* const source = shift_input ? at.scratch : at.inputs[0];
        return xnn_setup_convolution2d_nhwc_qc8(set, batch, height, width, reinterpret_cast<const int8_t*>(source),
                                                output<std::int8_t>(at), nullptr);
      });
  return {[=](const KernelArguments& arguments) {
            if (shift_input) shift_bytes(arguments.inputs[0], arguments.scratch, input_bytes);
            convolve.run(arguments);
            if (shift_output) shift_bytes(arguments.outputs[0], arguments.outputs[0], output_bytes);
          },
          shift_input ? input_bytes + XNN_EXTRA_BYTES : 0};
}

Kernel prepare_quantized_add(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const auto scale = [&](const char* name) { return float(call.real(name)); };
  const auto create = [&]<typename T>(auto function, T) {
    const auto zero_point = [&](const char* name) { return T(call.i32(name)); };
    return create_operator(spec, [&](auto* made) {
      return function(zero_point("aZeroPoint"), scale("aScale"), zero_point("bZeroPoint"), scale("bScale"),
                      zero_point("outputZeroPoint"), scale("outputScale"), std::numeric_limits<T>::min(),
                      std::numeric_limits<T>::max(), 0, made);
    });
  };
  const std::size_t count = element_count(call.shape(0));
  if (spec.outputs[0].type == DataType::uint8)
    return kernel_of(spec, create(xnn_create_add_nd_qu8, std::uint8_t{}), [count](auto* set, const auto& at) {
      return xnn_setup_add_nd_qu8(set, 1, &count, 1, &count, input<std::uint8_t>(at), input<std::uint8_t>(at, 1),
                                  output<std::uint8_t>(at), nullptr);
    });
  return kernel_of(spec, create(xnn_create_add_nd_qs8, std::int8_t{}), [count](auto* set, const auto& at) {
    return xnn_setup_add_nd_qs8(set, 1, &count, 1, &count, input<std::int8_t>(at), input<std::int8_t>(at, 1),
                                output<std::int8_t>(at), nullptr);
  });
}

namespace {

/// Whether XNNPACK accepts the scale: positive, finite and not denormal.
bool is_scale(double value) { return value > 0 && std::isnormal(float(value)); }

/// Whether XNNPACK adds tensors with these two scales.
bool is_ratio(double operand, double result) {
  const float ratio = float(operand) / float(result);
  return is_scale(operand) && is_scale(result) && ratio >= 0x1p-10f && ratio < 0x1p8f;
}

/// Scales that are normal float32 numbers, and a quantised result.
bool takes_quantized_convolution(const KernelSpec& spec) {
  const SpecCall call(spec);
  return is_scale(call.real("inputScale")) && is_scale(call.real("outputScale")) && takes_windows(call, spec) &&
         spec.outputs[0].type != DataType::float32 && spec.outputs[0].shape[1] <= most_channels;
}

/// Three tensors of one type with ratios of scales that XNNPACK supports.
bool takes_quantized_add(const KernelSpec& spec) {
  const SpecCall call(spec);
  const DataType type = spec.outputs[0].type;
  return call.operand(0).type == type && call.operand(1).type == type &&
         is_ratio(call.real("aScale"), call.real("outputScale")) &&
         is_ratio(call.real("bScale"), call.real("outputScale"));
}

}  // namespace

constexpr CpuKernel quantized_list[] = {
    {.row = {.name = "quantizedConv2d",
             .op = "@quantizedConv2d",
             .types = int8_or_uint8,
             .layouts = LayoutRule::channels_last,
             .constants = 0b1110,
             .overreads = 0b01,
             .can = takes_quantized_convolution,
             .factor = library_factor},
     .prepare = prepare_quantized_conv2d},
    {.row = {.name = "quantizedAdd",
             .op = "@quantizedAdd",
             .types = int8_or_uint8,
             .layouts = LayoutRule::uniform,
             .overreads = 0b11,
             .can = takes_quantized_add,
             .factor = library_factor},
     .prepare = prepare_quantized_add},
};
extern constexpr CpuKernels quantized_kernels(quantized_list);

}  // namespace webnn::runtime::xnnpack
