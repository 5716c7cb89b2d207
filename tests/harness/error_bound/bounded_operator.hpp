// The error bound of one operator without post-ops: its outputs in double precision, and how far a correct
// implementation may be from them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "tests/harness/error_bound/operator_rounding.hpp"
#include "tests/harness/error_bound/uncertain_operand.hpp"
#include "tests/harness/error_bound/wide_operator.hpp"

namespace webnn::tests {

class BoundedOperator {
 public:
  /// `folds`: see error_bound.hpp.
  BoundedOperator(const KernelSpec& spec, const OptionalBoundedTensors& inputs, bool folds);

  /// To be called once.
  std::vector<BoundedTensor> run();

 private:
  using Sign = std::function<double(std::size_t operand, std::size_t element)>;
  using Considered = std::function<bool(std::size_t operand)>;

  const KernelSpec& spec() const { return operator_.spec(); }
  OperatorId op() const { return spec().op; }
  double delta() const { return rounding_.ulps * 0x1p-24; }

  /// The operands, each element moved by its sign times its radius.
  WideTensors at(const Sign& sign) const;
  WideTensors at_rest() const {
    return at([](std::size_t, std::size_t) { return 0.0; });
  }
  /// Takes the distances of another evaluation into the bounds, `factor` times.
  void take(const std::vector<BoundedTensor>& other, double factor = 1);

  /// Radii that also stand for the operator's own rounding, and operands that nothing can be said of.
  void widen();
  /// Whether the operator leaves what can be computed with, somewhere within the radius.
  bool is_beyond(std::size_t k, double value, double radius) const;
  /// Results that change with an element that nothing is known of: nothing is known of them, either.
  void forget(const Considered& considered);
  Number any_number(DataType type, int variant);
  /// What is multiplied on the way to a product may become infinite, or 0, depending on the order.
  void forget_products();
  /// Adds the rounding of the result itself.
  void finish(BoundedTensor& output) const;

  // ---- one for each Rule, with what they need: bounded_operator_rules.cpp
  /// Where an operand only chooses among elements, these keep their bounds.
  void move();
  /// Sums of products: on magnitudes, where nothing cancels.
  void sum();
  /// Operators on one element of each operand, and those that are monotone in each.
  void corners();
  /// argMin, argMax: the winner moves to the others, and they to it.
  void winner();
  /// Signs that are alike, by chance, and such that any two elements differ once: one bit of their numbers in each run.
  /// `special_only` looks at NaNs and infinities alone.
  void sample(bool special_only = false);
  void take_special(const std::vector<BoundedTensor>& other);
  /// Nothing is known of whether two numbers are equal when their order changes from the operands at rest to these.
  void compare_order(const WideTensors& changed);
  /// Of integers that may pass the ends of their type a small distance of an operand is any distance of the result.
  void forget_wrapped();
  /// The operator's rounding is one of the greatest element's.
  void add_peak();

  WideOperator operator_;
  Rounding rounding_;
  bool folds_;
  std::vector<std::optional<UncertainOperand>> operands_;
  std::vector<BoundedTensor> base_;
  std::mt19937 engine_;
  bool exact_ = false;  // the sums, in every order
};

}  // namespace webnn::tests
