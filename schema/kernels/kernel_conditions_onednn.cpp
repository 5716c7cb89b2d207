// Conditions of the onednn rows: what oneDNN 2.6 computes correctly and without its own slow reference code.
#include <algorithm>

#include "schema/kernels/kernel_conditions.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::schema {
namespace {

/// oneDNN's elementwise functions with parameters. oneDNN 2.6 computes a second one of the same kind with the
/// parameters of the first, so a chain may have each of them only once.
enum Parameterized : std::uint8_t { none = 0, relu = 1, clip = 2, linear = 4 };

struct Activation {
  OperatorId op;
  std::uint8_t parameterized;  // set of Parameterized
  bool limits = false;         // turns NaN into one of its limits
};

/// Elementwise operators that oneDNN computes as specified. Not among them: elu, gelu, softplus and log, which are less
/// accurate near zero, and sigmoid, tanh and @silu, which are wrong far from zero.
constexpr Activation activations[] = {
    {"relu"_op, relu, true}, {"clamp"_op, clip, true}, {"hardSigmoid"_op, linear | clip, true},
    {"leakyRelu"_op, relu},  {"linear"_op, linear},    {"neg"_op, linear},
    {"hardSwish"_op, none},  {"abs"_op, none},
};

/// oneDNN treats a leakyRelu with slope 0 as relu.
bool has_no_slope(const PostOp& post_op) {
  return post_op.op == "leakyRelu"_op && float(OperatorCall(post_op.op, {}, post_op.attributes).real("alpha")) == 0;
}

/// Whether a step is a binary operator that can apply the other operand per channel.
bool is_per_channel_step(const Expression& expression, std::size_t step) {
  const OperatorId op = expression.op(step);
  if (op == "add"_op || op == "mul"_op) return true;
  return expression.running_operand(step) == 0 && (op == "sub"_op || op == "div"_op);
}

/// A chain of activations and per-channel operators. One full operand may be added: it is summed in place, which
/// oneDNN's fast kernels do before everything but the bias. Limits come last and not behind such a sum, because a call
/// with a NaN is computed again without them (keep_nan.hpp).
bool takes_post_ops(const KernelSpec& spec, unsigned channel_axis, bool bias_is_free, bool sum_is_free) {
  constexpr std::size_t most = 8;
  const Expression expression(spec);
  if (spec.post_ops.size() > most || !expression.is_chain()) return false;
  bool at_start = true, sums = false;
  unsigned used = none;  // set of Parameterized
  for (std::size_t i = 0; i < spec.post_ops.size(); ++i) {
    const PostOp& post_op = spec.post_ops[i];
    if (const auto activation = std::ranges::find(activations, post_op.op, &Activation::op);
        activation != std::end(activations)) {
      if (used & activation->parameterized) return false;
      if (activation->limits && (sums || i + 1 != spec.post_ops.size())) return false;
      if (has_no_slope(post_op)) return false;
      used |= activation->parameterized;
      at_start = false;
      continue;
    }
    if (!is_per_channel_step(expression, i + 1)) return false;
    const std::size_t operand = expression.first_input(i + 1);
    if (!spec.inputs[operand] || spec.inputs[operand]->type != DataType::float32) return false;
    switch (classify_post_op_operand(spec, operand, channel_axis)) {
      case PostOpOperand::other:
        return false;
      case PostOpOperand::full:
        if (post_op.op != "add"_op || !at_start || !sum_is_free) return false;
        at_start = false;
        sums = true;
        break;
      case PostOpOperand::per_channel:
        at_start = at_start && i == 0 && bias_is_free && post_op.op == "add"_op;
        break;
    }
  }
  return true;
}

}  // namespace

PostOpOperand classify_post_op_operand(const KernelSpec& spec, std::size_t operand, unsigned channel_axis) {
  const Shape& shape = spec.inputs[operand]->shape;
  const Shape& result = spec.outputs[0].shape;
  if (element_count(shape) == element_count(result)) {
    // An operand of lower rank is always row-major.
    const bool same_order = shape.rank() == 4 || spec.output_layout(0) == Layout::row_major || layouts_coincide(result);
    return same_order ? PostOpOperand::full : PostOpOperand::other;
  }
  for (unsigned from_end = 1; from_end <= shape.rank(); ++from_end)
    if (shape[shape.rank() - from_end] != 1 && from_end != channel_axis) return PostOpOperand::other;
  return PostOpOperand::per_channel;
}

namespace {

/// oneDNN's fast kernels need every window to see some of the input, and count in 32 bits.
bool onednn_takes_windows(const OperatorCall& call, const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
  const auto windows = sliding_windows(call, output);
  return are_moderate(windows, std::max(input[1], output[1])) &&
         std::ranges::all_of(
             windows, [](const SlidingWindow& axis) { return axis.begin < axis.extent() && axis.end < axis.extent(); });
}

}  // namespace

bool onednn_takes_convolution(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const bool transposed = spec.op == "convTranspose2d"_op;
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == (transposed ? "iohw" : "oihw") &&
         onednn_takes_windows(call, spec);
}

bool onednn_takes_quantized_convolution(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  return onednn_takes_windows(OperatorCall(spec.op, operands, spec.attributes), spec);
}

bool onednn_takes_convolution_post_ops(const KernelSpec& spec) {
  return takes_post_ops(spec, 3, !spec.inputs[2].has_value(), true);
}

bool onednn_takes_matmul(const KernelSpec& spec) {
  const Shape &a = spec.inputs[0]->shape, &b = spec.inputs[1]->shape, &result = spec.outputs[0].shape;
  const auto size_from_end = [](const Shape& shape, unsigned i) {
    return i > shape.rank() ? 1 : shape[shape.rank() - i];
  };
  unsigned batch_axes = 0;
  bool a_repeats = false, b_repeats = false, b_is_one = true;
  for (unsigned i = 3; i <= result.rank(); ++i) {
    if (size_from_end(result, i) == 1) continue;
    ++batch_axes;
    a_repeats = a_repeats || size_from_end(a, i) == 1;
    b_repeats = b_repeats || size_from_end(b, i) == 1;
    b_is_one = b_is_one && size_from_end(b, i) == 1;
  }
  return b_is_one || (!a_repeats && !b_repeats) || batch_axes <= 2;  // more broadcast axes are slow with post-ops
}

bool onednn_takes_contraction_post_ops(const KernelSpec& spec) {
  const bool has_c = spec.op == "gemm"_op && spec.inputs[2].has_value(), has_bias = onednn_contraction_has_bias(spec);
  return takes_post_ops(spec, 1, has_bias && !has_c, has_bias || !has_c);  // a c that is no bias is added as the sum
}

bool onednn_contraction_has_bias(const KernelSpec& spec) {
  if (spec.op == "matmul"_op) return true;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  if (call.real("alpha") != 1) return false;
  if (!call.has_operand(2)) return true;
  const Shape& c = call.shape(2);
  const std::uint32_t columns = call.shape(1)[call.boolean("bTranspose") ? 0 : 1];  // post-ops may change the output's
  return call.real("beta") == 1 && c.rank() >= 1 && c[c.rank() - 1] == columns && element_count(c) == columns;
}

}  // namespace webnn::schema
