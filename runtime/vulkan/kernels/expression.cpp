#include "runtime/vulkan/kernels/expression.hpp"

#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/kernels/spirv.hpp"

namespace webnn::runtime::vulkan {

Expression expression_of(const KernelSpec& spec) {
  Expression expression;
  const std::size_t first = spec.root_operand_count();
  std::size_t next = first;
  for (const PostOp& post_op : spec.post_ops) {
    ExpressionStep step;
    const auto source = [&](std::size_t i) {
      if (post_op.operands[i] != 0) return ExpressionOperand{post_op.operands[i], 0, 0};
      const std::uint32_t form = code(addressing_of(spec.inputs[next]->shape, spec.outputs[0].shape));
      return ExpressionOperand{0, std::uint32_t(next++ - first), form};
    };
    step.first = source(0);
    if (row(post_op.op).family == Family::unary) {
      const OperandDescriptor* const operand = &spec.outputs[0];
      const OperatorCall call(post_op.op, {&operand, 1}, post_op.attributes);
      const RealParameters parameters = real_parameters(call);
      step.op = post_op.op.index;
      step.alpha = parameters.alpha;
      step.beta = parameters.beta;
    } else {
      step.binary = true;
      step.op = post_op.op.index;
      step.second = source(1);
    }
    expression.push_back(step);
  }
  return expression;
}

std::vector<std::uint32_t> with_epilogue(std::span<const std::uint32_t> shader, const Expression& expression) {
  using Word = SpirvModule::Word;
  SpirvModule module(shader);
  if (expression.empty() && !module.has_function("post_operand")) return {shader.begin(), shader.end()};
  const auto old = module.function("epilogue"), operand = module.function("post_operand");
  const auto stored = module.function("stored");
  const auto unary = module.function("real_unary"), binary = module.function("real_binary");
  std::vector<Word> parameters;
  const Word id = module.begin_function(old, parameters);
  // The results so far, each rounded as a separate operator would round it.
  std::vector<Word> results{module.call(stored, std::vector<Word>{parameters[0]})};
  const Word element = parameters[1];
  const auto value_of = [&](const ExpressionOperand& of) {
    if (of.steps_back != 0) return results[results.size() - of.steps_back];
    return module.call(operand, std::vector<Word>{module.constant(of.slot), module.constant(of.form), element});
  };
  for (const ExpressionStep& step : expression) {
    const Word first = value_of(step.first);
    const Word result =
        step.binary ? module.call(binary, std::vector<Word>{module.constant(step.op), first, value_of(step.second)})
                    : module.call(unary, std::vector<Word>{module.constant(step.op), first, module.constant(step.alpha),
                                                           module.constant(step.beta)});
    results.push_back(module.call(stored, std::vector<Word>{result}));
  }
  module.end_function(results.back());
  module.redirect_calls(old, id);
  module.drop_unreached();
  return module.words();
}

}  // namespace webnn::runtime::vulkan
