#include "api/op_support_limits.hpp"

#include <algorithm>

#include "api/kernels.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::api {
namespace {

using namespace schema;

constexpr DataType all_types[] = {DataType::float32, DataType::float16, DataType::int32, DataType::uint32,
                                  DataType::int64,   DataType::uint64,  DataType::int8,  DataType::uint8,
                                  DataType::int4,    DataType::uint4};

bool runs(const KernelRow& kernel, const Operator& op, const Target& target) {
  return kernel.device == target.device && includes(target.features, kernel.features) && is_for(kernel, op);
}

/// The types of the first operand that some kernel of the target takes.
DataTypes kernel_types(const Operator& op, const Target& target) {
  DataTypes types;
  for (const KernelRow& kernel : kernel_table())
    if (runs(kernel, op, target)) types = types | kernel.types;
  return types;
}

/// The types in both `allowed` and `supported`.
std::vector<DataType> common(DataTypes allowed, DataTypes supported) {
  std::vector<DataType> types;
  std::ranges::copy_if(all_types, std::back_inserter(types),
                       [&](DataType type) { return allowed.contains(type) && supported.contains(type); });
  return types;
}

/// Results have the ranks of the first operand, with these exceptions.
RankRange output_ranks(const Operator& op) {
  RankRange ranks{op.operands[0].min_rank, op.operands[0].max_rank};
  if (op.family == Family::arg_reduction || op.name == "gatherND") ranks.min = 0;
  if (op.attribute_index("returnSequence") >= 0) ++ranks.max;  // an additional result with all time steps
  return ranks;
}

std::map<std::string, TensorLimits> limits_of(const Operator& op, const Target& target) {
  const DataTypes supported = kernel_types(op, target);
  const OperandRow& first = op.operands[0];
  const auto types = [&](DataTypes allowed, char variable) {
    const bool as_first = variable != 0 && variable == first.variable;
    return common(as_first ? first.types : allowed, as_first ? supported : allowed);
  };
  std::map<std::string, TensorLimits> limits;
  for (const OperandRow& operand : op.operands) {
    const bool is_first = &operand == op.operands.begin();
    limits[std::string(operand.name)] = {
        is_first ? common(operand.types, supported) : types(operand.types, operand.variable),
        {operand.min_rank, operand.max_rank}};
  }
  const OutputRow& output = op.outputs[0];
  const bool several = op.outputs.size() > 1 || output.arity == Arity::many;
  DataTypes allowed = output.types;
  for (const OperandRow& operand : op.operands)  // an output may share the type variable of any operand
    if (output.variable != 0 && output.variable == operand.variable) allowed = operand.types;
  limits[several ? "outputs" : "output"] = {types(allowed, output.variable), output_ranks(op)};
  return limits;
}

/// The input layout of the kernel that costs least for float32 convolutions, whatever their sizes.
std::string preferred_layout(const Target& target) {
  const Operator& conv2d = row(*find_operator("conv2d"));
  const KernelRow* best = nullptr;
  for (const KernelRow& kernel : kernel_table())
    if (runs(kernel, conv2d, target) && kernel.types.contains(DataType::float32) &&
        (!best || kernel.factor < best->factor))
      best = &kernel;
  return best && best->layouts == LayoutRule::channels_last ? "nhwc" : "nchw";
}

}  // namespace

OpSupportLimits op_support_limits(const Target& target) {
  const TensorLimits any{{std::begin(all_types), std::end(all_types)}, {0, max_rank}};
  OpSupportLimits limits{preferred_layout(target), max_tensor_bytes, any, any, any, {}};
  for (const Operator& op : operator_table()) limits.operators.emplace(op.name, limits_of(op, target));
  return limits;
}

}  // namespace webnn::api
