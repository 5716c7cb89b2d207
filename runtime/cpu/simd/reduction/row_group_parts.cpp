#include "runtime/cpu/simd/reduction/row_group_parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/kernel_conditions.hpp"
#include "schema/operators/check_spec.hpp"
#include "schema/operators/elementwise.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

/// Limits in elements: rows must be long enough for one kernel call each, and short enough that several fit in the
/// cache.
constexpr std::size_t shortest_row = 64, longest_row = 16'384;

/// Whether the list is `first`, `first` + 1, ... up to the last axis.
bool are_last_axes(const std::vector<std::uint32_t>& axes, unsigned rank) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i] + (axes.size() - i) != rank) return false;
  return !axes.empty();
}

/// The number of last axes that make the rows of an operator along rows; 0 when it works on other axes.
unsigned axes_of_rows(const OperatorCall& call) {
  const unsigned rank = call.shape(0).rank();
  if (call.op().name == "softmax") return call.u32("axis") + 1 == rank ? 1 : 0;
  std::vector<std::uint32_t> axes = call.u32_list("axes");
  if (call.op().family == Family::reduction) std::ranges::sort(axes);
  return are_last_axes(axes, rank) ? unsigned(axes.size()) : 0;
}

template <typename T>
void set(Attributes& attributes, const Operator& op, std::string_view name, T value) {
  attributes[std::size_t(op.attribute_index(name))].emplace(std::in_place_type<T>, std::move(value));
}

class Cutter {
 public:
  explicit Cutter(const KernelSpec& spec) : spec_(spec), steps_(spec), results_(results_of_steps(spec)) {}

  std::optional<RowGroup> run() {
    if (results_.size() != steps_.size()) return std::nullopt;
    for (const OperandDescriptor& result : results_)
      if (result.type != DataType::float32) return std::nullopt;
    for (std::size_t step = 0; step < results_.size();) {
      std::size_t end = step + 1;
      const bool along_rows = works_along_rows(steps_.op(step));
      while (!along_rows && end < results_.size() && !works_along_rows(steps_.op(end))) ++end;
      if (!(along_rows ? cut_operator(step) : cut_steps(step, end))) return std::nullopt;
      step = end;
    }
    if (group_.row_length == 0) return std::nullopt;  // no operator along rows
    group_.rows = element_count(results_.front().shape) / group_.row_length;
    return std::move(group_);
  }

 private:
  /// Makes an input of the group, or the result of the part before, the next operand of the part.
  std::optional<OperandDescriptor> take(RowGroupPart& part, StepOperand operand) const {
    part.operands.push_back(operand.is_step() ? std::nullopt : std::optional<std::size_t>(operand.index));
    return operand.is_step() ? results_[operand.index] : spec_.inputs[operand.index];
  }

  bool cut_steps(std::size_t first, std::size_t end) {
    for (std::size_t step = first; step < end; ++step) {
      const Family family = row(steps_.op(step)).family;
      if (family != Family::unary && family != Family::binary) return false;
      if (find_elementwise(steps_.op(step))->floats == Work::none) return false;
    }
    RowGroupPart part;
    bool reads_older = false;  // a result from before the last operator along rows
    part.spec = node_of_steps<KernelSpec>(steps_, first, end, [&](StepOperand operand) {
      reads_older = reads_older || (operand.is_step() && operand.index + 1 != first);
      return take(part, operand);
    });
    part.spec.outputs = {results_[end - 1]};
    if (reads_older || part.operands.size() > most_group_inputs) return false;
    const Shape& shape = results_[first].shape;
    for (const auto& input : part.spec.inputs)
      if (!input || input->type != DataType::float32 || broadcast(input->shape, shape) != shape) return false;
    group_.parts.push_back(std::move(part));
    return true;
  }

  bool cut_operator(std::size_t step) {
    RowGroupPart part;
    part.along_rows = true;
    KernelSpec& spec = part.spec;
    const Operator& row = schema::row(steps_.op(step));
    // Its input is the running result; all other operands come from outside.
    if (step > 0 && !(steps_.is_link(step) && steps_.running_operand(step) == 0)) return false;
    spec = node_of_steps<KernelSpec>(steps_, step, step + 1, [&](StepOperand operand) { return take(part, operand); });
    for (std::size_t place = 0; place < spec.inputs.size(); ++place)
      if (const auto& operand = spec.inputs[place]; operand ? operand->type != DataType::float32 : place == 0)
        return false;
    const unsigned axes = axes_of_rows(SpecCall(spec));
    const Shape whole = spec.inputs[0]->shape;
    if (axes == 0 || reduced_) return false;
    Shape shape;
    for (unsigned axis = whole.rank() - axes; axis < whole.rank(); ++axis) shape.push_back(whole[axis]);
    const std::size_t length = element_count(shape);
    if (length < shortest_row || length > longest_row || (group_.row_length != 0 && length != group_.row_length))
      return false;
    group_.row_length = length;

    part.reduces = reduced_ = row.family == Family::reduction;
    spec.inputs[0]->shape = shape;
    spec.outputs = {{DataType::float32, part.reduces ? Shape{} : shape}};
    IntegerList all(axes);
    std::iota(all.begin(), all.end(), 0);
    if (row.attribute_index("axes") >= 0) set(spec.attributes, row, "axes", std::move(all));
    if (row.attribute_index("axis") >= 0) set(spec.attributes, row, "axis", std::int64_t{0});
    if (part.reduces) set(spec.attributes, row, "keepDimensions", false);
    group_.parts.push_back(std::move(part));
    return true;
  }

  const KernelSpec& spec_;
  const Expression steps_;
  std::vector<OperandDescriptor> results_;
  RowGroup group_;
  bool reduced_ = false;
};

}  // namespace

std::optional<RowGroup> row_group_of(const KernelSpec& spec) {
  const auto is_along_rows = [](const PostOp& post_op) { return works_along_rows(post_op.op); };
  if (!works_along_rows(spec.op) && std::ranges::none_of(spec.post_ops, is_along_rows)) return std::nullopt;
  if (spec.post_ops.empty() || spec.post_ops.size() > longest_chain || spec.inputs.size() > most_group_inputs)
    return std::nullopt;
  return Cutter(spec).run();
}

}  // namespace webnn::runtime::simd
