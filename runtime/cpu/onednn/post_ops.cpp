#include "runtime/cpu/onednn/post_ops.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/threads/parallel.hpp"
#include "schema/kernels/kernel_conditions.hpp"

namespace webnn::runtime::onednn {
namespace {

using dnnl::algorithm;

/// Appends the oneDNN activation for a post-op; alpha and beta are its parameters.
void append_activation(dnnl::post_ops& chain, const PostOp& post_op) {
  const OperatorCall call(post_op.op, {}, post_op.attributes);
  const auto append = [&](algorithm kind, double alpha = 0, double beta = 0) {
    chain.append_eltwise(1.0f, kind, float(alpha), float(beta));
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (post_op.op == "relu"_op) return append(algorithm::eltwise_relu);
  if (post_op.op == "leakyRelu"_op) return append(algorithm::eltwise_relu, call.real("alpha"));
  if (post_op.op == "clamp"_op)
    return append(algorithm::eltwise_clip, call.number("minValue", -infinity).as_double(),
                  call.number("maxValue", infinity).as_double());
  if (post_op.op == "hardSwish"_op) return append(algorithm::eltwise_hardswish);
  if (post_op.op == "linear"_op) return append(algorithm::eltwise_linear, call.real("alpha"), call.real("beta"));
  if (post_op.op == "abs"_op) return append(algorithm::eltwise_abs);
  if (post_op.op == "neg"_op) return append(algorithm::eltwise_linear, -1);
  if (post_op.op == "hardSigmoid"_op) {
    append(algorithm::eltwise_linear, call.real("alpha"), call.real("beta"));
    return append(algorithm::eltwise_clip, 0, 1);
  }
  throw Error(ExitCode::internal, "oneDNN has no post-op '" + std::string(row(post_op.op).name) + "'");
}

algorithm binary_algorithm(OperatorId op) {
  if (op == "add"_op) return algorithm::binary_add;
  if (op == "mul"_op) return algorithm::binary_mul;
  return op == "sub"_op ? algorithm::binary_sub : algorithm::binary_div;
}

}  // namespace

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
