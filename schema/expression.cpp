// Walks over expressions, checks them, and converts between their two ways to count steps; see expression.hpp.
#include "schema/expression.hpp"

#include <algorithm>

#include "schema/sentence.hpp"

namespace webnn::schema {
namespace {

constexpr std::size_t most_operands = PostOp::Operands().size();

std::string cannot_be_post_op(const Operator& op) { return std::string(op.name) + " cannot be a post-op"; }

std::string operand_text(const Operator& op, std::size_t place) {
  return "operand " + std::to_string(place) + " of post-op " + std::string(op.name);
}

std::string no_operand(const Operator& op, std::size_t place) {
  return "post-op " + std::string(op.name) + " has no operand " + std::to_string(place);
}

/// What `check_operator` assumes: the row exists, and there is one place for each of its attributes.
std::string call_form_error(OperatorId id, const Attributes& attributes) {
  if (id.index >= all_operators().size()) return "operator number " + std::to_string(id.index) + " does not exist";
  const Operator& op = row(id);
  if (attributes.size() != op.attributes.size())
    return std::string(op.name) + " has " + std::to_string(op.attributes.size()) + " attributes, found " +
           std::to_string(attributes.size());
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (!attributes[i]) continue;
    const auto* type = std::get_if<DataType>(&*attributes[i]);
    if (type && std::size_t(*type) >= data_type_count)
      return "attribute " + std::string(op.attributes[i].name) + " holds an unknown data type";
  }
  return {};
}

}  // namespace

bool can_be_post_op(const Operator& op) {
  return op.outputs.size() == 1 && !op.variadic() && !op.operands.empty() && op.operands.size() <= most_operands;
}

// ---- the view -----------------------------------------------------------------------------------------------------

std::vector<StepOperand> Expression::operands(std::size_t step) const {
  std::vector<StepOperand> result;
  if (step != 0) {
    const PostOp& post_op = post_ops_[step - 1];
    const std::size_t places = std::min(row(post_op.op).operands.size(), most_operands);
    result.assign(post_op.operands.begin(), post_op.operands.begin() + std::ptrdiff_t(places));
  } else {
    const std::size_t count = root_operand_count();
    for (std::size_t i = 0; i < count; ++i) result.push_back(StepOperand::input(i));
  }
  return result;
}

std::size_t Expression::inputs_from(std::size_t step) const {
  std::size_t count = 0;
  for (const PostOp& post_op : post_ops_.subspan(step - 1))
    count += std::size_t(std::ranges::count(post_op.operands, StepOperand::Kind::input, &StepOperand::kind));
  return count;
}

std::size_t Expression::first_input(std::size_t step) const {
  return input_count_ - std::min(inputs_from(step), input_count_);
}

bool Expression::is_link(std::size_t step) const {
  const PostOp::Operands& operands = post_ops_[step - 1].operands;
  return std::ranges::count(operands, StepOperand::Kind::step, &StepOperand::kind) == 1 &&
         running_operand(step) < operands.size();
}

bool Expression::is_chain() const {
  for (std::size_t step = 1; step < size(); ++step)
    if (!is_link(step)) return false;
  return true;
}

std::size_t Expression::running_operand(std::size_t step) const {
  const PostOp::Operands& operands = post_ops_[step - 1].operands;
  return std::size_t(std::ranges::find(operands, StepOperand::step(step - 1)) - operands.begin());
}

// ---- its form -----------------------------------------------------------------------------------------------------

std::string Expression::form_error() const {
  for (std::size_t step = 0; step < size(); ++step)
    if (std::string error = call_form_error(op(step), attributes(step)); !error.empty()) return error;
  const Operator& root = row(op_);
  const std::size_t others = inputs_from(1), places = root.operands.size() + others;
  if (root.variadic() ? input_count_ < others : input_count_ != places)
    return sentence(root.name, " takes ", counted(places, "operand place"), ", found ", input_count_);
  return operands_error();
}

std::string Expression::operands_error() const {
  std::size_t next = root_operand_count();
  for (std::size_t step = 1; step < size(); ++step) {
    const Operator& op = row(this->op(step));
    if (!can_be_post_op(op)) return cannot_be_post_op(op);
    for (std::size_t place = 0; place < most_operands; ++place) {
      const StepOperand operand = post_ops_[step - 1].operands[place];
      if (place >= op.operands.size()) {
        if (operand != StepOperand()) return no_operand(op, place);
      } else if (operand.is_step()) {
        if (operand.index >= step)
          return operand_text(op, place) + " is the result of step " + std::to_string(operand.index) +
                 ", which is not before it";
      } else if (operand != StepOperand::input(next++)) {
        return operand_text(op, place) + " is not the next of the inputs";
      }
    }
  }
  return {};
}

// ---- steps counted backwards --------------------------------------------------------------------------------------

std::size_t steps_back(StepOperand operand, std::size_t step) { return operand.is_step() ? step - operand.index : 0; }

std::optional<StepOperand> result_back(std::size_t step, std::size_t back) {
  if (back == 0 || back > step) return std::nullopt;
  return StepOperand::step(step - back);
}

WrittenOperands written_operands(const Expression& expression, std::size_t step) {
  WrittenOperands written{};
  const std::vector<StepOperand> operands = expression.operands(step);
  for (std::size_t place = 0; place < operands.size(); ++place)
    written[place] = std::uint8_t(steps_back(operands[place], step));  // kernels take fewer steps than 256
  return written;
}

std::string read_operands(std::vector<PostOp>& post_ops, std::span<const WrittenOperands> written,
                          std::size_t input_count) {
  std::size_t taken = 0;
  for (std::size_t step = 1; step <= post_ops.size(); ++step) {
    PostOp& post_op = post_ops[step - 1];
    const Operator& op = row(post_op.op);
    if (!can_be_post_op(op)) return cannot_be_post_op(op);
    for (std::size_t place = 0; place < most_operands; ++place) {
      const std::size_t back = written[step - 1][place];
      const std::optional<StepOperand> result = result_back(step, back);
      if (back != 0 && place >= op.operands.size()) return no_operand(op, place);
      if (back != 0 && !result)
        return sentence(operand_text(op, place), " is from ", counted(back, "step"), " back, but there are ", step,
                        " before it");
      if (result)
        post_op.operands[place] = *result;
      else if (place < op.operands.size())
        post_op.operands[place] = StepOperand::input(taken++);
    }
  }
  // Now it is known how many inputs are left for the root operator.
  const std::size_t of_root = input_count - std::min(taken, input_count);
  for (PostOp& post_op : post_ops)
    for (StepOperand& operand : post_op.operands)
      if (operand.is_input()) operand.index += std::uint32_t(of_root);
  return {};
}

}  // namespace webnn::schema
