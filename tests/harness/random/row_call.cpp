#include "tests/harness/random/row_call.hpp"

#include "api/pack_constant.hpp"
#include "compiler/ir/text.hpp"

namespace webnn::tests {

void choose_layouts(const KernelRow& kernel, KernelSpec& spec, std::mt19937& engine) {
  const auto by_chance = [&] { return engine() % 2 ? Layout::row_major : Layout::channels_last; };
  const Layout common = by_chance();
  const auto choose = [&](bool is_first) {
    if (const auto required = required_layout(kernel.layouts, is_first)) return *required;
    return kernel.layouts == LayoutRule::uniform ? common : by_chance();
  };
  for (std::size_t i = 0; i < spec.inputs.size(); ++i)
    spec.input_layouts.push_back(spec.is_activation(i) ? choose(i == 0) : Layout::row_major);
  for (const OperandDescriptor& output : spec.outputs)
    spec.output_layouts.push_back(output.shape.rank() == 4 ? choose(false) : Layout::row_major);
}

std::uint8_t random_constants(const KernelRow& kernel, const KernelSpec& spec, std::mt19937& engine) {
  std::uint8_t constants = 0;
  for (std::size_t i = 0; i < spec.inputs.size() && i < 8; ++i) {
    const bool may_be = ((kernel.packs >> i) & 1u) && engine() % 4 != 0;
    if (spec.inputs[i] && (may_be || ((kernel.constants >> i) & 1u))) constants |= std::uint8_t(1u << i);
  }
  return constants;
}

void bring_into_layouts(RandomCall& call) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    if (call.inputs[i]) call.inputs[i] = in_layout(*call.inputs[i], Layout::row_major, call.spec.input_layout(i));
}

std::vector<std::size_t> arrange_operands(const KernelRow& kernel, RandomCall& call, std::mt19937& engine) {
  std::vector<std::size_t> constants;
  bring_into_layouts(call);
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    if (call.inputs[i] && i < 8 && ((call.spec.constants >> i) & 1u)) {
      constants.push_back(i);
      if (!((kernel.packs >> i) & 1u)) continue;
      const auto packed = api::pack_constant({&kernel}, call.spec, i, call.inputs[i]->data);
      if (!packed || engine() % 4 == 0) continue;
      call.inputs[i]->data.assign(packed->bytes.view().begin(), packed->bytes.view().end());
      call.spec.input_forms.resize(call.inputs.size());
      call.spec.input_forms[i] = packed->form;
      call.spec.input_layouts[i] = Layout::private_form;
    }
  return constants;
}

std::string text_of(const KernelSpec& spec) {
  const auto arranged = [](const OperandDescriptor& operand, Layout layout, std::string_view form) {
    const std::string_view order = form.empty() ? name_of(layout) : form;
    return operand.text() + (layout == Layout::row_major ? "" : "/" + std::string(order));
  };
  const auto operand = [&](std::size_t i) -> std::string {
    if (i >= spec.inputs.size() || !spec.inputs[i]) return "_";
    const bool is_constant = i < 8 && ((spec.constants >> i) & 1u);
    return (is_constant ? "const " : "") + arranged(*spec.inputs[i], spec.input_layout(i), spec.input_form(i));
  };
  std::string text(row(spec.op).name);
  for (std::size_t i = 0; i < spec.root_operand_count(); ++i) text += (i ? ", " : "(") + operand(i);
  text += ")" + compiler::attributes_text(row(spec.op), spec.attributes) + compiler::post_ops_text(spec, operand);
  for (std::size_t i = 0; i < spec.outputs.size(); ++i)
    text += (i ? ", " : " : ") + arranged(spec.outputs[i], spec.output_layout(i), {});
  return text;
}

}  // namespace webnn::tests
