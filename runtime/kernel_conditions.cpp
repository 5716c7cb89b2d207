#include "runtime/kernel_conditions.hpp"

#include <algorithm>

#include "schema/operators/elementwise.hpp"

namespace webnn::runtime {
namespace {

bool broadcasts_to(const OperandDescriptor& operand, const OperandDescriptor& output) {
  return broadcast(operand.shape, output.shape) == output.shape;
}

}  // namespace

bool operands_broadcast(const KernelSpec& spec) {
  return std::ranges::all_of(spec.inputs,
                             [&](const auto& operand) { return operand && broadcasts_to(*operand, spec.outputs[0]); });
}

bool elementwise_expression(const KernelSpec& spec) {
  if (spec.outputs.size() != 1 || spec.post_ops.size() > longest_chain || spec.inputs.size() > most_group_inputs)
    return false;
  const OperandDescriptor& output = spec.outputs[0];
  if (!is_float(output.type)) return false;
  const auto on_floats = [](const PostOp& post_op) {
    const Family family = row(post_op.op).family;
    return family == Family::unary || family == Family::binary;
  };
  const auto first = spec.inputs.begin() + std::ptrdiff_t(spec.root_operand_count());
  return std::ranges::all_of(spec.post_ops, on_floats) &&
         std::all_of(first, spec.inputs.end(), [&](const auto& operand) {
           return operand && operand->type == output.type && broadcasts_to(*operand, output);
         });
}

bool elementwise_post_ops(const KernelSpec& spec) {
  return Expression(spec).is_chain() && elementwise_expression(spec) && has_vector_functions(spec);
}

bool has_vector_functions(const KernelSpec& spec) {
  const bool on_floats = !spec.post_ops.empty() || is_float(spec.inputs[0]->type);
  const auto has_function = [on_floats](OperatorId op) {
    const ElementwiseRow* const row = find_elementwise(op);
    return row == nullptr || (on_floats ? row->floats : row->integers) != Work::none;
  };
  return has_function(spec.op) && std::ranges::all_of(spec.post_ops, has_function, &PostOp::op);
}

bool elementwise_group(const KernelSpec& spec) { return elementwise_expression(spec) && operands_broadcast(spec); }

bool is_nchw(const KernelSpec& spec) { return SpecCall(spec).text("layout") == "nchw"; }

bool resamples_height_and_width(const KernelSpec& spec) {
  const auto axes = SpecCall(spec).u32_list("axes");
  return axes[0] + axes[1] == 5;  // 2 and 3 in either order, of four axes
}

bool product_has_bias(const KernelSpec& spec) {
  if (spec.op == "matmul"_op) return true;
  const SpecCall call(spec);
  if (call.real("alpha") != 1) return false;
  if (!call.has_operand(2)) return true;
  const Shape& c = call.shape(2);
  const std::uint32_t columns = call.shape(1)[call.boolean("bTranspose") ? 0 : 1];  // post-ops may change the output's
  return call.real("beta") == 1 && c.rank() >= 1 && c[c.rank() - 1] == columns && element_count(c) == columns;
}

}  // namespace webnn::runtime
