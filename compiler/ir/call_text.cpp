#include "compiler/ir/call_text.hpp"

#include "compiler/ir/text.hpp"

namespace webnn::compiler {
namespace {

std::string operand_text(const KernelSpec& spec, const std::vector<bool>& constant, std::size_t i) {
  if (i >= spec.inputs.size() || !spec.inputs[i]) return "_";
  return (i < constant.size() && constant[i] ? "const " : "") + spec.inputs[i]->text();
}

}  // namespace

std::string call_text(const KernelSpec& spec, const std::vector<bool>& constant) {
  const std::size_t root_operands = spec.root_operand_count();
  std::string text(row(spec.op).name);
  text += "(";
  for (std::size_t i = 0; i < root_operands; ++i) text += (i ? ", " : "") + operand_text(spec, constant, i);
  text += ")" + attributes_text(row(spec.op), spec.attributes);
  std::size_t next = root_operands;
  for (const PostOp& post_op : spec.post_ops) {
    const Operator& op = row(post_op.op);
    text += " -> " + std::string(op.name);
    if (op.operands.size() > 1 || post_op.operands[0] != 1) {
      text += "(";
      for (std::size_t i = 0; i < op.operands.size(); ++i)
        text += (i ? ", " : "") + (post_op.operands[i] != 0 ? steps_back_text(post_op.operands[i])
                                                            : operand_text(spec, constant, next++));
      text += ")";
    }
    text += attributes_text(op, post_op.attributes);
  }
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) text += (i ? ", " : " : ") + spec.outputs[i].text();
  return text;
}

}  // namespace webnn::compiler
