// An expression: what a node computes, as a list of steps in single-assignment form. Step 0 is the node's root operator;
// step k > 0 is its post-op k - 1, an operator fused into the node and applied before the result is stored. The last
// step gives the node's output.
//
//   x * sigmoid(x) behind y = conv2d(..)    step 0: conv2d(input 0, input 1, input 2)
//                                           step 1: sigmoid(step 0)
//                                           step 2: mul(step 0, step 1)
//
// The inputs behind the root's operands are used by exactly one operand each, in the order of steps and places.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "schema/operators/attribute.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::schema {

/// Where an operand of a step comes from.
struct StepOperand {
  enum class Kind : std::uint8_t {
    absent,  // the operator has no operand at this place
    input,   // input `index` of the node
    step,    // the result of step `index`
  };
  Kind kind = Kind::absent;
  std::uint32_t index = 0;

  static constexpr StepOperand input(std::size_t index) { return {Kind::input, std::uint32_t(index)}; }
  static constexpr StepOperand step(std::size_t index) { return {Kind::step, std::uint32_t(index)}; }
  constexpr bool is_input() const { return kind == Kind::input; }
  constexpr bool is_step() const { return kind == Kind::step; }
  constexpr auto operator<=>(const StepOperand&) const = default;
};

/// No kernel applies more post-ops.
inline constexpr std::size_t most_post_ops = 32;

/// A step behind the root. It gives one value of the same shape as the step before (a reduction gives a smaller one).
struct PostOp {
  using Operands = std::array<StepOperand, 3>;

  OperatorId op;
  Attributes attributes;
  Operands operands{};  // by place
  bool operator==(const PostOp&) const = default;
};

/// The expression of anything that has a root operator, post-ops and inputs: a kernel spec, a node of a graph, a step of
/// a program. It is a view and valid as long as that is unchanged.
class Expression {
 public:
  template <class Node>
  requires requires(const Node& node) { node.op, node.attributes, node.post_ops, node.inputs.size(); }
  Expression(const Node& node)
      : op_(node.op), attributes_(&node.attributes), post_ops_(node.post_ops), input_count_(node.inputs.size()) {}

  template <class Node>
  bool is_of(const Node& node) const {
    return attributes_ == &node.attributes;
  }
  std::size_t size() const { return 1 + post_ops_.size(); }
  std::size_t last() const { return post_ops_.size(); }
  OperatorId op(std::size_t step) const { return step == 0 ? op_ : post_ops_[step - 1].op; }
  const Attributes& attributes(std::size_t step) const {
    return step == 0 ? *attributes_ : post_ops_[step - 1].attributes;
  }
  /// One for each place of the operator; of the root: its inputs, also those that the node leaves out.
  std::vector<StepOperand> operands(std::size_t step) const;

  /// The number of inputs that belong to the root operator; the others belong to the post-ops.
  std::size_t root_operand_count() const { return first_input(1); }
  /// The first input that belongs to a post-op from this one on; the number of inputs when there is none.
  std::size_t first_input(std::size_t step) const;

  /// Whether a post-op takes the running result, which is that of the step before it, exactly once, and no earlier
  /// result: required by kernels that keep a single value.
  bool is_link(std::size_t step) const;
  /// Whether all post-ops are links.
  bool is_chain() const;
  /// The place of the running result among a post-op's operands; the first one if there are several.
  std::size_t running_operand(std::size_t step) const;

  /// Why this is no expression as described above, as one plain sentence; empty when it is. Operator ids may be out of
  /// range, and attributes and operands of any number. Otherwise call nothing but this before it is known to be empty.
  std::string form_error() const;

 private:
  std::size_t inputs_from(std::size_t step) const;  // the number of inputs that post-ops from this one on take
  std::string operands_error() const;

  OperatorId op_;
  const Attributes* attributes_;
  std::span<const PostOp> post_ops_;
  std::size_t input_count_;
};

/// Computes a T for each step from those of its operands, in order. `input(i)` gives a pointer to that of an input, null
/// for an absent one; `compute(step, operands)` gets such a pointer for each place.
template <class T, class Input, class Compute>
std::vector<T> results_of(const Expression& expression, Input input, Compute compute) {
  std::vector<T> results;
  results.reserve(expression.size());  // pointers to its elements are kept
  std::vector<const T*> operands;
  for (std::size_t step = 0; step < expression.size(); ++step) {
    operands.clear();
    for (const StepOperand operand : expression.operands(step))
      operands.push_back(operand.is_step() ? &results[operand.index] : input(operand.index));
    results.push_back(compute(step, std::span<const T* const>(operands)));
  }
  return results;
}

/// Whether an operator can be a post-op: it has one result, and PostOp has a place for each operand.
bool can_be_post_op(const Operator& op);

// ---- building -----------------------------------------------------------------------------------------------------

/// The result of a step, as an operand of a step that is being added.
struct ResultOf {
  std::size_t step;
};
/// That of a node's last step so far.
inline ResultOf running_result(const Expression& expression) { return {expression.last()}; }
template <class Node>
using InputOf = typename decltype(Node::inputs)::value_type;
/// An operand of a step that is being added: the result of an earlier step, or another input of the node.
template <class Node>
using NewOperand = std::variant<ResultOf, InputOf<Node>>;

/// Appends a post-op to a node, and its operands from outside to the node's inputs. Empty attributes: none is given.
template <class Node>
void append_post_op(Node& node, OperatorId op, Attributes attributes, const std::vector<NewOperand<Node>>& operands) {
  PostOp& post_op = node.post_ops.emplace_back();
  assert(operands.size() <= post_op.operands.size());
  post_op.op = op;
  post_op.attributes = attributes.size() != 0 ? std::move(attributes) : Attributes(row(op).attributes.size());
  for (std::size_t place = 0; place < operands.size(); ++place) {
    if (const auto* result = std::get_if<ResultOf>(&operands[place])) {
      post_op.operands[place] = StepOperand::step(result->step);
    } else {
      post_op.operands[place] = StepOperand::input(node.inputs.size());
      node.inputs.push_back(std::get<InputOf<Node>>(operands[place]));
    }
  }
}

/// Appends the steps [first, end) of another node's expression to a node as post-ops. `operand_of(operand)` gives what
/// becomes of an operand from outside of these steps.
template <class Node, class OperandOf>
void append_steps(Node& node, const Expression& from, std::size_t first, std::size_t end, OperandOf operand_of) {
  assert(!from.is_of(node));  // a view of what grows would dangle
  const std::size_t start = Expression(node).size();
  for (std::size_t step = first; step < end; ++step) {
    std::vector<NewOperand<Node>> operands;
    for (const StepOperand operand : from.operands(step))
      if (operand.is_step() && operand.index >= first)
        operands.push_back(ResultOf{start + operand.index - first});
      else
        operands.push_back(operand_of(operand));
    append_post_op(node, from.op(step), from.attributes(step), operands);
  }
}

/// A node of the steps [first, end) of an expression alone. `input_of(operand)` gives the new node's input for an operand
/// from outside of these steps; it is called in the order of the new inputs.
template <class Node, class MakeInput>
Node node_of_steps(const Expression& from, std::size_t first, std::size_t end, MakeInput input_of) {
  Node node;
  node.op = from.op(first);
  node.attributes = from.attributes(first);
  for (const StepOperand operand : from.operands(first)) node.inputs.push_back(input_of(operand));
  append_steps(node, from, first + 1, end, [&](StepOperand operand) -> NewOperand<Node> {
    if (operand == StepOperand::step(first)) return ResultOf{0};
    return input_of(operand);
  });
  return node;
}

// ---- writing and reading ------------------------------------------------------------------------------------------

// Text and files count backwards from the step that has the operand: 1 is the running result.

/// How many steps back from `step` the result of a step is; 0 for other operands.
std::size_t steps_back(StepOperand operand, std::size_t step);
/// The result `back` steps back from `step`; nullopt when there is none.
std::optional<StepOperand> result_back(std::size_t step, std::size_t back);

/// The operands of a post-op in a program file: the steps back, or 0 for the node's next input, or for none.
using WrittenOperands = std::array<std::uint8_t, 3>;
WrittenOperands written_operands(const Expression& expression, std::size_t step);
/// Sets the operands of all post-ops of a node with `input_count` inputs to what a file says, one for each post-op.
/// Returns why they are wrong; empty when `form_error` can judge them.
std::string read_operands(std::vector<PostOp>& post_ops, std::span<const WrittenOperands> written,
                          std::size_t input_count);

}  // namespace webnn::schema
