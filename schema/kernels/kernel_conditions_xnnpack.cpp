// Conditions of the xnnpack rows: what XNNPACK computes as specified, on a stack of ordinary size.
#include <algorithm>
#include <cmath>

#include "schema/kernels/kernel_conditions.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::schema {
namespace {

/// Some XNNPACK functions keep one number per channel on the stack.
constexpr std::uint32_t most_channels = 1u << 16;

/// XNNPACK finds maxima of larger windows in several rounds, which read the output back and past its end.
constexpr std::uint32_t most_of_maximum = 9;

/// XNNPACK computes pixel coordinates in float32.
constexpr std::uint32_t most_pixels = 1u << 24;

/// Whether XNNPACK can hold the windows: it counts in 32 bits and stores the address of each element that each window
/// sees.
bool xnnpack_takes_windows(const OperatorCall& call, const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const OperandDescriptor &input = call.operand(0), &output = spec.outputs[0];
  const auto windows = sliding_windows(call, output.shape);
  if (!are_moderate(windows, std::max(input.shape[1], output.shape[1]))) return false;
  double bytes = sizeof(void*);
  for (const SlidingWindow& axis : windows) bytes *= double(axis.window) * double(axis.output);
  constexpr double always_fine = 1 << 26, growth = 4;
  return bytes <= always_fine + growth * double(byte_length(input) + byte_length(output));
}

/// Whether XNNPACK accepts the scale: positive, finite and not denormal.
bool is_scale(double value) { return value > 0 && std::isnormal(float(value)); }

/// Whether XNNPACK adds tensors with these two scales.
bool is_ratio(double operand, double result) {
  const float ratio = float(operand) / float(result);
  return is_scale(operand) && is_scale(result) && ratio >= 0x1p-10f && ratio < 0x1p8f;
}

}  // namespace

bool xnnpack_takes_convolution(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const bool transposed = spec.op == "convTranspose2d"_op;
  if (transposed) {  // there is one part for each position within a stride; a shorter result would leave parts empty
    const auto strides = call.u32_list("strides");
    if (spec.outputs[0].shape[2] < strides[0] || spec.outputs[0].shape[3] < strides[1]) return false;
  }
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == (transposed ? "iohw" : "oihw") &&
         xnnpack_takes_windows(call, spec);
}

bool xnnpack_takes_product(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const Shape& b = call.shape(1);
  if (spec.op == "matmul"_op) return element_count(b) == std::uint64_t{b[b.rank() - 2]} * b[b.rank() - 1];
  return onednn_contraction_has_bias(spec) && !call.boolean("aTranspose");
}

bool xnnpack_takes_max_pool(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  if (call.text("layout") != "nchw" || call.shape(0)[1] > most_channels || !xnnpack_takes_windows(call, spec))
    return false;
  const auto windows = sliding_windows(call, spec.outputs[0].shape);
  const std::int64_t most = most_of_maximum, elements = std::min(windows[0].window, most + 1) * windows[1].window;
  return elements > 1 && elements <= most && std::ranges::all_of(windows, [](const SlidingWindow& axis) {
           return axis.dilation == 1 && axis.begin < axis.window &&
                  (axis.output - 1) * axis.stride - axis.begin < axis.input;
         });
}

bool xnnpack_takes_resample(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
  for (unsigned axis = 2; axis < 4; ++axis)
    if (input[axis] >= most_pixels || output[axis] >= most_pixels) return false;
  return call.text("mode") == "linear" && simd_resamples_height_and_width(spec);
}

bool xnnpack_takes_quantized_convolution(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  return is_scale(call.real("inputScale")) && is_scale(call.real("outputScale")) && xnnpack_takes_windows(call, spec) &&
         spec.outputs[0].type != DataType::float32 && spec.outputs[0].shape[1] <= most_channels;
}

bool xnnpack_takes_quantized_add(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const DataType type = spec.outputs[0].type;
  return call.operand(0).type == type && call.operand(1).type == type &&
         is_ratio(call.real("aScale"), call.real("outputScale")) &&
         is_ratio(call.real("bScale"), call.real("outputScale"));
}

bool xnnpack_takes_post_ops(const KernelSpec& spec) {
  if (spec.post_ops.size() != 1 || !Expression(spec).is_chain()) return false;
  if (spec.post_ops[0].op == "relu"_op) return true;
  if (spec.post_ops[0].op != "clamp"_op) return false;
  const OperandDescriptor* const operand = spec.outputs.data();
  const OperatorCall call("clamp"_op, {&operand, 1}, spec.post_ops[0].attributes);
  return float(call.number("minValue", Number(-INFINITY)).as_double()) <
         float(call.number("maxValue", Number(INFINITY)).as_double());
}

}  // namespace webnn::schema
