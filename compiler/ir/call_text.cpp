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
  std::string text(row(spec.op).name);
  text += "(";
  for (std::size_t i = 0; i < spec.root_operand_count(); ++i) text += (i ? ", " : "") + operand_text(spec, constant, i);
  text += ")" + attributes_text(row(spec.op), spec.attributes);
  text += post_ops_text(spec, [&](std::size_t i) { return operand_text(spec, constant, i); });
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) text += (i ? ", " : " : ") + spec.outputs[i].text();
  return text;
}

}  // namespace webnn::compiler
