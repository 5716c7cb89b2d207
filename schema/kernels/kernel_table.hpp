// The kernel table: which kernels exist, what each takes, and in which order they are preferred.
// The rows are in kernels.def; the functions behind the names are in runtime/, which the compiler never sees.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/kernels/target.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::schema {

/// How a value's elements lie in memory. Only `@reorder` changes a layout.
enum class Layout : std::uint8_t {
  row_major,
  channels_last,  // a tensor of rank 4, logically nchw, stored as nhwc
  private_form,   // of a constant: what a kernel's `pack` made of it, under the name in KernelSpec::input_forms
};
std::string_view name_of(Layout layout);

/// In which layouts a kernel reads and writes its activations: the operands and outputs of rank 4 without the filters
/// of convolutions. Everything else is row-major, but for packed constants.
enum class LayoutRule : std::uint8_t {
  row_major,
  channels_last,
  uniform,  // all row-major or all channels-last
  any,      // each as it comes
};
std::string_view name_of(LayoutRule rule);

/// An operator applied within a node before its result is stored. A node's root operator and its post-ops are its
/// steps; each gives one value of the shape that the one before has, a reduction a smaller one, and that of the last
/// one is the output.
struct PostOp {
  /// Where each operand of `op` comes from: so many steps back (1: the step before, whose value is the running result),
  /// or, when 0, it is the next of the node's inputs behind the root operator's. 0 in places that `op` does not have.
  using Operands = std::array<std::uint8_t, 3>;

  OperatorId op;
  Attributes attributes;
  Operands operands{1};
  bool operator==(const PostOp&) const = default;

  /// How many of the node's inputs it takes.
  std::size_t input_count() const;
  /// Whether it takes the running result once and no earlier one: what a kernel needs that keeps one value at a time.
  bool is_link() const;
  /// The operand that is the running result; the first of several.
  std::size_t running_operand() const;
};

/// All that a kernel needs to know to be chosen and prepared; never the addresses of changing tensors.
struct KernelSpec {
  OperatorId op;
  Attributes attributes;
  std::vector<std::optional<OperandDescriptor>> inputs;  // in the row's order, then the post-ops' other operands
  std::vector<OperandDescriptor> outputs;
  std::vector<Layout> input_layouts;     // empty: all row-major
  std::vector<std::string> input_forms;  // names of private forms, empty for other layouts; empty list: no such operand
  std::vector<Layout> output_layouts;    // empty: all row-major
  std::vector<PostOp> post_ops;
  std::uint8_t constants = 0;  // bit i: operand i is a constant

  /// Operands of the root operator (without the post-ops' ones), as a call holds them.
  std::vector<const OperandDescriptor*> root_operands() const;
  std::size_t root_operand_count() const;
  Layout input_layout(std::size_t i) const { return input_layouts.empty() ? Layout::row_major : input_layouts[i]; }
  Layout output_layout(std::size_t i) const { return output_layouts.empty() ? Layout::row_major : output_layouts[i]; }
  /// The name of operand `i`'s private form; empty when it has none.
  std::string_view input_form(std::size_t i) const {
    return input_forms.empty() ? std::string_view() : std::string_view(input_forms[i]);
  }
  /// Whether operand `i` is an activation in the sense of LayoutRule.
  bool is_activation(std::size_t i) const;
};

/// Whether row-major and channels-last are the same order of elements: one channel, or one position.
bool layouts_coincide(const Shape& shape);

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
  bool (*accepts)(const KernelSpec&) = nullptr;  // further condition on the root operator; null: none
  LayoutRule layouts = LayoutRule::row_major;
  // Bit i: operand i, when it is a constant, is handed over in the kernel's own form (see `pack` of the kernel).
  std::uint8_t packs = 0;
  bool (*post_ops)(const KernelSpec&) = nullptr;  // whether it applies the spec's post-ops; null: it applies none
  std::uint8_t constants = 0;                     // Bit i: operand i must be a constant where there is one.
  // Bit i: it may read past the end of operand i, by less than the padding behind every place in the arena. So that is
  // where the operand has to be: neither in a caller's memory nor in a constant, which may be the end of a mapped file.
  std::uint8_t overreads = 0;

  std::string_view provider() const { return name.substr(0, name.find('.')); }
};

/// Index of a row of the kernel table.
struct KernelId {
  std::uint16_t index = 0;
  constexpr bool operator==(const KernelId&) const = default;
};

std::span<const KernelRow> kernel_table();
const KernelRow& row(KernelId id);
/// Of a row of `kernel_table()`.
KernelId id_of(const KernelRow& row);
std::optional<KernelId> find_kernel(std::string_view name);
/// Whether the row is one of the CPU that serves a target which allows that (Feature::cpu_fallback).
bool falls_back(const KernelRow& row, const Target& target);
/// Whether the row takes this call on this target, whatever its layouts; order of the table is preference.
bool takes(const KernelRow& row, const KernelSpec& spec, const Target& target);
/// Whether the row takes operands and outputs in the layouts that the spec says.
bool takes_layouts(const KernelRow& row, const KernelSpec& spec);

}  // namespace webnn::schema
