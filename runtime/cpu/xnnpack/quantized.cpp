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
#include "runtime/cpu/xnnpack/plain_quantized.hpp"
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

/// The filter's scales and the bias in XNNPACK's form, where the bias is added to the integer sums.
struct IntegerChannels {
  std::vector<float> scales;
  std::vector<std::int32_t> bias;
  bool are_close = true;  // to the call's numbers
};

/// XNNPACK accepts scales that are normal numbers and for which one unit of the sum is less than 256 units of the
/// result. Beyond that, every sum but 0 saturates anyway, with its bias if that is a whole number. The bias becomes one,
/// in units of the sums, of `taps` products each, within what these leave of an int32.
IntegerChannels integer_channels(const OperatorCall& call, Constants constants, std::size_t count, double taps) {
  const auto input_scale = float(call.real("inputScale")), output_scale = float(call.real("outputScale"));
  const float *const scales = elements<float>(constants[3]), *const bias = elements<float>(constants[2]);
  constexpr float least = std::numeric_limits<float>::min();
  const float most = 255 * (output_scale / input_scale);
  const double most_bias = std::max(0.0, 0x1p31 - 1 - taps * 128 * 255);
  constexpr double most_error = 1.0 / 8;  // of a unit of the result
  IntegerChannels result{std::vector<float>(count), std::vector<std::int32_t>(count)};
  for (std::size_t i = 0; i < count && result.are_close; ++i) {
    result.scales[i] = std::min(scales[i], most);
    result.are_close = result.scales[i] >= least;
    if (bias == nullptr) continue;
    const double unit = double{input_scale} * scales[i], units = bias[i] / unit;
    const double whole = std::nearbyint(std::clamp(units, -most_bias, most_bias));
    const bool is_close = std::abs(whole - units) * unit <= most_error * output_scale;  // NaN is not
    if (is_close) result.bias[i] = std::int32_t(whole);
    result.are_close = result.are_close && is_close;
  }
  return result;
}

}  // namespace

Kernel prepare_quantized_conv2d(const KernelSpec& spec, Constants constants) {
  const SpecCall call(spec);
  const Convolution conv(call);
  const OperandDescriptor &from = call.operand(0), &to = spec.outputs[0];
  const auto [top, bottom, left, right] = conv.padding;
  const auto input_scale = float(call.real("inputScale")), output_scale = float(call.real("outputScale"));
  const double taps = double(conv.group_inputs) * conv.window_height * conv.window_width;
  const IntegerChannels channels = integer_channels(call, constants, conv.outputs(), taps);
  if (!channels.are_close) return prepare_plain_quantized_conv2d(spec, constants);
  const CountedVector<std::int8_t> filter = conv.order_filter(elements<std::int8_t>(constants[1]));
  const Operator op = create_operator(spec, [&, top = top, bottom = bottom, left = left, right = right](auto* made) {
    return xnn_create_convolution2d_nhwc_qc8(
        top, right, bottom, left, conv.window_height, conv.window_width, conv.strides[0], conv.strides[1],
        conv.dilations[0], conv.dilations[1], conv.groups, conv.group_inputs, conv.group_outputs, conv.inputs(),
        conv.outputs(), signed_zero_point(call.i32("inputZeroPoint"), from.type), input_scale, channels.scales.data(),
        filter.data(), channels.bias.data(), signed_zero_point(call.i32("outputZeroPoint"), to.type), output_scale,
        -128, 127, 0, made);
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
