// The kernel table: which kernels exist, what each takes, and in which order they are preferred.
// The rows are in kernels.def; the functions behind the names are in runtime/, which the compiler never sees.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/operator_call.hpp"
#include "schema/target.hpp"

namespace webnn::schema {

/// How a value's elements lie in memory. Only `@reorder` changes a layout.
enum class Layout : std::uint8_t {
  row_major,
  channels_last,  // a logical nchw tensor stored as nhwc
  private_form,   // a kernel's own; the kernel that wrote it is the only one that reads it
};
std::string_view name_of(Layout layout);

/// An elementwise operator applied to a node's result before it is stored.
struct PostOp {
  OperatorId op;
  Attributes attributes;
  std::uint8_t chained_operand = 0;  // which operand of `op` is the running result
  bool operator==(const PostOp&) const = default;
};

/// All that a kernel needs to know to be chosen and prepared; never the addresses of changing tensors.
struct KernelSpec {
  OperatorId op;
  Attributes attributes;
  std::vector<std::optional<OperandDescriptor>> inputs;  // in the row's order, then the post-ops' other operands
  std::vector<OperandDescriptor> outputs;
  std::vector<Layout> input_layouts;  // empty: all row-major
  std::vector<Layout> output_layouts;
  std::vector<PostOp> post_ops;

  /// Operands of the root operator (without the post-ops' ones), as a call holds them.
  std::vector<const OperandDescriptor*> root_operands() const;
};

/// A row of kernels.def.
struct KernelRow {
  std::string_view name;  // "provider.kernel"
  DeviceKind device = DeviceKind::cpu;
  std::string_view op;  // one operator, or empty: the whole family
  Family family = Family::unary;
  DataTypes types;                   // of the first operand
  Feature features = Feature::none;  // that the machine must have
  // Bit i: output 0 may be written over operand i when the bits of their elements and their bytes agree; with several
  // bits set also over one buffer that is several of these operands.
  std::uint8_t in_place = 0;
  bool (*accepts)(const KernelSpec&) = nullptr;  // further condition; null: none

  std::string_view provider() const { return name.substr(0, name.find('.')); }
};

/// Index of a row of the kernel table.
struct KernelId {
  std::uint16_t index = 0;
  constexpr bool operator==(const KernelId&) const = default;
};

std::span<const KernelRow> kernel_table();
const KernelRow& row(KernelId id);
std::optional<KernelId> find_kernel(std::string_view name);
/// Whether the row takes this spec on this target; order of the table is preference.
bool takes(const KernelRow& row, const KernelSpec& spec, const Target& target);

}  // namespace webnn::schema
