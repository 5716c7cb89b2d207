#include "runtime/vulkan/kernels/epilogue.hpp"

#include <algorithm>

#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/kernels/spirv.hpp"
#include "schema/operators/elementwise.hpp"

namespace webnn::runtime::vulkan {

Epilogue epilogue_of(const KernelSpec& spec) {
  Epilogue epilogue;
  const Expression expression(spec);
  const std::size_t first = expression.root_operand_count();
  const auto described = [&](std::size_t step, std::size_t place) {
    const std::vector<StepOperand> operands = expression.operands(step);
    const StepOperand from = operands[place];
    if (from.is_step()) {
      const bool all_are_results = std::ranges::all_of(operands, &StepOperand::is_step);
      return EpilogueOperand{from, 0, takes_rounded(expression.op(step), place, all_are_results)};
    }
    const auto form = code(addressing_of(spec, from.index));
    return EpilogueOperand{StepOperand::input(from.index - first), form};
  };
  for (std::size_t i = 1; i < expression.size(); ++i) {
    const OperatorId op = expression.op(i);
    EpilogueStep& step = epilogue.emplace_back();
    step.first = described(i, 0);
    if (row(op).family == Family::unary) {
      const OperandDescriptor* const operand = &spec.outputs[0];
      const RealParameters parameters = real_parameters(OperatorCall(op, {&operand, 1}, expression.attributes(i)));
      step.op = op.index;
      step.alpha = parameters.alpha;
      step.beta = parameters.beta;
    } else {
      step.binary = true;
      step.op = op.index;
      step.second = described(i, 1);
    }
  }
  return epilogue;
}

std::vector<std::uint32_t> with_epilogue(std::span<const std::uint32_t> shader, const Epilogue& epilogue) {
  using Word = SpirvModule::Word;
  SpirvModule module(shader);
  if (epilogue.empty() && !module.has_function("post_operand")) return {shader.begin(), shader.end()};
  const auto old = module.function("epilogue"), operand = module.function("post_operand");
  const auto stored = module.function("stored");
  const auto unary = module.function("real_unary"), binary = module.function("real_binary");
  std::vector<Word> parameters;
  const Word id = module.begin_function(old, parameters);
  std::vector<Word> results{parameters[0]};  // so far; the last is rounded when it is stored
  const Word element = parameters[1];
  const auto value_of = [&](const EpilogueOperand& of) {
    const auto [from, form, rounds] = of;
    if (from.is_step())
      return rounds ? module.call(stored, std::vector<Word>{results[from.index]}) : results[from.index];
    return module.call(operand, std::vector<Word>{module.constant(from.index), module.constant(form), element});
  };
  for (const EpilogueStep& step : epilogue) {
    const Word first = value_of(step.first);
    const Word result =
        step.binary ? module.call(binary, std::vector<Word>{module.constant(step.op), first, value_of(step.second)})
                    : module.call(unary, std::vector<Word>{module.constant(step.op), first, module.constant(step.alpha),
                                                           module.constant(step.beta)});
    results.push_back(result);
  }
  module.end_function(results.back());
  module.redirect_calls(old, id);
  module.drop_unreached();
  return module.words();
}

}  // namespace webnn::runtime::vulkan
