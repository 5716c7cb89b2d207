#include "tests/harness/error_bound/bounded_operator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "schema/operators/elementwise.hpp"
#include "tests/harness/error_bound/error_bound_special.hpp"

namespace webnn::tests {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double least_normal = 0x1p-126;  // float32: what is smaller may be flushed to 0

}  // namespace

BoundedOperator::BoundedOperator(const KernelSpec& spec, const OptionalBoundedTensors& inputs, bool folds)
    : operator_(spec), rounding_(rounding_of(spec)), folds_(folds), engine_(7) {
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const auto& input = inputs[k];
    if (!input) {
      operands_.push_back(std::nullopt);
    } else if (rounding_.rule == Rule::moves) {  // what is only moved stays what it is
      operands_.push_back(UncertainOperand{*input, input->bounds});
    } else {
      operands_.push_back(operand_of(*input, takes_rounded(spec.op, k, false)));
    }
  }
  base_ = operator_.run(at_rest());
}

std::vector<BoundedTensor> BoundedOperator::run() {
  if (rounding_.rule == Rule::moves) {
    move();
  } else {
    widen();
    forget([](std::size_t) { return true; });
    if (rounding_.rule == Rule::sums) {
      sum();
    } else if (rounding_.rule == Rule::corners) {
      corners();
    } else if (rounding_.rule == Rule::winner) {
      winner();
    } else {
      sample();
    }
  }
  if (op() == "reduceProduct"_op) forget_products();
  if (row(op()).family == Family::recurrent)
    for (BoundedTensor& output : base_)
      for (const std::size_t i : gated_infinities(spec(), operands_, output)) output.bounds[i] = unknown;
  for (BoundedTensor& output : base_) finish(output);
  return std::move(base_);
}

WideTensors BoundedOperator::at(const Sign& sign) const {
  WideTensors result(operands_.size());
  for (std::size_t k = 0; k < operands_.size(); ++k) {
    if (!operands_[k]) continue;
    BoundedTensor moved = operands_[k]->tensor;
    for (std::size_t i = 0; i < moved.count(); ++i) {
      const double radius = operands_[k]->radius[i];
      if (radius == 0 || radius == unknown) continue;
      const double by = sign(k, i);
      if (by != 0) store_wide(moved, i, Number(moved.value(i) + by * radius));
    }
    result[k] = std::move(moved.elements);
  }
  return result;
}

void BoundedOperator::take(const std::vector<BoundedTensor>& other, double factor) {
  for (std::size_t output = 0; output < base_.size(); ++output)
    for (std::size_t i = 0; i < base_[output].count(); ++i) {
      double& bound = base_[output].bounds[i];
      if (bound == unknown) continue;
      bound = std::max(bound, factor * wide_distance(base_[output].number(i), other[output].number(i)));
    }
}

void BoundedOperator::widen() {
  for (std::size_t k = 0; k < operands_.size(); ++k) {
    if (!operands_[k]) continue;
    UncertainOperand& operand = *operands_[k];
    const bool real = is_float(operand.tensor.descriptor.type);
    for (std::size_t i = 0; i < operand.radius.size(); ++i) {
      double& radius = operand.radius[i];
      const double value = operand.tensor.value(i);
      if (radius == unknown || !std::isfinite(value)) continue;
      if (real && rounding_.rule != Rule::sums && rounding_.moves_operand(k))
        radius += delta() * std::max(std::fabs(value), rounding_.least_operand);
      if (real && value != 0 && std::fabs(value) < least_normal) radius += least_normal;
      if (is_beyond(k, value, radius)) radius = unknown;
    }
  }
}

bool BoundedOperator::is_beyond(std::size_t k, double value, double radius) const {
  if (!is_float(operands_[k]->tensor.descriptor.type)) return rounding_.looks_up && k == 0 && radius > 0;
  if (std::fabs(value) > rounding_.greatest && operands_[k]->tensor.descriptor.type == DataType::float32) return true;
  if (radius == 0) return false;
  if (op() == "tan"_op) return std::round((value - radius) / pi) != std::round((value + radius) / pi);
  if (int(k) != rounding_.pole || std::fabs(value) > radius) return false;
  if (op() != "pow"_op) return true;
  const UncertainOperand& exponents = *operands_[1];
  for (std::size_t i = 0; i < exponents.radius.size(); ++i)
    if (exponents.tensor.value(i) <= exponents.radius[i]) return true;
  return false;
}

void BoundedOperator::forget(const Considered& considered) {
  bool any = false;
  for (std::size_t k = 0; k < operands_.size(); ++k)
    any |= considered(k) && operands_[k] && operands_[k]->has_unknown();
  if (!any) return;
  for (int variant = 0; variant < 8; ++variant) {
    WideTensors changed(operands_.size());
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      if (!operands_[k]) continue;
      BoundedTensor tensor = operands_[k]->tensor;
      const std::size_t count = considered(k) ? tensor.count() : 0;
      for (std::size_t i = 0; i < count; ++i)
        if (operands_[k]->radius[i] == unknown) store_wide(tensor, i, any_number(tensor.descriptor.type, variant));
      changed[k] = std::move(tensor.elements);
    }
    const std::vector<BoundedTensor> other = operator_.run(changed);
    for (std::size_t output = 0; output < base_.size(); ++output)
      for (std::size_t i = 0; i < base_[output].count(); ++i)
        if (wide_distance(base_[output].number(i), other[output].number(i)) != 0) base_[output].bounds[i] = unknown;
    compare_order(changed);
  }
}

void BoundedOperator::forget_products() {
  const auto of_factors = [&](auto taken) {
    BoundedTensor factors = operands_[0]->tensor;
    for (std::size_t i = 0; i < factors.count(); ++i) {
      const double magnitude = std::fabs(factors.value(i));
      store_wide(factors, i, Number(std::isfinite(magnitude) && taken(magnitude) ? magnitude : 1.0));
    }
    return std::move(operator_.run({std::move(factors.elements)})[0]);
  };
  const BoundedTensor greatest = of_factors([](double magnitude) { return magnitude > 1; });
  const BoundedTensor least = of_factors([](double magnitude) { return magnitude < 1 && magnitude > 0; });
  for (std::size_t i = 0; i < base_[0].count(); ++i) {
    const double value = base_[0].value(i), most = greatest.value(i);
    double& bound = base_[0].bounds[i];
    if (std::isnan(value) || bound == unknown) continue;
    if (most >= overflow_of(DataType::float32)) {
      bound = unknown;
    } else if (least.value(i) < least_normal) {  // it is 0, or what was left of it on the way is multiplied
      bound = std::max(bound, std::fabs(value) + least_normal * most);
    }
  }
}

Number BoundedOperator::any_number(DataType type, int variant) {
  static constexpr std::array<double, 6> reals = {not_a_number, 1, -1, 0, infinity, -infinity};
  static constexpr std::array<double, 6> integers = {0, 1e19, -1e19, 1, 2, 3};
  const double large = type == DataType::float16 ? 1e4 : 1e30;
  const std::size_t kind = variant < int(reals.size()) ? std::size_t(variant) : engine_() % reals.size();
  if (!is_float(type)) return Number(variant == 7 ? double(engine_() % 8) : integers[kind]);
  return Number(std::fabs(reals[kind]) == 1 ? reals[kind] * large : reals[kind]);
}

void BoundedOperator::finish(BoundedTensor& output) const {
  const DataType type = output.descriptor.type;
  for (std::size_t i = 0; i < output.count(); ++i) {
    double& bound = output.bounds[i];
    if (std::isnan(bound)) bound = unknown;
    if (bound == unknown) continue;
    const double value = output.value(i), magnitude = std::fabs(value);
    if (!is_float(type)) {
      if (bound > 0 && rounding_.chooses) bound = unknown;
      bound = std::ceil(bound) + rounding_.integer;
    } else if (!std::isfinite(value)) {
      bound = 0;  // another class of number would have made it unknown
    } else if (rounding_.rounds && !exact_ && (magnitude > 0 || bound > 0)) {
      // Factors that vanish on the way are smaller than the result.
      const double least = type == DataType::float16 ? 0x1p-24 : 128 * least_normal;
      const double reach = magnitude + bound;  // of what is rounded
      if (rounding_.rule != Rule::sums) bound += delta() * reach * rounding_.growth(reach);
      bound += least + reach * (type == DataType::float16 ? 0x1p-10 : 0x1p-23);
    } else if (rounding_.rule == Rule::sums && value == 0 && std::signbit(value)) {
      bound += 0x1p-149;  // on a GPU a sum of nothing but -0 may be 0
    } else if (rounding_.rule != Rule::moves && magnitude < least_normal && magnitude > 0) {
      bound += least_normal;
    }
  }
}

}  // namespace webnn::tests
