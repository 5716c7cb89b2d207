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
  explicit Cutter(const KernelSpec& spec) : spec_(spec), results_(results_of_steps(spec)) {}

  std::optional<RowGroup> run() {
    if (results_.size() != 1 + spec_.post_ops.size()) return std::nullopt;
    for (const OperandDescriptor& result : results_)
      if (result.type != DataType::float32) return std::nullopt;
    for (std::size_t step = 0; step < results_.size();) {
      std::size_t end = step + 1;
      const bool along_rows = works_along_rows(op(step));
      while (!along_rows && end < results_.size() && !works_along_rows(op(end))) ++end;
      if (!(along_rows ? cut_operator(step) : cut_steps(step, end))) return std::nullopt;
      step = end;
    }
    if (group_.row_length == 0) return std::nullopt;  // no operator along rows
    group_.rows = element_count(results_.front().shape) / group_.row_length;
    return std::move(group_);
  }

 private:
  OperatorId op(std::size_t step) const { return step == 0 ? spec_.op : spec_.post_ops[step - 1].op; }
  const Attributes& attributes(std::size_t step) const {
    return step == 0 ? spec_.attributes : spec_.post_ops[step - 1].attributes;
  }
  std::size_t steps_back(std::size_t step, std::size_t place) const {
    return step == 0 ? 0 : spec_.post_ops[step - 1].operands[place];
  }

  /// Adds the next input of the group to the operands of the part.
  void take_input(RowGroupPart& part) {
    part.operands.emplace_back(next_input_);
    part.spec.inputs.push_back(spec_.inputs[next_input_++]);
  }
  void take_result_before(RowGroupPart& part, std::size_t first) {
    part.operands.emplace_back(std::nullopt);
    part.spec.inputs.emplace_back(results_[first - 1]);
  }

  bool cut_steps(std::size_t first, std::size_t end) {
    RowGroupPart part;
    part.spec.op = op(first);
    part.spec.attributes = attributes(first);
    part.spec.outputs = {results_[end - 1]};
    for (std::size_t step = first; step < end; ++step) {
      const Operator& row = schema::row(op(step));
      if (row.family != Family::unary && row.family != Family::binary) return false;
      if (find_elementwise(op(step))->floats == Work::none) return false;
      PostOp post_op{op(step), attributes(step), {}};
      for (std::size_t place = 0; place < row.operands.size(); ++place) {
        const std::size_t back = steps_back(step, place);
        if (back != 0 && back <= step - first) {
          post_op.operands[place] = std::uint8_t(back);
          continue;
        }
        if (back > step - first + 1) return false;  // a result from before the last operator along rows
        back != 0 ? take_result_before(part, first) : take_input(part);
        const auto& operand = part.spec.inputs.back();
        const Shape& result = results_[step].shape;
        if (!operand || operand->type != DataType::float32 || broadcast(operand->shape, result) != result) return false;
      }
      if (step > first) part.spec.post_ops.push_back(std::move(post_op));
    }
    if (part.operands.size() > most_group_inputs) return false;
    group_.parts.push_back(std::move(part));
    return true;
  }

  bool cut_operator(std::size_t step) {
    RowGroupPart part;
    part.along_rows = true;
    KernelSpec& spec = part.spec;
    const Operator& row = schema::row(op(step));
    for (std::size_t place = 0; place < row.operands.size(); ++place) {
      // Its input is the running result; all other operands come from outside.
      if (steps_back(step, place) != (step > 0 && place == 0 ? 1u : 0u)) return false;
      step > 0 && place == 0 ? take_result_before(part, step) : take_input(part);
      const auto& operand = spec.inputs.back();
      if (operand ? operand->type != DataType::float32 : place == 0) return false;
    }
    spec.op = op(step);
    spec.attributes = attributes(step);
    std::vector<const OperandDescriptor*> operands;
    for (const auto& input : spec.inputs) operands.push_back(input ? &*input : nullptr);
    const unsigned axes = axes_of_rows(OperatorCall(spec.op, operands, spec.attributes));
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
  std::vector<OperandDescriptor> results_;
  RowGroup group_;
  std::size_t next_input_ = 0;
  bool reduced_ = false;
};

}  // namespace

std::optional<RowGroup> row_group_of(const KernelSpec& spec) {
  if (spec.post_ops.empty() || spec.post_ops.size() > longest_chain || spec.inputs.size() > most_group_inputs)
    return std::nullopt;
  return Cutter(spec).run();
}

}  // namespace webnn::runtime::simd
