#include "tests/harness/error_bound/error_bound.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <random>

#include "schema/operators/check_spec.hpp"
#include "tests/harness/error_bound/error_bound_special.hpp"
#include "tests/harness/error_bound/error_bound_sums.hpp"
#include "tests/harness/error_bound/operator_rounding.hpp"
#include "tests/harness/error_bound/uncertain_operand.hpp"
#include "tests/harness/error_bound/wide_operator.hpp"
#include "tests/harness/stands_for.hpp"

namespace webnn::tests {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double least_normal = 0x1p-126;  // float32: what is smaller may be flushed to 0

/// One operator without post-ops.
class Step {
 public:
  Step(const KernelSpec& spec, const OptionalBoundedTensors& inputs, bool folds)
      : operator_(spec), rounding_(rounding_of(spec)), folds_(folds), engine_(7) {
    for (const auto& input : inputs) operands_.push_back(input ? std::optional(operand(*input)) : std::nullopt);
    base_ = operator_.run(at([](std::size_t, std::size_t, const UncertainOperand&) { return 0.0; }));
  }

  std::vector<BoundedTensor> run() {
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

 private:
  const KernelSpec& spec() const { return operator_.spec(); }
  OperatorId op() const { return spec().op; }
  /// What is only moved stays what it is.
  UncertainOperand operand(const BoundedTensor& input) const {
    return rounding_.rule == Rule::moves ? UncertainOperand{input, input.bounds} : operand_of(input);
  }
  double delta() const { return rounding_.ulps * 0x1p-24; }

  /// The operands, each element moved by sign(operand, element) times its radius.
  template <typename Sign>
  WideTensors at(Sign sign) const {
    WideTensors result(operands_.size());
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      if (!operands_[k]) continue;
      BoundedTensor moved = operands_[k]->tensor;
      for (std::size_t i = 0; i < moved.count(); ++i) {
        const double radius = operands_[k]->radius[i];
        if (radius == 0 || radius == unknown) continue;
        const double by = sign(k, i, *operands_[k]);
        if (by != 0) store_wide(moved, i, Number(moved.value(i) + by * radius));
      }
      result[k] = std::move(moved.elements);
    }
    return result;
  }

  /// Takes the distances of another evaluation into the bounds, `factor` times.
  void take(const std::vector<BoundedTensor>& other, double factor = 1) {
    for (std::size_t output = 0; output < base_.size(); ++output)
      for (std::size_t i = 0; i < base_[output].count(); ++i) {
        double& bound = base_[output].bounds[i];
        if (bound == unknown) continue;
        bound = std::max(bound, factor * wide_distance(base_[output].number(i), other[output].number(i)));
      }
  }

  /// Where an operand only chooses among elements, these keep their bounds.
  void move() {
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

  /// Radii that also stand for the operator's own rounding, and operands that nothing can be said of.
  void widen() {
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

  /// Whether the operator leaves what can be computed with, somewhere within the radius.
  bool is_beyond(std::size_t k, double value, double radius) const {
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

  /// Results that change with an element that nothing is known of: nothing is known of them, either.
  template <typename Considered>
  void forget(Considered considered) {
    bool any = false;
    for (std::size_t k = 0; k < operands_.size(); ++k)
      any |= considered(k) && operands_[k] && operands_[k]->has_unknown();
    if (!any) return;
    for (int variant = 0; variant < 8; ++variant) {
      WideTensors changed(operands_.size());
      for (std::size_t k = 0; k < operands_.size(); ++k) {
        if (!operands_[k]) continue;
        BoundedTensor tensor = operands_[k]->tensor;
        for (std::size_t i = 0; i < tensor.count() && considered(k); ++i)
          if (operands_[k]->radius[i] == unknown) store_wide(tensor, i, any_number(tensor.descriptor.type, variant));
        changed[k] = std::move(tensor.elements);
      }
      const std::vector<BoundedTensor> other = operator_.run(changed);
      for (std::size_t output = 0; output < base_.size(); ++output)
        for (std::size_t i = 0; i < base_[output].count(); ++i)
          if (wide_distance(base_[output].number(i), other[output].number(i)) != 0) base_[output].bounds[i] = unknown;
    }
  }

  /// What is multiplied on the way to a product may become infinite, or 0, depending on the order.
  void forget_products() {
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

  Number any_number(DataType type, int variant) {
    static constexpr std::array<double, 6> reals = {not_a_number, 1, -1, 0, infinity, -infinity};
    static constexpr std::array<double, 6> integers = {0, 1e19, -1e19, 1, 2, 3};
    const double large = type == DataType::float16 ? 1e4 : 1e30;
    const std::size_t kind = variant < int(reals.size()) ? std::size_t(variant) : engine_() % reals.size();
    if (!is_float(type)) return Number(variant == 7 ? double(engine_() % 8) : integers[kind]);
    return Number(std::fabs(reals[kind]) == 1 ? reals[kind] * large : reals[kind]);
  }

  /// Sums of products: on magnitudes, where nothing cancels.
  void sum() {
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

  /// Operators on one element of each operand, and those that are monotone in each.
  void corners() {
    std::vector<std::size_t> moving;
    for (std::size_t k = 0; k < operands_.size(); ++k)
      if (operands_[k] && operands_[k]->moves()) moving.push_back(k);
    if (moving.empty()) return;
    for (unsigned mask = 0; mask < 1u << moving.size(); ++mask) {
      const WideTensors corner = at([&](std::size_t k, std::size_t, const UncertainOperand&) {
        const auto place = std::ranges::find(moving, k) - moving.begin();
        return (mask >> place) & 1u ? 1.0 : -1.0;
      });
      take(operator_.run(corner));
      if (op() == "equal"_op || op() == "notEqual"_op)
        for (const OperatorId order : {"greaterOrEqual"_op, "lesserOrEqual"_op}) compare_order(order, corner);
    }
    if (op() == "pow"_op) take(operator_.run(at_exceptions_of_pow(operands_)));
    if (!is_float(base_[0].descriptor.type)) forget_wrapped();
    if (op() != "sin"_op && op() != "cos"_op) return;
    for (std::size_t i = 0; i < base_[0].count(); ++i)
      if (operands_[0]->radius[i] > 1) base_[0].bounds[i] = std::max(base_[0].bounds[i], 2.0);
  }

  /// Of integers that may pass the ends of their type a small distance of an operand is any distance of the result.
  void forget_wrapped() {
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

  /// Two numbers may be equal when their order changes within their bounds.
  void compare_order(OperatorId order, const WideTensors& corner) {
    KernelSpec ordered = spec();
    ordered.op = order;
    const WideOperator comparison(ordered);
    const auto before = comparison.run(at([](std::size_t, std::size_t, const UncertainOperand&) { return 0.0; }));
    const auto after = comparison.run(corner);
    for (std::size_t i = 0; i < base_[0].count(); ++i)
      if (before[0].value(i) != after[0].value(i)) base_[0].bounds[i] = unknown;
  }

  /// argMin, argMax: the winner moves to the others, and they to it.
  void winner() {
    if (!operands_[0]->moves()) return;
    const double to_winner = op() == "argMax"_op ? 1 : -1;
    const std::vector<std::size_t> winners = winning_elements(spec(), base_[0]);
    take(operator_.run(at([&](std::size_t, std::size_t i, const UncertainOperand&) {
      return std::ranges::binary_search(winners, i) ? -to_winner : to_winner;
    })));
  }

  /// Signs that are alike, by chance, and such that any two elements differ once: one bit of their numbers in each run.
  /// `special_only` looks at NaNs and infinities alone.
  void sample(bool special_only = false) {
    if (std::ranges::none_of(operands_, [](const auto& operand) { return operand && operand->moves(); })) return;
    std::size_t greatest = 0;
    for (const auto& operand : operands_)
      if (operand) greatest = std::max(greatest, operand->radius.size() * operands_.size());
    const int by_chance = 6, numbered = 2 + by_chance;
    const int runs = numbered + (special_only ? 0 : int(std::bit_width(greatest)));
    for (int run = 0; run < runs; ++run) {
      const std::vector<BoundedTensor> other =
          operator_.run(at([&](std::size_t k, std::size_t i, const UncertainOperand&) {
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

  void take_special(const std::vector<BoundedTensor>& other) {
    for (std::size_t i = 0; i < base_[0].count(); ++i)
      if (!std::isfinite(base_[0].value(i)) && wide_distance(base_[0].number(i), other[0].number(i)) != 0)
        base_[0].bounds[i] = unknown;
  }

  /// The operator's rounding is one of the greatest element's.
  void add_peak() {
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

  /// Adds the rounding of the result itself.
  void finish(BoundedTensor& output) const {
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

  WideOperator operator_;
  Rounding rounding_;
  bool folds_;
  std::vector<std::optional<UncertainOperand>> operands_;
  std::vector<BoundedTensor> base_;
  std::mt19937 engine_;
  bool exact_ = false;  // the sums, in every order
};

std::vector<BoundedTensor> bounded_step(const KernelSpec& spec, const OptionalBoundedTensors& inputs, bool folds) {
  auto of_parts = bounded_outputs_of_parts(spec, inputs);
  return of_parts ? std::move(*of_parts) : Step(spec, inputs, folds).run();
}

/// Whether an operator that may be folded into weights reads a result of the node.
bool may_fold(const compiler::Graph& graph, compiler::NodeId id) {
  static constexpr std::array<OperatorId, 5> linear = {"add"_op, "sub"_op, "mul"_op, "div"_op, "batchNormalization"_op};
  return std::ranges::any_of(graph.users(graph.node(id).outputs[0]), [&](compiler::NodeId user) {
    return std::ranges::find(linear, graph.node(user).op) != linear.end();
  });
}

}  // namespace

std::vector<BoundedTensor> bounded_outputs(const KernelSpec& spec, const OptionalBoundedTensors& inputs, bool folds) {
  const std::size_t root_count = spec.root_operand_count();
  KernelSpec root;
  root.op = spec.op;
  root.attributes = spec.attributes;
  root.inputs.assign(spec.inputs.begin(), spec.inputs.begin() + std::ptrdiff_t(root_count));
  root.outputs = spec.outputs;
  const OptionalBoundedTensors of_root(inputs.begin(), inputs.begin() + std::ptrdiff_t(root_count));
  if (spec.post_ops.empty()) return bounded_step(root, of_root, folds);

  const std::vector<OperandDescriptor> descriptors = results_of_steps(spec);
  root.outputs = {descriptors.at(0)};
  std::vector<BoundedTensor> results = bounded_step(root, of_root, false);
  auto next = inputs.begin() + std::ptrdiff_t(root_count);
  for (const PostOp& post_op : spec.post_ops) {
    KernelSpec step;
    step.op = post_op.op;
    step.attributes = post_op.attributes;
    OptionalBoundedTensors operands;
    for (std::size_t i = 0; i < row(post_op.op).operands.size(); ++i)
      operands.push_back(post_op.operands[i] != 0 ? results[results.size() - post_op.operands[i]] : *next++);
    for (const auto& operand : operands) step.inputs.push_back(operand->descriptor);
    step.outputs = {descriptors.at(results.size())};
    results.push_back(bounded_step(step, operands, false)[0]);
  }
  return {results.back()};
}

std::vector<BoundedTensor> bounded_outputs(const KernelSpec& spec, const OptionalTensors& inputs) {
  OptionalBoundedTensors bounded;
  for (const auto& input : inputs) bounded.push_back(input ? std::optional(exactly(*input)) : std::nullopt);
  return bounded_outputs(spec, bounded);
}

std::vector<std::pair<std::string, BoundedTensor>> bounded_outputs(const compiler::Graph& graph,
                                                                   const TestTensors& inputs) {
  std::vector<std::optional<BoundedTensor>> values(graph.value_count());
  for (const compiler::ValueId id : graph.inputs())
    for (const auto& [name, tensor] : inputs)
      if (name == graph.value(id).name) values[id.index] = exactly(tensor);
  for (std::uint32_t index = 0; index < graph.value_count(); ++index)
    if (const compiler::Value& value = graph.value({index}); value.kind == compiler::Value::Kind::constant)
      values[index] = exactly({value.descriptor, {value.data.view().begin(), value.data.view().end()}});
  for (const compiler::NodeId id : graph.order()) {
    OptionalBoundedTensors operands;
    for (const compiler::ValueId input : graph.node(id).inputs)
      operands.push_back(input.valid() ? values.at(input.index).value() : std::optional<BoundedTensor>());
    std::vector<BoundedTensor> results = bounded_outputs(graph.spec(id), operands, may_fold(graph, id));
    for (std::size_t i = 0; i < results.size(); ++i) values[graph.node(id).outputs[i].index] = std::move(results[i]);
  }
  std::vector<std::pair<std::string, BoundedTensor>> outputs;
  for (const compiler::GraphOutput& output : graph.outputs())
    outputs.emplace_back(output.name, values[output.value.index].value());
  return outputs;
}

}  // namespace webnn::tests
