// How the bounds of an operator's result follow from those of its operands: a function for each Rule.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "tests/harness/error_bound/bounded_operator.hpp"
#include "tests/harness/error_bound/error_bound_special.hpp"
#include "tests/harness/error_bound/error_bound_sums.hpp"

namespace webnn::tests {

void BoundedOperator::move() {
  WideTensors bounds(operands_.size());
  for (std::size_t k = 0; k < operands_.size(); ++k)
    if (operands_[k])
      bounds[k] = is_moved(spec().op, k) ? as_wide(operands_[k]->radius) : operands_[k]->tensor.elements;
  const std::vector<BoundedTensor> moved = operator_.run_on_bounds(bounds);
  for (std::size_t output = 0; output < base_.size(); ++output)
    for (std::size_t i = 0; i < base_[output].count(); ++i) base_[output].bounds[i] = moved[output].value(i);
  for (std::size_t k = 0; k < operands_.size(); ++k)
    if (operands_[k] && !is_moved(spec().op, k))
      for (double& radius : operands_[k]->radius)
        if (radius > 0) radius = unknown;
  forget([&](std::size_t k) { return !is_moved(spec().op, k); });
}

void BoundedOperator::sum() {
  std::vector<BoundedTensor> plain, reached, spread;
  const auto magnitudes = [&](auto element) {
    WideTensors result(operands_.size());
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      if (!operands_[k]) continue;
      BoundedTensor tensor = operands_[k]->tensor;
      for (std::size_t i = 0; i < tensor.count(); ++i) {
        const double value = tensor.value(i), radius = operands_[k]->radius[i];
        store_wide(tensor, i, Number(element(std::fabs(value), radius == unknown ? 0 : radius)));
      }
      result[k] = std::move(tensor.elements);
    }
    return result;
  };
  const auto finite = [](double value) { return std::isfinite(value) ? value : 0; };
  plain = operator_.run_on_magnitudes(magnitudes([&](double value, double) { return finite(value); }));
  reached =
      operator_.run_on_magnitudes(magnitudes([&](double value, double radius) { return finite(value) + radius; }));
  // Under a tile NaN and infinities reach every pixel.
  WideTensors tiles =
      magnitudes([](double value, double radius) { return std::isfinite(value) ? value + radius : infinity; });
  if (spread_over_tiles(spec(), tiles)) spread = operator_.run_on_magnitudes(tiles);
  const std::vector<BoundedTensor>& own = spread.empty() ? reached : spread;
  exact_ = !folds_ && spread.empty() && has_exact_sums(spec(), operands_, reached[0]);

  bool special = false;
  for (std::size_t i = 0; i < base_[0].count(); ++i) {
    double& bound = base_[0].bounds[i];
    const double value = base_[0].value(i), magnitude = reached[0].value(i);
    if (bound == unknown) continue;
    if (!std::isnan(value) && !std::isfinite(own[0].value(i))) {
      bound = unknown;
    } else if (!std::isfinite(value)) {
      special = true;
    } else if (magnitude >= overflow_of(DataType::float32) && std::fabs(value) < magnitude / 2) {
      bound = unknown;  // it depends on the order whether a sum becomes infinite on the way
    } else {
      bound = magnitude - plain[0].value(i) + (exact_ ? 0 : delta() * own[0].value(i));
    }
  }
  if (row(spec().op).family == Family::convolution)
    for (const std::size_t i : beside_special_filters(spec(), *operands_[1], base_[0]))
      if (!std::isnan(base_[0].value(i))) base_[0].bounds[i] = unknown;
  if (rounding_.peak) add_peak();
  if (special) sample(true);  // whether a NaN or an infinity could be another one
}

void BoundedOperator::corners() {
  std::vector<std::size_t> moving;
  for (std::size_t k = 0; k < operands_.size(); ++k)
    if (operands_[k] && operands_[k]->moves()) moving.push_back(k);
  if (moving.empty()) return;
  for (unsigned mask = 0; mask < 1u << moving.size(); ++mask) {
    const WideTensors corner = at([&](std::size_t k, std::size_t) {
      const auto place = std::ranges::find(moving, k) - moving.begin();
      return (mask >> place) & 1u ? 1.0 : -1.0;
    });
    take(operator_.run(corner));
    compare_order(corner);
  }
  if (op() == "pow"_op) take(operator_.run(at_exceptions_of_pow(operands_)));
  if (!is_float(base_[0].descriptor.type)) forget_wrapped();
  if (op() != "sin"_op && op() != "cos"_op) return;
  for (std::size_t i = 0; i < base_[0].count(); ++i)
    if (operands_[0]->radius[i] > 1) base_[0].bounds[i] = std::max(base_[0].bounds[i], 2.0);
}

void BoundedOperator::forget_wrapped() {
  if (op() != "add"_op && op() != "sub"_op && op() != "mul"_op) return;
  KernelSpec of_reals = spec();
  if (op() == "sub"_op) of_reals.op = "add"_op;
  for (auto& input : of_reals.inputs) input->type = DataType::float32;
  of_reals.outputs[0].type = DataType::float32;
  const WideOperator reals(of_reals);
  const auto magnitudes = [&](double with_radius) {
    WideTensors result;
    for (const auto& operand : operands_) {
      std::vector<double> numbers;
      for (std::size_t i = 0; i < operand->radius.size(); ++i) {
        const double radius = operand->radius[i] == unknown ? 0 : operand->radius[i];
        numbers.push_back(std::fabs(operand->tensor.value(i)) + with_radius * radius);
      }
      result.push_back(as_wide(numbers));
    }
    return reals.run(result)[0];
  };
  const BoundedTensor plain = magnitudes(0), reached = magnitudes(1);
  const DataType type = base_[0].descriptor.type;
  const double limit = std::ldexp(1, int(bits_of(type)) - is_signed(type));
  for (std::size_t i = 0; i < base_[0].count(); ++i)
    if (reached.value(i) != plain.value(i) && reached.value(i) >= limit) base_[0].bounds[i] = unknown;
}

void BoundedOperator::compare_order(const WideTensors& changed) {
  if (op() != "equal"_op && op() != "notEqual"_op) return;
  for (const OperatorId order : {"greaterOrEqual"_op, "lesserOrEqual"_op}) {
    KernelSpec ordered = spec();
    ordered.op = order;
    const WideOperator comparison(ordered);
    const auto before = comparison.run(at_rest());
    const auto after = comparison.run(changed);
    for (std::size_t i = 0; i < base_[0].count(); ++i)
      if (before[0].value(i) != after[0].value(i)) base_[0].bounds[i] = unknown;
  }
}

void BoundedOperator::winner() {
  if (!operands_[0]->moves()) return;
  const double to_winner = op() == "argMax"_op ? 1 : -1;
  const std::vector<std::size_t> winners = winning_elements(spec(), base_[0]);
  take(operator_.run(
      at([&](std::size_t, std::size_t i) { return std::ranges::binary_search(winners, i) ? -to_winner : to_winner; })));
}

void BoundedOperator::sample(bool special_only) {
  if (std::ranges::none_of(operands_, [](const auto& operand) { return operand && operand->moves(); })) return;
  std::size_t greatest = 0;
  for (const auto& operand : operands_)
    if (operand) greatest = std::max(greatest, operand->radius.size() * operands_.size());
  const int by_chance = 6, numbered = 2 + by_chance;
  const int runs = numbered + (special_only ? 0 : int(std::bit_width(greatest)));
  for (int run = 0; run < runs; ++run) {
    const std::vector<BoundedTensor> other = operator_.run(at([&](std::size_t k, std::size_t i) {
      if (run >= numbered) return ((i * operands_.size() + k) >> (run - numbered)) % 2 != 0 ? 1.0 : -1.0;
      return run == 0 ? 1.0 : run == 1 ? -1.0 : engine_() % 2 ? 1.0 : -1.0;
    }));
    if (special_only) {
      take_special(other);
    } else {
      take(other, 4);
    }
  }
  if (rounding_.peak && !special_only) add_peak();
}

void BoundedOperator::take_special(const std::vector<BoundedTensor>& other) {
  for (std::size_t i = 0; i < base_[0].count(); ++i)
    if (!std::isfinite(base_[0].value(i)) && wide_distance(base_[0].number(i), other[0].number(i)) != 0)
      base_[0].bounds[i] = unknown;
}

void BoundedOperator::add_peak() {
  for (BoundedTensor& output : base_) {
    double peak = rounding_.rule == Rule::sample ? 1 : 0;  // gates are 1 less what may be nearly 1
    for (std::size_t i = 0; i < output.count(); ++i)
      if (std::isfinite(output.value(i))) peak = std::max(peak, std::fabs(output.value(i)));
    if (rounding_.rule == Rule::sums)
      for (std::size_t i = 0; i < operands_[0]->tensor.count(); ++i)
        if (const double value = operands_[0]->tensor.value(i); std::isfinite(value))
          peak = std::max(peak, std::fabs(value));
    // Two neighbours are up to twice the peak apart; a position is off by two roundings.
    for (double& bound : output.bounds) bound += (delta() + 0x1p-22 * rounding_.coordinates) * peak;
  }
}

}  // namespace webnn::tests
