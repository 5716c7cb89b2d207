// Reads kernels.def into the kernel table.
#include "schema/kernel_table.hpp"

namespace webnn::schema {
namespace {

constexpr DataTypes any_type{DataType::float32, DataType::float16, DataType::int32, DataType::uint32, DataType::int64,
                             DataType::uint64,  DataType::int8,    DataType::uint8, DataType::int4,   DataType::uint4};

using Condition = bool (*)(const KernelSpec&);

constexpr KernelRow kernel(std::string_view name, DeviceKind device, std::string_view op, DataTypes types,
                           Feature features, std::uint8_t in_place, Condition accepts) {
  return {name, device, op, Family::unary, types, features, in_place, accepts};
}
constexpr KernelRow kernel(std::string_view name, DeviceKind device, Family family, DataTypes types, Feature features,
                           std::uint8_t in_place, Condition accepts) {
  return {name, device, {}, family, types, features, in_place, accepts};
}

#define KERNEL(name, device, selector, types, features, in_place, accepts) \
  kernel(name, DeviceKind::device, selector, types, Feature::features, in_place, accepts),
constexpr KernelRow rows[] = {
#include "schema/kernels.def"
};
#undef KERNEL

}  // namespace

std::span<const KernelRow> kernel_table() { return rows; }

const KernelRow& row(KernelId id) { return rows[id.index]; }

std::optional<KernelId> find_kernel(std::string_view name) {
  for (std::size_t i = 0; i < std::size(rows); ++i)
    if (rows[i].name == name) return KernelId{std::uint16_t(i)};
  return std::nullopt;
}

bool takes(const KernelRow& row, const KernelSpec& spec, const Target& target) {
  const Operator& op = schema::row(spec.op);
  if (row.device != target.device || !includes(target.features, row.features)) return false;
  if (row.op.empty() ? row.family != op.family : row.op != op.name) return false;
  if (!spec.post_ops.empty()) return false;  // no row takes post-ops yet
  if (!spec.inputs.empty() && spec.inputs[0] && !row.types.contains(spec.inputs[0]->type)) return false;
  return row.accepts == nullptr || row.accepts(spec);
}

std::string_view name_of(Layout layout) {
  constexpr std::string_view names[] = {"row_major", "channels_last", "private"};
  return names[std::size_t(layout)];
}

std::vector<const OperandDescriptor*> KernelSpec::root_operands() const {
  std::size_t of_post_ops = 0;
  for (const PostOp& post_op : post_ops) of_post_ops += schema::row(post_op.op).operands.size() - 1;
  std::vector<const OperandDescriptor*> operands;
  for (std::size_t i = 0; i + of_post_ops < inputs.size(); ++i) operands.push_back(inputs[i] ? &*inputs[i] : nullptr);
  return operands;
}

}  // namespace webnn::schema
