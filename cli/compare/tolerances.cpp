#include "cli/compare/tolerances.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "schema/operators/check_spec.hpp"
#include "schema/operators/elementwise.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

using Count = double (*)(const OperatorCall&, const OperandDescriptor& output);

double elements(const Shape& shape) { return double(element_count(shape)); }

/// The number of elements summed for one element of the result.
double reduced(const OperatorCall& call, const OperandDescriptor& output) {
  return std::max(1.0, elements(call.shape(0)) / std::max(1.0, elements(output.shape)));
}

double window(const OperatorCall& call, const OperandDescriptor&) {
  const std::vector<std::uint32_t> sizes = call.u32_list("windowDimensions");
  return sizes.size() == 2 ? double(sizes[0]) * sizes[1] : 1;
}

double along_axis(const OperatorCall& call, const OperandDescriptor&) {
  const Shape& shape = call.shape(0);
  const std::uint32_t axis = call.u32("axis");
  return axis < shape.rank() ? double(shape[axis]) : 1;
}

/// The number of products summed for a result of a convolution, transposed or not, grouped or not, in any filter
/// layout.
double filter(const OperatorCall& call, const OperandDescriptor& output) {
  return elements(call.shape(1)) / double(output.shape[call.text("inputLayout") == "nchw" ? 1 : 3]);
}

double depth(const OperatorCall& call, const OperandDescriptor&) {
  const Shape& a = call.shape(0);
  return a[call.id() == "gemm"_op && call.boolean("aTranspose") ? 0 : a.rank() - 1];
}

/// The two sums of a time step; time steps accumulate.
double recurrent(const OperatorCall& call, const OperandDescriptor&) {
  const Shape& input = call.shape(0);
  const double steps = input.rank() == 3 ? input[0] : 1;
  return steps * (double(input[input.rank() - 1]) + call.u32("hiddenSize"));
}

/// The products of a score, and the tokens whose values are weighted by the scores.
double attention(const OperatorCall& call, const OperandDescriptor&) {
  const auto last = [&](std::size_t operand, std::string_view permutation, unsigned from_end) {
    const std::vector<std::uint32_t> axes = call.u32_list(permutation);
    return double(call.shape(operand)[axes[axes.size() - from_end]]);
  };
  return last(0, "queryPermutation", 1) + last(1, "keyPermutation", 2);
}

/// Kernels may give zeros instead of subnormal numbers, for each product and each sum of some.
constexpr double least_normal = std::numeric_limits<float>::min();

/// The tolerance of an operator: ULP = fixed + each * count, and absolute * count.
struct Row {
  std::string_view op;
  double fixed = 0;
  double each = 0;
  Count count = nullptr;
  double absolute = 0;
};

// The numbers are those of the Web Platform Tests for WebNN. Internal operators have the numbers of what they replace.
// Those of elementwise operators are in elementwise.def.
constexpr Row rows[] = {
    {"cast", 1},
    {"quantizeLinear", 1},
    {"dequantizeLinear", 1},
    {"batchNormalization", 6},
    {"layerNormalization", 14},
    {"instanceNormalization", 840},
    {"resample2d", 84},
    {"softmax", 3, 3, along_axis},
    {"cumulativeSum", 0, 1, along_axis},
    {"reduceL1", 0, 1, reduced},
    {"reduceL2", 1, 2, reduced},
    {"reduceLogSum", 18, 1, reduced},
    {"reduceLogSumExp", 18, 2, reduced},
    {"reduceMean", 2, 1, reduced},
    {"reduceProduct", 0, 1, reduced},
    {"reduceSum", 0, 1, reduced},
    {"reduceSumSquare", 0, 2, reduced},
    {"averagePool2d", 2, 1, window},
    {"l2Pool2d", 2, 1, window},
    {"conv2d", 0, 2, filter, least_normal},
    {"convTranspose2d", 0, 2, filter, least_normal},
    {"matmul", 0, 2, depth, least_normal},
    {"gemm", 3, 2, depth, least_normal},
    {"lstm", 3, 2, recurrent, least_normal},
    {"lstmCell", 3, 2, recurrent, least_normal},
    {"gru", 6, 2, recurrent, least_normal},
    {"gruCell", 6, 2, recurrent, least_normal},
    {"@attention", 3, 2, attention, least_normal},
    {"@rmsNormalization", 14},
    {"@blockQuantizedMatmul", 2, 2, depth, least_normal},
};

Allowance allowance_of_call(const OperatorCall& call, const OperandDescriptor& output) {
  if (const ElementwiseRow* row = find_elementwise(call.id())) {
    const ErrorLimit& limit = row->tolerance;
    if (limit.absolute > 0) return {0, output.type == DataType::float16 ? limit.absolute_half : limit.absolute};
    return {is_float(output.type) ? limit.ulp : 0, 0};
  }
  const auto found = std::ranges::find(rows, call.op().name, &Row::op);
  if (found == std::end(rows)) return {};
  // Integers are exact, except for results of quantisation, which are rounded.
  if (!is_float(output.type) && call.op().family != Family::quantization) return {};
  if (call.id() == "instanceNormalization"_op && output.type == DataType::float16) return {8400, 0};
  if (call.id() == "resample2d"_op && call.text("mode") != "linear") return {};
  const double count = found->count ? found->count(call, output) : 0;
  return {found->fixed + found->each * count, found->absolute * count};
}

/// What the error of the operands leaves of a result that is no float: rounding may end at the neighbour, while indices and
/// truth values are right or wrong.
Allowance limited(Allowance sum, const KernelSpec& spec) {
  if (is_float(spec.outputs[0].type)) return sum;
  const Expression expression(spec);
  switch (row(expression.op(expression.size() - 1)).family) {
    case Family::comparison:
    case Family::logical:
    case Family::predicate:
    case Family::arg_reduction:
      return {};
    default:
      return {std::min(sum.ulp + (sum.absolute > 0 ? 1 : 0), 1.0), 0};
  }
}

/// The maximum of the operands' allowances, separately for ULP and absolute.
template <class Ids, class Index>
Allowance greatest(const std::vector<Allowance>& by_value, const Ids& inputs, Index index) {
  Allowance most;
  for (const auto& input : inputs) {
    const std::uint32_t value = index(input);
    if (value == no_index) continue;
    most.ulp = std::max(most.ulp, by_value[value].ulp);
    most.absolute = std::max(most.absolute, by_value[value].absolute);
  }
  return most;
}

}  // namespace

Allowance allowance_of(const KernelSpec& spec) {
  const Expression expression(spec);
  const std::vector<OperandDescriptor> results = spec.post_ops.empty() ? spec.outputs : results_of_steps(spec);
  Allowance allowance;
  const auto input = [&](std::size_t i) { return spec.input(i); };
  const auto add = [&](std::size_t step, std::span<const OperandDescriptor* const> operands) {
    allowance +=
        allowance_of_call(OperatorCall(expression.op(step), operands, expression.attributes(step)), results[step]);
    return results[step];
  };
  results_of<OperandDescriptor>(expression, input, add);
  return allowance;
}

std::vector<Allowance> allowances_of(const compiler::Graph& graph) {
  std::vector<Allowance> by_value(graph.value_count());
  for (const compiler::NodeId id : graph.order()) {
    const compiler::Node& node = graph.node(id);
    const KernelSpec spec = graph.spec(id);
    Allowance allowance = allowance_of(spec);
    allowance += greatest(by_value, node.inputs, [](compiler::ValueId input) { return input.index; });
    allowance = limited(allowance, spec);
    for (const compiler::ValueId output : node.outputs) by_value[output.index] = allowance;
  }
  return by_value;
}

std::vector<Allowance> allowances_of(const Program& program) {
  std::vector<Allowance> by_value(program.values.size());
  const auto owner = [&](std::uint32_t value) {
    return value == no_index || program.values[value].view_of == no_index ? value : program.values[value].view_of;
  };
  for (const Step& step : program.steps) {
    const KernelSpec spec = spec_of(program, step);
    Allowance allowance = allowance_of(spec);
    allowance += greatest(by_value, step.inputs, owner);
    allowance = limited(allowance, spec);
    for (const std::uint32_t output : step.outputs) by_value[output] = allowance;
  }
  for (std::size_t i = 0; i < by_value.size(); ++i)
    if (program.values[i].view_of != no_index) by_value[i] = by_value[program.values[i].view_of];
  return by_value;
}

}  // namespace webnn::cli
