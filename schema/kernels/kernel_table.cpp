#include "schema/kernels/kernel_table.hpp"

#include <algorithm>
#include <utility>

#include "schema/kernels/cost.hpp"

namespace webnn::schema {

KernelTable::KernelTable(std::vector<const KernelRow*> rows) : rows_(std::move(rows)) {
  for (const Operator& op : all_operators()) {
    for (const KernelRow* row : rows_)
      if (is_for(*row, op)) by_operator_.push_back(row);
    ends_.push_back(by_operator_.size());
  }
}

std::span<const KernelRow* const> KernelTable::rows_for(OperatorId op) const {
  if (rows_.empty()) return {};
  const std::size_t first = op.index == 0 ? 0 : ends_[op.index - 1];
  return std::span(by_operator_).subspan(first, ends_[op.index] - first);
}

std::optional<KernelId> KernelTable::find(std::string_view name) const {
  for (const KernelRow* row : rows_)
    if (row->name == name) return KernelId{row};
  return std::nullopt;
}

bool is_for(const KernelRow& row, const Operator& op) {
  return (row.op.empty() ? row.family == op.family : row.op == op.name) && row.types.overlaps(op.operands[0].types);
}

bool falls_back(const KernelRow& row, const Target& target) {
  return row.device == DeviceKind::cpu && target.device != DeviceKind::cpu &&
         includes(target.features, Feature::cpu_fallback) && row.overreads == 0;  // only arenas on the CPU are padded
}

namespace {

/// Whether the operands that must be constants are constants or absent.
bool has_constants(const KernelRow& row, const KernelSpec& spec) {
  for (std::size_t i = 0; i < spec.inputs.size() && i < 8; ++i)
    if (spec.inputs[i] && ((row.constants >> i) & 1u) && !((spec.constants >> i) & 1u)) return false;
  return true;
}

}  // namespace

bool takes(const KernelRow& row, const KernelSpec& spec, const Target& target) {
  const Operator& op = schema::row(spec.op);
  if ((row.device != target.device && !falls_back(row, target)) || !includes(target.features, row.features))
    return false;
  if (!is_for(row, op)) return false;
  if (!spec.inputs.empty() && spec.inputs[0] && !row.types.contains(spec.inputs[0]->type)) return false;
  if (!has_constants(row, spec)) return false;
  if (!spec.post_ops.empty() && (row.can_apply == nullptr || !row.can_apply(spec))) return false;
  return row.can == nullptr || row.can(spec);
}

namespace {

/// The time in nanoseconds that one core of a common processor needs for the call's arithmetic, or for reading and
/// writing its operands and outputs if that takes longer.
double ideal_time(const KernelSpec& spec) {
  constexpr double flops_per_nanosecond = 50, bytes_per_nanosecond = 10, call = 100;  // call: of any kernel
  const Cost work = cost_of(spec);
  return call + std::max(double(work.flops) / flops_per_nanosecond, double(work.bytes) / bytes_per_nanosecond);
}

}  // namespace

double slowness(const KernelRow& row, const KernelSpec& spec, const Target& target) {
  return row.scale == nullptr ? row.factor : row.factor * row.scale(spec, target);
}

double cost(const KernelRow& row, const KernelSpec& spec, const Target& target) {
  return ideal_time(spec) * slowness(row, spec, target);
}

bool takes_layouts(const KernelRow& row, const KernelSpec& spec) {
  bool row_major = true, channels_last = true;  // whether all activations are, or could be read as such
  bool first_row_major = true, others_channels_last = true;
  bool moves_parts_of_bytes = false;
  const auto look = [&](const OperandDescriptor& operand, Layout layout) {
    if (layouts_coincide(operand.shape)) return;
    moves_parts_of_bytes |= layout == Layout::channels_last && bits_of(operand.type) < 8;
    row_major = row_major && layout == Layout::row_major;
    channels_last = channels_last && layout == Layout::channels_last;
  };
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    if (!spec.inputs[i]) continue;
    const Layout layout = spec.input_layout(i);
    if (layout == Layout::private_form) {
      if (i >= 8 || !((row.packs >> i) & 1u) || spec.input_form(i).empty()) return false;
    } else if (spec.is_activation(i)) {
      look(*spec.inputs[i], layout);
      if (layouts_coincide(spec.inputs[i]->shape)) continue;
      if (i == 0) first_row_major = layout == Layout::row_major;
      if (i > 0) others_channels_last = others_channels_last && layout == Layout::channels_last;
    } else if (layout != Layout::row_major) {
      return false;
    }
  }
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) {
    const Shape& shape = spec.outputs[i].shape;
    const Layout layout = spec.output_layout(i);
    if (layout == Layout::private_form || (layout == Layout::channels_last && shape.rank() != 4)) return false;
    if (shape.rank() == 4) look(spec.outputs[i], layout);
    if (!layouts_coincide(shape)) others_channels_last = others_channels_last && layout == Layout::channels_last;
  }
  if (moves_parts_of_bytes) return false;  // no kernel reorders them
  switch (row.layouts) {
    case LayoutRule::row_major:
      return row_major;
    case LayoutRule::channels_last:
      return channels_last;
    case LayoutRule::to_channels_last:
      return first_row_major && others_channels_last;
    case LayoutRule::uniform:
      return row_major || channels_last;
    case LayoutRule::any:
      break;
  }
  return true;
}

bool layouts_coincide(const Shape& shape) {
  return shape.rank() != 4 || shape[1] == 1 || (shape[2] == 1 && shape[3] == 1);
}

std::string_view name_of(LayoutRule rule) {
  constexpr std::string_view names[] = {"row-major", "channels-last", "to channels-last", "uniform", "any"};
  return names[std::size_t(rule)];
}

std::optional<Layout> required_layout(LayoutRule rule, bool is_first_operand) {
  if (rule == LayoutRule::uniform || rule == LayoutRule::any) return std::nullopt;
  if (rule == LayoutRule::to_channels_last) return is_first_operand ? Layout::row_major : Layout::channels_last;
  return rule == LayoutRule::channels_last ? Layout::channels_last : Layout::row_major;
}

KernelSpec in_required_layouts(KernelSpec spec, LayoutRule rule) {
  const auto layout = [=](bool is_first) { return required_layout(rule, is_first).value_or(Layout::row_major); };
  spec.input_layouts.assign(spec.inputs.size(), Layout::row_major);
  spec.output_layouts.assign(spec.outputs.size(), Layout::row_major);
  for (std::size_t i = 0; i < spec.inputs.size(); ++i)
    if (spec.is_activation(i)) spec.input_layouts[i] = layout(i == 0);
  for (std::size_t i = 0; i < spec.outputs.size(); ++i)
    if (spec.outputs[i].shape.rank() == 4) spec.output_layouts[i] = layout(false);
  return spec;
}

std::string_view name_of(Layout layout) {
  constexpr std::string_view names[] = {"row_major", "channels_last", "private"};
  return names[std::size_t(layout)];
}

std::vector<const OperandDescriptor*> KernelSpec::root_operands() const {
  std::vector<const OperandDescriptor*> operands(root_operand_count());
  for (std::size_t i = 0; i < operands.size(); ++i) operands[i] = input(i);
  return operands;
}

bool KernelSpec::is_activation(std::size_t i) const {
  if (!inputs[i] || inputs[i]->shape.rank() != 4) return false;
  return schema::row(op).family != Family::convolution || i == 0 || i >= root_operand_count();
}

}  // namespace webnn::schema
