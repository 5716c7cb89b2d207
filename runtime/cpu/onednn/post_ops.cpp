#include "runtime/cpu/onednn/post_ops.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::onednn {
namespace {

using dnnl::algorithm;
constexpr float infinity = std::numeric_limits<float>::infinity();

/// oneDNN's elementwise functions with parameters. oneDNN 2.6 computes a second one of the same kind with the
/// parameters of the first, so a chain may have each of them only once.
enum Parameterized : std::uint8_t { none = 0, relu = 1, clip = 2, linear = 4 };

void append(dnnl::post_ops& chain, algorithm kind, double alpha = 0, double beta = 0) {
  chain.append_eltwise(1.0f, kind, float(alpha), float(beta));
}

OutputLimits limits_of_clamp(const OperatorCall& call) {
  return {float(call.number("minValue", Number(-infinity)).as_double()),
          float(call.number("maxValue", Number(infinity)).as_double())};
}

struct Activation {
  OperatorId op;
  std::uint8_t parameterized;  // set of Parameterized
  /// Appends oneDNN's functions, except the limits.
  void (*begin)(dnnl::post_ops& chain, const OperatorCall& call);
  /// The limits that it ends with, which turn NaN into one of them; null: none.
  OutputLimits (*limits)(const OperatorCall& call) = nullptr;
};

/// Elementwise operators that oneDNN computes as specified. Not among them: elu, gelu, softplus and log, which are less
/// accurate near zero, and sigmoid, tanh and @silu, which are wrong far from zero.
constexpr Activation activation_table[] = {
    {"relu"_op, relu, nullptr,
     [](const OperatorCall&) {
       return OutputLimits{0, infinity};
     }},
    {"clamp"_op, clip, nullptr, limits_of_clamp},
    {"hardSigmoid"_op, linear | clip,
     [](dnnl::post_ops& chain, const OperatorCall& call) {
       append(chain, algorithm::eltwise_linear, call.real("alpha"), call.real("beta"));
     },
     [](const OperatorCall&) {
       return OutputLimits{0, 1};
     }},
    {"leakyRelu"_op, relu,
     [](dnnl::post_ops& chain, const OperatorCall& call) {
       append(chain, algorithm::eltwise_relu, call.real("alpha"));
     }},
    {"linear"_op, linear,
     [](dnnl::post_ops& chain, const OperatorCall& call) {
       append(chain, algorithm::eltwise_linear, call.real("alpha"), call.real("beta"));
     }},
    {"neg"_op, linear,
     [](dnnl::post_ops& chain, const OperatorCall&) { append(chain, algorithm::eltwise_linear, -1); }},
    {"hardSwish"_op, none,
     [](dnnl::post_ops& chain, const OperatorCall&) { append(chain, algorithm::eltwise_hardswish); }},
    {"abs"_op, none, [](dnnl::post_ops& chain, const OperatorCall&) { append(chain, algorithm::eltwise_abs); }},
};

/// Null when it is none.
const Activation* find_activation(OperatorId op) {
  const auto* const found = std::ranges::find(activation_table, op, &Activation::op);
  return found == std::end(activation_table) ? nullptr : found;
}

void append_activation(dnnl::post_ops& chain, const PostOp& post_op) {
  const Activation& activation = *find_activation(post_op.op);
  const OperatorCall call(post_op.op, {}, post_op.attributes);
  if (activation.begin) activation.begin(chain, call);
  if (!activation.limits) return;
  const OutputLimits limits = activation.limits(call);
  if (post_op.op == "relu"_op) return append(chain, algorithm::eltwise_relu);
  append(chain, algorithm::eltwise_clip, limits.low, limits.high);
}

/// How the other operand of a binary post-op relates to the result.
enum class PostOpOperand : std::uint8_t {
  full,         // one element for each of the result's, in the same order
  per_channel,  // one element for each index of the channel axis, or a single one
  other,
};

/// `channel_axis` counts from the end: 1 is the last axis, 3 the channel axis of an nchw tensor.
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

algorithm binary_algorithm(OperatorId op) {
  if (op == "add"_op) return algorithm::binary_add;
  if (op == "mul"_op) return algorithm::binary_mul;
  return op == "sub"_op ? algorithm::binary_sub : algorithm::binary_div;
}

}  // namespace

bool takes_post_ops(const KernelSpec& spec, unsigned channel_axis, bool bias_is_free, bool sum_is_free) {
  constexpr std::size_t most = 8;
  const Expression expression(spec);
  if (spec.post_ops.size() > most || !expression.is_chain()) return false;
  bool at_start = true, sums = false;
  unsigned used = none;  // set of Parameterized
  for (std::size_t i = 0; i < spec.post_ops.size(); ++i) {
    const PostOp& post_op = spec.post_ops[i];
    if (const Activation* const activation = find_activation(post_op.op)) {
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

std::optional<OutputLimits> take_limits(KernelSpec& spec) {
  if (spec.post_ops.empty()) return std::nullopt;
  PostOp& last = spec.post_ops.back();
  const Activation* const activation = find_activation(last.op);
  if (!activation || !activation->limits) return std::nullopt;
  const OperatorCall call(last.op, {}, last.attributes);
  const OutputLimits limits = activation->limits(call);
  if (!activation->begin) {
    spec.post_ops.pop_back();
    return limits;
  }
  PostOp linear{"linear"_op, Attributes(row("linear"_op).attributes.size()), last.operands};  // hardSigmoid's
  for (const char* name : {"alpha", "beta"})
    linear.attributes[std::size_t(row("linear"_op).attribute_index(name))].emplace(call.real(name));
  last = std::move(linear);
  return limits;
}

BoundPostOps plan_post_ops(const KernelSpec& spec, ChannelAxis axis, bool bias_is_free, bool sum_first) {
  BoundPostOps plan;
  if (sum_first) plan.chain.append_sum();
  const Expression expression(spec);
  for (std::size_t i = 0; i < spec.post_ops.size(); ++i) {
    const PostOp& post_op = spec.post_ops[i];
    if (row(post_op.op).operands.size() == 1) {
      append_activation(plan.chain, post_op);
      continue;
    }
    const std::size_t operand = expression.first_input(i + 1);
    if (classify_post_op_operand(spec, operand, axis.in_spec) == PostOpOperand::full) {
      plan.chain.append_sum();
      plan.sum = operand;
      continue;
    }
    const std::size_t count = element_count(spec.inputs[operand]->shape);
    const auto channels = spec.outputs[0].shape[spec.outputs[0].shape.rank() - axis.in_spec];
    if (i == 0 && bias_is_free && post_op.op == "add"_op && count == channels) {
      plan.bias = operand;
      continue;
    }
    dnnl::memory::dims dims(axis.rank, 1), strides(axis.rank, 1);
    dims[axis.rank - axis.in_result] = dnnl::memory::dim(count);
    for (unsigned i = 0; i < axis.rank - axis.in_result; ++i) strides[i] = dnnl::memory::dim(count);
    const dnnl::memory::desc desc(dims, dnnl::memory::data_type::f32, strides);
    const int argument = DNNL_ARG_ATTR_MULTIPLE_POST_OP(plan.chain.len()) | DNNL_ARG_SRC_1;
    plan.operands.push_back({argument, desc, operand});
    plan.chain.append_binary(binary_algorithm(post_op.op), desc);
  }
  return plan;
}

void BoundPostOps::bind(Execution& execution) const {
  for (const PerChannel& operand : operands) execution.bind_input(operand.argument, operand.desc, operand.operand);
}

void place_in_output(const KernelArguments& arguments, std::size_t operand, std::size_t bytes) {
  const std::byte* from = arguments.inputs[operand];
  std::byte* to = arguments.outputs[0];
  if (from == to) return;
  constexpr std::size_t grain = 64 * 1024;
  parallel_for(bytes, grain,
               [=](std::size_t begin, std::size_t end) { std::memcpy(to + begin, from + begin, end - begin); });
}

}  // namespace webnn::runtime::onednn
