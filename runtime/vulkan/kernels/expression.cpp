#include "runtime/vulkan/kernels/expression.hpp"

#include "runtime/vulkan/kernels/operators.hpp"
#include "runtime/vulkan/kernels/spirv.hpp"

namespace webnn::runtime::vulkan {

Expression expression_of(const KernelSpec& spec) {
  Expression expression;
  const std::size_t first = spec.root_operand_count();
  std::size_t next = first;
  for (const PostOp& post_op : spec.post_ops) {
    ExpressionStep step;
    if (row(post_op.op).family == Family::unary) {
      const OperandDescriptor* const operand = &spec.outputs[0];
      const OperatorCall call(post_op.op, {&operand, 1}, post_op.attributes);
      const RealParameters parameters = real_parameters(call);
      step.op = number_in(unary_operators, post_op.op);
      step.alpha = parameters.alpha;
      step.beta = parameters.beta;
    } else {
      step.binary = true;
      step.op = number_in(binary_operators, post_op.op);
      step.slot = std::uint32_t(next - first);
      step.form = code(form_of(spec.inputs[next]->shape, spec.outputs[0].shape));
      step.result_is_second = post_op.chained_operand == 1;
      ++next;
    }
    expression.push_back(step);
  }
  return expression;
}

std::vector<std::uint32_t> with_epilogue(std::span<const std::uint32_t> shader, const Expression& expression) {
  using Word = SpirvModule::Word;
  SpirvModule module(shader);
  const auto old = module.function("epilogue"), operand = module.function("post_operand");
  const auto unary = module.function("real_unary"), binary = module.function("real_binary");
  std::vector<Word> parameters;
  const Word id = module.begin_function(old, parameters);
  Word result = parameters[0];
  const Word element = parameters[1];
  for (const ExpressionStep& step : expression) {
    if (!step.binary) {
      result = module.call(unary, std::vector<Word>{module.constant(step.op), result, module.constant(step.alpha),
                                                    module.constant(step.beta)});
      continue;
    }
    const Word other =
        module.call(operand, std::vector<Word>{module.constant(step.slot), module.constant(step.form), element});
    result = module.call(binary, step.result_is_second ? std::vector<Word>{module.constant(step.op), other, result}
                                                       : std::vector<Word>{module.constant(step.op), result, other});
  }
  module.end_function(result);
  module.redirect_calls(old, id);
  return module.words();
}

}  // namespace webnn::runtime::vulkan
