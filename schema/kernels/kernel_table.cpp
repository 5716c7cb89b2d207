// Reads kernels.def into the kernel table.
#include "schema/kernels/kernel_table.hpp"

#include <algorithm>

#include "schema/kernels/kernel_conditions.hpp"

namespace webnn::schema {
namespace {

constexpr DataTypes any_type{DataType::float32, DataType::float16, DataType::int32, DataType::uint32, DataType::int64,
                             DataType::uint64,  DataType::int8,    DataType::uint8, DataType::int4,   DataType::uint4};

constexpr DataType float32 = DataType::float32, uint8 = DataType::uint8;
constexpr DataTypes floats{DataType::float32, DataType::float16};
constexpr DataTypes int8_or_uint8{DataType::int8, DataType::uint8};
constexpr DataTypes narrow_integer = int8_or_uint8 | DataType::int32;
constexpr DataTypes castable = floats | narrow_integer;
constexpr DataTypes float32_or_integer{DataType::float32, DataType::int32, DataType::uint32, DataType::int64,
                                       DataType::uint64,  DataType::int8,  DataType::uint8};
constexpr DataTypes whole_bytes = float32_or_integer | DataType::float16;

using Condition = bool (*)(const KernelSpec&);

// The optional settings of a row, behind its condition.
struct Layouts {
  LayoutRule rule;
};
struct Types {
  DataTypes types;
};
struct Packs {
  std::uint8_t operands;
};
struct PostOps {
  Condition accepted;
};
struct Constants {
  std::uint8_t operands;
};
struct Overreads {
  std::uint8_t operands;
};
constexpr void apply(KernelRow& row, Layouts layouts) { row.layouts = layouts.rule; }
constexpr void apply(KernelRow& row, Types types) { row.types = types.types; }
constexpr void apply(KernelRow& row, Packs packs) { row.packs = packs.operands; }
constexpr void apply(KernelRow& row, PostOps post_ops) { row.post_ops = post_ops.accepted; }
constexpr void apply(KernelRow& row, Constants constants) { row.constants = constants.operands; }
constexpr void apply(KernelRow& row, Overreads overreads) { row.overreads = overreads.operands; }

constexpr std::string_view operator_of(std::string_view op) { return op; }
constexpr std::string_view operator_of(Family) { return {}; }
constexpr Family family_of(std::string_view) { return Family::unary; }
constexpr Family family_of(Family family) { return family; }

constexpr KernelRow kernel(std::string_view name, DeviceKind device, auto selector, DataTypes types, Feature features,
                           std::uint8_t in_place, Condition accepts, auto... further) {
  KernelRow row{name, device, operator_of(selector), family_of(selector), types, features, in_place, accepts};
  (apply(row, further), ...);
  return row;
}

#define KERNEL(name, device, selector, types, features, in_place, ...) \
  kernel(name, DeviceKind::device, selector, types, Feature::features, in_place, __VA_ARGS__),
constexpr KernelRow rows[] = {
#include "schema/kernels/kernels.def"
};

}  // namespace

std::span<const KernelRow> kernel_table() { return rows; }

const KernelRow& row(KernelId id) { return rows[id.index]; }

KernelId id_of(const KernelRow& row) { return {std::uint16_t(&row - rows)}; }

std::optional<KernelId> find_kernel(std::string_view name) {
  for (std::size_t i = 0; i < std::size(rows); ++i)
    if (rows[i].name == name) return KernelId{std::uint16_t(i)};
  return std::nullopt;
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
  if (row.op.empty() ? row.family != op.family : row.op != op.name) return false;
  if (!spec.post_ops.empty() && (row.post_ops == nullptr || !row.post_ops(spec))) return false;
  if (!spec.inputs.empty() && spec.inputs[0] && !row.types.contains(spec.inputs[0]->type)) return false;
  if (!has_constants(row, spec)) return false;
  return row.accepts == nullptr || row.accepts(spec);
}

bool takes_layouts(const KernelRow& row, const KernelSpec& spec) {
  bool row_major = true, channels_last = true;  // whether all activations are, or could be read as such
  const auto look = [&](const Shape& shape, Layout layout) {
    if (layouts_coincide(shape)) return;
    row_major = row_major && layout == Layout::row_major;
    channels_last = channels_last && layout == Layout::channels_last;
  };
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    if (!spec.inputs[i]) continue;
    const Layout layout = spec.input_layout(i);
    if (layout == Layout::private_form) {
      if (i >= 8 || !((row.packs >> i) & 1u) || spec.input_form(i).empty()) return false;
    } else if (spec.is_activation(i)) {
      look(spec.inputs[i]->shape, layout);
    } else if (layout != Layout::row_major) {
      return false;
    }
  }
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) {
    const Shape& shape = spec.outputs[i].shape;
    const Layout layout = spec.output_layout(i);
    if (layout == Layout::private_form || (layout == Layout::channels_last && shape.rank() != 4)) return false;
    if (shape.rank() == 4) look(shape, layout);
  }
  switch (row.layouts) {
    case LayoutRule::row_major:
      return row_major;
    case LayoutRule::channels_last:
      return channels_last;
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
  constexpr std::string_view names[] = {"row-major", "channels-last", "uniform", "any"};
  return names[std::size_t(rule)];
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
