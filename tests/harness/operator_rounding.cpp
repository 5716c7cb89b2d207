#include "tests/harness/operator_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "cli/compare/tolerances.hpp"

namespace webnn::tests {
namespace {

using Names = std::span<const std::string_view>;

bool is_among(std::string_view name, Names names) { return std::ranges::find(names, name) != names.end(); }

constexpr std::string_view exact[] = {"abs",  "neg", "relu", "clamp",     "ceil",      "floor",     "roundEven",
                                      "sign", "max", "min",  "reduceMax", "reduceMin", "maxPool2d", "@byteTable"};
constexpr std::string_view sums[] = {"reduceSum",       "reduceL1",      "reduceMean",    "reduceSumSquare",
                                     "reduceProduct",   "cumulativeSum", "averagePool2d", "conv2d",
                                     "convTranspose2d", "gemm",          "matmul"};
constexpr std::string_view monotone[] = {"reduceMax", "reduceMin", "maxPool2d", "dequantizeLinear", "quantizeLinear"};
/// One operation, with nothing on the way that could become infinite.
constexpr std::string_view single[] = {"add", "sub", "mul", "exp", "sigmoid", "sqrt", "reciprocal"};

/// Of each the whole rounding is half a unit; twice, as constants may be brought together.
constexpr std::string_view exactly_rounded[] = {"add", "sub", "mul", "div", "sqrt"};

bool only_integers(const KernelSpec& spec) {
  const auto real = [](const OperandDescriptor& tensor) { return is_float(tensor.type); };
  return std::ranges::none_of(spec.outputs, real) &&
         std::ranges::none_of(spec.inputs, [&](const auto& input) { return input && real(*input); });
}

/// The specification's tests add one or two units for each term of a sum, the worst that there could be. What many
/// terms really add up to grows as their root.
double ulps_of(const KernelSpec& spec) {
  if (is_among(row(spec.op).name, exactly_rounded)) return 2;
  const cli::Allowance allowance = cli::allowance_of(spec);
  const double ulps = allowance.absolute > 0 ? 16 : allowance.ulp;
  return std::max(4.0, std::min(ulps, 16 + 4 * std::sqrt(ulps)));
}

Rule rule_of(const Operator& op, bool nearest) {
  using enum Family;
  if (op.family == view || op.family == movement || op.family == indexed || op.family == select) return Rule::moves;
  if (op.family == arg_reduction) return Rule::winner;
  if (nearest || is_elementwise(op.family) || is_among(op.name, monotone)) return Rule::corners;
  if (op.family == resample || is_among(op.name, sums)) return Rule::sums;
  return Rule::sample;
}

}  // namespace

double Rounding::growth(double magnitude) const {
  return exponent && magnitude > 0 ? 1 + std::fabs(std::log(magnitude)) / 16 : 1;
}

Rounding rounding_of(const KernelSpec& spec) {
  const Operator& op = row(spec.op);
  using enum Family;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const bool nearest = op.family == resample && call.text("mode") != "linear";
  const bool real_result = is_float(spec.outputs[0].type);

  Rounding result;
  result.rule = rule_of(op, nearest);
  result.chooses =
      op.family == comparison || op.family == logical || op.family == predicate || op.family == arg_reduction;
  result.looks_up = op.name == "@byteTable";
  result.exponent = op.name == "pow";
  result.pole = op.name == "div" ? 1 : op.name == "reciprocal" || op.name == "pow" ? 0 : -1;
  result.peak = !nearest && (op.family == resample || op.family == recurrent);
  if (op.family == resample && !nearest && !real_result) result.integer = 1;  // a tie between two integers
  const bool plain_integers = only_integers(spec) && op.family != quantization && op.family != convolution;
  if (plain_integers && result.rule == Rule::sums) result.rule = Rule::sample;
  if (plain_integers || nearest || result.chooses || result.rule == Rule::moves || is_among(op.name, exact)) {
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
  if (result.rule == Rule::corners && !is_among(op.name, single)) result.greatest = 1e37;
  return result;
}

}  // namespace webnn::tests
