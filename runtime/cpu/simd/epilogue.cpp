#include "runtime/cpu/simd/epilogue.hpp"

#include <utility>
#include <vector>

#include "runtime/cpu/simd/elementwise/chain.hpp"
#include "runtime/kernel_conditions.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

/// A spec of only the steps from `first` on, applied to the output in place. Each takes the running result.
KernelSpec spec_of_steps(const KernelSpec& spec, std::size_t first) {
  const Expression expression(spec);
  std::vector<Layout> layouts;
  const auto input_of = [&](StepOperand operand) {
    layouts.push_back(operand.is_step() ? spec.output_layout(0) : spec.input_layout(operand.index));
    return operand.is_step() ? spec.outputs[0] : spec.inputs[operand.index];
  };
  KernelSpec chain = node_of_steps<KernelSpec>(expression, first, expression.size(), input_of);
  chain.input_layouts = std::move(layouts);
  chain.outputs = spec.outputs;
  chain.output_layouts = {spec.output_layout(0)};
  return chain;
}

}  // namespace

OutputLimits limits_of_post_op(const KernelSpec& spec, std::size_t index) {
  OutputLimits limits;
  if (index >= spec.post_ops.size()) return limits;
  const PostOp& post_op = spec.post_ops[index];
  if (post_op.op == "relu"_op) {
    limits.low = 0;
    limits.post_ops = 1;
  } else if (post_op.op == "clamp"_op) {
    const OperandDescriptor* operands[] = {&spec.outputs[0]};
    const OperatorCall call(post_op.op, operands, post_op.attributes);
    limits.low = float(call.number("minValue", Number(limits.low)).as_double());
    limits.high = float(call.number("maxValue", Number(limits.high)).as_double());
    limits.post_ops = 1;
  }
  return limits;
}

Epilogue Epilogue::of(const KernelSpec& spec, Constants constants, Isa isa, std::size_t applied) {
  Epilogue epilogue;
  if (applied == spec.post_ops.size()) return epilogue;
  const Expression expression(spec);
  const std::size_t first_step = applied + 1;
  epilogue.first_ = expression.first_input(first_step);
  epilogue.running_ = expression.running_operand(first_step);
  epilogue.count_ = spec.inputs.size() - epilogue.first_ + 1;
  std::vector<std::span<const std::byte>> of_chain(constants.begin() + std::ptrdiff_t(epilogue.first_),
                                                   constants.end());
  of_chain.insert(of_chain.begin() + std::ptrdiff_t(epilogue.running_), std::span<const std::byte>());
  epilogue.chain_ = std::make_shared<const Chain>(chain_of(spec_of_steps(spec, first_step), of_chain, isa));
  return epilogue;
}

template <typename Run>
void Epilogue::with_operands(const KernelArguments& arguments, Run run) const {
  const std::byte* operands[longest_chain + 1];
  for (std::size_t i = 0, next = first_; i < count_; ++i)
    operands[i] = i == running_ ? arguments.outputs[0] : arguments.inputs[next++];
  run(KernelArguments{{operands, count_}, arguments.outputs, nullptr});
}

void Epilogue::run(const KernelArguments& arguments) const {
  with_operands(arguments, [&](const KernelArguments& of_chain) { chain_->run(of_chain); });
}

void Epilogue::run_part(const KernelArguments& arguments, std::size_t first, std::size_t last) const {
  with_operands(arguments, [&](const KernelArguments& of_chain) { chain_->run_part(of_chain, first, last); });
}

void Epilogue::run_elements(const KernelArguments& arguments, std::size_t first, std::size_t last) const {
  with_operands(arguments, [&](const KernelArguments& of_chain) { chain_->run_elements(of_chain, first, last); });
}

Kernel with_post_ops(Kernel root, const KernelSpec& spec, Constants constants, Isa isa, std::size_t applied) {
  Epilogue epilogue = Epilogue::of(spec, constants, isa, applied);
  if (epilogue.is_empty()) return root;
  if (root.run_lines) {
    const Shape& shape = spec.outputs[0].shape;
    const std::size_t line = std::size_t{shape[1]} * shape[3];  // elements
    root.run_lines = [=, run_root = std::move(root.run_lines)](const KernelArguments& arguments, std::size_t begin,
                                                               std::size_t end) {
      run_root(arguments, begin, end);
      epilogue.run_elements(arguments, begin * line, end * line);
    };
    root.run = [run_lines = root.run_lines, lines = std::size_t{shape[0]} * shape[2]](
                   const KernelArguments& arguments) { run_lines(arguments, 0, lines); };
    return root;
  }
  root.run = [run_root = std::move(root.run), epilogue = std::move(epilogue)](const KernelArguments& arguments) {
    run_root(arguments);
    epilogue.run(arguments);
  };
  return root;
}

}  // namespace webnn::runtime::simd
