// The kernel table: which kernels exist, which calls each can run, and what they cost. Rows are declared in runtime/,
// beside the kernels' functions; compiler and loader get them as a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/expression.hpp"
#include "schema/kernels/target.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::schema {

/// How the elements of a value are arranged in memory. Only `@reorder` changes a layout.
enum class Layout : std::uint8_t {
  row_major,
  channels_last,  // a tensor of rank 4, logically nchw, stored as nhwc
  private_form,   // of a constant: packed by a kernel's `pack`, in the form that KernelSpec::input_forms names
};
std::string_view name_of(Layout layout);

/// The layouts in which a kernel reads and writes its activations, which are its operands and outputs of rank 4 except
/// the filters of convolutions. Everything else is row-major, except packed constants.
enum class LayoutRule : std::uint8_t {
  row_major,
  channels_last,
  to_channels_last,  // the first operand row-major, all others channels-last; the compiler chooses such a row only where
                     // the operand is row-major anyway, in place of another row and a reorder
  uniform,           // all row-major or all channels-last
  any,               // each independently
};
std::string_view name_of(LayoutRule rule);
/// The layout in which a row with this rule has its first operand, or its other activations; nullopt: not only one.
std::optional<Layout> required_layout(LayoutRule rule, bool is_first_operand);

/// Everything needed to choose and prepare a kernel, but no addresses of tensors that change between runs.
struct KernelSpec {
  OperatorId op;
  Attributes attributes;
  std::vector<std::optional<OperandDescriptor>> inputs;  // in row order, then the other operands of post-ops
  std::vector<OperandDescriptor> outputs;
  std::vector<Layout> input_layouts;     // empty: all row-major
  std::vector<std::string> input_forms;  // private forms by name; empty: another layout; empty list: none is packed
  std::vector<Layout> output_layouts;    // empty: all row-major
  std::vector<PostOp> post_ops;
  std::uint8_t constants = 0;  // bit i: operand i is a constant

  /// The operands of the root operator (without those of the post-ops), as OperatorCall takes them.
  std::vector<const OperandDescriptor*> root_operands() const;
  std::size_t root_operand_count() const { return Expression(*this).root_operand_count(); }
  /// Null for an absent operand.
  const OperandDescriptor* input(std::size_t i) const { return inputs[i] ? &*inputs[i] : nullptr; }
  Layout input_layout(std::size_t i) const { return input_layouts.empty() ? Layout::row_major : input_layouts[i]; }
  Layout output_layout(std::size_t i) const { return output_layouts.empty() ? Layout::row_major : output_layouts[i]; }
  /// The name of operand `i`'s private form; empty if it has none.
  std::string_view input_form(std::size_t i) const {
    return input_forms.empty() ? std::string_view() : std::string_view(input_forms[i]);
  }
  /// Whether operand `i` is an activation as LayoutRule defines it.
  bool is_activation(std::size_t i) const;
};
/// The spec with its activations in the layouts that a rule requires, or row-major where it leaves a choice.
KernelSpec in_required_layouts(KernelSpec spec, LayoutRule rule);

struct RootOperands {
  std::vector<const OperandDescriptor*> list;
};

/// The call of a spec's root operator, with the list of operands that it refers to. It is valid as long as the spec is
/// unchanged.
class SpecCall : private RootOperands, public OperatorCall {
 public:
  explicit SpecCall(const KernelSpec& spec)
      : RootOperands{spec.root_operands()}, OperatorCall(spec.op, list, spec.attributes) {}
  SpecCall(const SpecCall&) = delete;
  SpecCall& operator=(const SpecCall&) = delete;
};

/// Whether row-major and channels-last are the same order of elements: there is one channel, or one position.
bool layouts_coincide(const Shape& shape);

/// Types that a kernel may take as its first operand, when it takes any.
inline constexpr DataTypes any_type{DataType::float32, DataType::float16, DataType::int32, DataType::uint32,
                                    DataType::int64,   DataType::uint64,  DataType::int8,  DataType::uint8,
                                    DataType::int4,    DataType::uint4};

/// What a kernel says about itself. Its provider declares the row beside the kernel's function (runtime/).
///
/// `can` and the fields before it tell which calls the kernel computes correctly and safely: a loader refuses a step
/// that its kernel cannot run. `factor` and `scale` tell how long it takes: the compiler chooses by them, and a program
/// stays valid when they change.
struct KernelRow {
  std::string_view name;  // "provider.kernel"
  DeviceKind device = DeviceKind::cpu;
  std::string_view op = {};          // one operator, or empty: the whole family
  Family family = Family::unary;     // if `op` is empty
  DataTypes types = any_type;        // of the first operand
  Feature features = Feature::none;  // required of the machine
  // Bit i: output 0 may overwrite operand i if both have the same element size and the same size in bytes. If several
  // bits are set, it may also overwrite one buffer that several of these operands share.
  std::uint8_t in_place = 0;
  LayoutRule layouts = LayoutRule::row_major;
  // Bit i: operand i, if it is a constant, is passed in the kernel's private form (see `pack` of the kernel).
  std::uint8_t packs = 0;
  std::uint8_t constants = 0;  // bit i: operand i, if present, must be a constant
  // Bit i: the kernel may read past the end of operand i, by less than the padding behind every value in the arena.
  // Such an operand must therefore be in the arena: not in the caller's memory, and not in a constant, which may be at
  // the end of a mapped file.
  std::uint8_t overreads = 0;
  bool (*can)(const KernelSpec&) = nullptr;        // further condition on the root operator; null: none
  bool (*can_apply)(const KernelSpec&) = nullptr;  // whether it applies the spec's post-ops; null: it applies none
  // Whether it can compute some lines of the output alone, see line_window.hpp; null: it cannot. Rows that
  // have this have no in_place.
  bool (*by_lines)(const KernelSpec&) = nullptr;
  double factor = 1;  // its time as a multiple of the ideal one (see slowness)
  double (*scale)(const KernelSpec&, const Target&) = nullptr;  // a further factor; null: 1
  double arithmetic = 1;  // the share of its operator's arithmetic that it carries out; only reports use it

  std::string_view provider() const { return name.substr(0, name.find('.')); }
};

/// A kernel by its row, which is valid as long as the process.
struct KernelId {
  const KernelRow* row = nullptr;
  constexpr bool operator==(const KernelId&) const = default;
};
inline const KernelRow& row(KernelId id) { return *id.row; }

/// The kernels that a compiler may choose, or that a loader knows: a value that the caller hands to both, because
/// neither sees the runtime. The order means nothing.
class KernelTable {
 public:
  class Iterator {
   public:
    using value_type = KernelRow;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(const KernelRow* const* at) : at_(at) {}
    const KernelRow& operator*() const { return **at_; }
    const KernelRow* operator->() const { return *at_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    const KernelRow* const* at_ = nullptr;
  };

  KernelTable() = default;
  /// The rows must have different names and outlive the process's programs.
  explicit KernelTable(std::vector<const KernelRow*> rows);

  Iterator begin() const { return Iterator(rows_.data()); }
  Iterator end() const { return Iterator(rows_.data() + rows_.size()); }
  std::size_t size() const { return rows_.size(); }
  /// The rows that are for this operator.
  std::span<const KernelRow* const> rows_for(OperatorId op) const;
  std::optional<KernelId> find(std::string_view name) const;

 private:
  std::vector<const KernelRow*> rows_, by_operator_;
  std::vector<std::size_t> ends_;  // by operator: the end of its rows in `by_operator_`; none in a table without rows
};

/// Whether the row is for this operator, alone or as one of its family, and for a type that its first operand may have.
bool is_for(const KernelRow& row, const Operator& op);

/// Whether it is a CPU row used as a fallback for a target that allows it (Feature::cpu_fallback).
bool falls_back(const KernelRow& row, const Target& target);
/// Whether the row takes this call on this target, ignoring layouts.
bool takes(const KernelRow& row, const KernelSpec& spec, const Target& target);
/// Whether the row takes operands and outputs in the layouts of the spec.
bool takes_layouts(const KernelRow& row, const KernelSpec& spec);

/// The estimated time in nanoseconds of a row that takes the call. Only a measure to compare kernels with.
double cost(const KernelRow& row, const KernelSpec& spec, const Target& target);
/// How many times as long as the ideal the row takes.
double slowness(const KernelRow& row, const KernelSpec& spec, const Target& target);
/// Slowness from which a kernel is only a last resort. Estimates of different kernels may be wrong by several times, so
/// rewrites that would save less than this are not decided by them.
inline constexpr double slow = 10;

}  // namespace webnn::schema
