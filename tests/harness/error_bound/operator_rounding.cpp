#include "tests/harness/error_bound/operator_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "cli/compare/tolerances.hpp"
#include "schema/operators/elementwise.hpp"

namespace webnn::tests {
namespace {

bool is_among(OperatorId op, std::span<const OperatorId> ops) { return std::ranges::find(ops, op) != ops.end(); }

constexpr OperatorId exact[] = {"reduceMax"_op, "reduceMin"_op, "maxPool2d"_op, "@byteTable"_op};
constexpr OperatorId sums[] = {"reduceSum"_op,       "reduceL1"_op,      "reduceMean"_op,    "reduceSumSquare"_op,
                               "reduceProduct"_op,   "cumulativeSum"_op, "averagePool2d"_op, "conv2d"_op,
                               "convTranspose2d"_op, "gemm"_op,          "matmul"_op};
constexpr OperatorId monotone[] = {"reduceMax"_op, "reduceMin"_op, "maxPool2d"_op, "dequantizeLinear"_op,
                                   "quantizeLinear"_op};
/// One operation, with nothing on the way that could become infinite.
constexpr OperatorId single[] = {"add"_op, "sub"_op, "mul"_op, "exp"_op, "sigmoid"_op, "sqrt"_op, "reciprocal"_op};

/// Of each the whole rounding is half a unit; twice, as constants may be brought together.
constexpr OperatorId exactly_rounded[] = {"add"_op, "sub"_op, "mul"_op, "div"_op, "sqrt"_op};

bool is_exact(OperatorId op) {
  const ElementwiseRow* const row = find_elementwise(op);
  return row ? row->tolerance.is_exact() : is_among(op, exact);
}

bool only_integers(const KernelSpec& spec) {
  const auto real = [](const OperandDescriptor& tensor) { return is_float(tensor.type); };
  return std::ranges::none_of(spec.outputs, real) &&
         std::ranges::none_of(spec.inputs, [&](const auto& input) { return input && real(*input); });
}

/// The specification's tests add one or two units for each term of a sum, the worst that there could be. What many
/// terms really add up to grows as their root.
double ulps_of(const KernelSpec& spec) {
  if (is_among(spec.op, exactly_rounded)) return 2;
  const cli::Allowance allowance = cli::allowance_of(spec);
  const double ulps = allowance.ulp == 0 && allowance.absolute > 0 ? 16 : allowance.ulp;
  return std::max(4.0, std::min(ulps, 16 + 4 * std::sqrt(ulps)));
}

Rule rule_of(OperatorId op, bool nearest) {
  using enum Family;
  const Family family = row(op).family;
  if (family == view || family == movement || family == indexed || family == select) return Rule::moves;
  if (family == arg_reduction) return Rule::winner;
  if (nearest || is_elementwise(family) || is_among(op, monotone)) return Rule::corners;
  if (family == resample || is_among(op, sums)) return Rule::sums;
  return Rule::sample;
}

}  // namespace

double Rounding::growth(double magnitude) const {
  return exponent && magnitude > 0 ? 1 + std::fabs(std::log(magnitude)) / 16 : 1;
}

Rounding rounding_of(const KernelSpec& spec) {
  const Operator& op = row(spec.op);
  using enum Family;
  const SpecCall call(spec);
  const bool nearest = op.family == resample && call.text("mode") != "linear";
  const bool real_result = is_float(spec.outputs[0].type);

  Rounding result;
  result.rule = rule_of(spec.op, nearest);
  result.chooses =
      op.family == comparison || op.family == logical || op.family == predicate || op.family == arg_reduction;
  result.looks_up = spec.op == "@byteTable"_op;
  result.exponent = spec.op == "pow"_op;
  result.pole = spec.op == "div"_op ? 1 : spec.op == "reciprocal"_op || spec.op == "pow"_op ? 0 : -1;
  result.peak = !nearest && (op.family == resample || op.family == recurrent);
  if (spec.op == "reduceLogSumExp"_op) result.least_operand = 1;  // exp(x) near 0 is rounded as 1 is
  if (op.family == resample && !nearest)
    for (const std::uint32_t axis : call.u32_list("axes"))
      result.coordinates = std::max(result.coordinates, double(call.shape(0)[axis]));
  if (op.family == resample && !nearest && !real_result) result.integer = 1;  // a tie between two integers
  const bool plain_integers = only_integers(spec) && op.family != quantization && op.family != convolution;
  if (plain_integers && result.rule == Rule::sums) result.rule = Rule::sample;
  if (plain_integers || nearest || result.chooses || result.rule == Rule::moves || is_exact(spec.op)) {
    result.rounds = false;
    return result;
  }
  if (op.family == cast) {
    result.rounds = real_result;
    return result;
  }
  result.ulps = ulps_of(spec);
  result.rounds = real_result;
  if (result.rule == Rule::sample) result.greatest = 1e18;
  if (result.rule == Rule::sums) result.greatest = 1e18;  // products of two, and sums of those, stay finite
  if (result.rule == Rule::corners && !is_among(spec.op, single)) result.greatest = 1e37;
  return result;
}

}  // namespace webnn::tests
