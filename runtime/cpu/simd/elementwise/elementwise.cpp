// The kernels of elementwise operators, as chains of stages: one and two operands, comparisons, where, cast,
// quantizeLinear and dequantizeLinear; on floats also whole groups of them.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/elementwise/stages.inl.hpp"
#include <algorithm>
#include <utility>

#include "runtime/cpu/simd/for_each_isa.hpp"
//
#include "runtime/cpu/simd/elementwise/chain.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "schema/operators/check_spec.hpp"

namespace webnn::runtime::simd {

namespace {

StageTable float_table(Isa isa) { return VECTOR_CODE(isa, float_stages::table)(); }
StageTable integer_table(Isa isa) { return VECTOR_CODE(isa, integer_stages::table)(); }

/// Lanes are float32 if any operand, or the result of any operator, has a float type.
bool on_floats(const KernelSpec& spec) {
  const std::vector<OperandDescriptor> results = results_of_steps(spec);
  return std::ranges::any_of(results, [](const OperandDescriptor& result) { return is_float(result.type); }) ||
         std::ranges::any_of(spec.inputs, [](const auto& input) { return input && is_float(input->type); });
}

}  // namespace

Chain chain_of(const KernelSpec& spec, Constants constants, Isa isa) {
  Chain chain(spec, constants, on_floats(spec) ? float_table(isa) : integer_table(isa));
  chain.stages_of(spec);
  chain.store();
  return chain;
}

Kernel prepare_elementwise(const KernelSpec& spec, Constants constants, Isa isa) {
  return chain_of(spec, constants, isa).kernel();
}

/// roundEven(x / scale) + zeroPoint. The quotient is rounded to float32, which decides what is a tie.
Kernel prepare_quantize_linear(const KernelSpec& spec, Constants constants, Isa isa) {
  Chain chain(spec, constants, float_table(isa));
  chain.load(0);
  chain.binary("div"_op, 1);
  chain.unary("roundEven"_op, {}, DataType::float32);
  chain.binary("add"_op, 2);
  chain.store();
  return std::move(chain).kernel();
}

/// (x - zeroPoint) scale
Kernel prepare_dequantize_linear(const KernelSpec& spec, Constants constants, Isa isa) {
  Chain chain(spec, constants, float_table(isa));
  chain.load(0);
  chain.binary("sub"_op, 2);
  chain.binary("mul"_op, 1);
  chain.post_ops_of(spec);
  chain.store();
  return std::move(chain).kernel();
}

namespace {

/// What a lane of a group on floats holds.
enum class LaneKind : std::uint8_t {
  number,
  truth,    // 0 or 1, the result of a step
  byte,     // uint8 from outside
  integer,  // another narrow integer from outside
  other,
};

LaneKind kind_outside(DataType type) {
  if (is_float(type)) return LaneKind::number;
  if (type == DataType::uint8) return LaneKind::byte;
  return narrow_integer.contains(type) ? LaneKind::integer : LaneKind::other;
}

/// Whether an operator of this family takes lanes of this kind as this operand.
bool may_be(Family family, std::size_t place, LaneKind kind) {
  const bool condition = kind == LaneKind::truth || kind == LaneKind::byte;
  if (family == Family::logical) return condition;
  if (family == Family::select && place == 0) return condition;
  if (family == Family::cast) return kind != LaneKind::other;
  return is_elementwise(family) && kind == LaneKind::number;
}

/// As elementwise_group, and also comparisons, predicates, logicalNot, where, casts of truth values, and casts between float types.
/// All steps give floats or truth values, except that the last one may cast to a narrow integer type. The
/// vector kernels have functions for them.
bool takes_group(const KernelSpec& spec) {
  if (!has_vector_functions(spec)) return false;
  if (spec.outputs.size() != 1 || spec.post_ops.size() > longest_chain || spec.inputs.size() > most_group_inputs ||
      !operands_broadcast(spec))
    return false;
  const bool plain = is_float(spec.outputs[0].type) && row(spec.op).family != Family::cast;
  if (plain && elementwise_expression(spec)) return true;
  const std::vector<OperandDescriptor> results = results_of_steps(spec);
  if (results.size() != 1 + spec.post_ops.size()) return false;
  std::vector<LaneKind> given;  // by the steps so far
  const Expression expression(spec);
  for (std::size_t step = 0; step < results.size(); ++step) {
    const Operator& op = row(expression.op(step));
    const std::vector<StepOperand> operands = expression.operands(step);
    for (std::size_t place = 0; place < operands.size(); ++place) {
      const auto [kind, index] = operands[place];
      const bool inside = kind == StepOperand::Kind::step;
      if (!may_be(op.family, place, inside ? given[index] : kind_outside(spec.inputs[index]->type))) return false;
    }
    const DataType type = results[step].type;
    const bool truth =
        op.family == Family::comparison || op.family == Family::predicate || op.family == Family::logical;
    const bool stored_only = op.family == Family::cast && step + 1 == results.size() && narrow_integer.contains(type);
    if (!truth && !is_float(type) && !stored_only) return false;
    given.push_back(truth ? LaneKind::truth : LaneKind::number);
  }
  return true;
}

/// Types of 32 bits, float16 and 8-bit integers.
bool takes_where(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const DataType type = spec.outputs[0].type;
  return bits_of(type) == 32 || type == DataType::float16 || type == DataType::int8 || type == DataType::uint8;
}

/// Between types of up to 32 bits, except from float to uint32.
bool takes_cast(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const DataType from = spec.inputs[0]->type, to = spec.outputs[0].type;
  if (is_float(from)) return is_float(to) || narrow_integer.contains(to);
  return is_float(to) || narrow_integer.contains(to) || to == DataType::uint32;
}

/// To 8-bit integers.
bool takes_quantize(const KernelSpec& spec) {
  return spec.inputs.size() > 2 && spec.inputs[2] &&
         (spec.inputs[2]->type == DataType::int8 || spec.inputs[2]->type == DataType::uint8);
}

/// An operator on its own.
consteval SimdKernel single(KernelRow row, decltype(SimdKernel::prepare) prepare = prepare_elementwise) {
  row.layouts = LayoutRule::uniform;
  if (row.can == nullptr) row.can = has_vector_functions;
  return {.row = row, .prepare = prepare};
}
/// An operator with the elementwise ones behind it.
consteval SimdKernel group(KernelRow row) {
  row.can_apply = takes_group;
  return single(row);
}

}  // namespace

constexpr SimdKernel elementwise_list[] = {
    group({.name = "unary", .family = Family::unary, .types = floats, .in_place = 0xff}),
    group({.name = "binary", .family = Family::binary, .types = floats, .in_place = 0xff}),
    single({.name = "integerUnary", .family = Family::unary, .types = narrow_integer, .in_place = 0b01}),
    single({.name = "integerBinary", .family = Family::binary, .types = narrow_integer, .in_place = 0b11}),
    group({.name = "comparison", .family = Family::comparison, .types = castable, .in_place = 0b11}),
    single({.name = "logical", .family = Family::logical, .types = {DataType::uint8}, .in_place = 0b11}),
    group({.name = "predicate", .family = Family::predicate, .types = floats}),
    group({.name = "where", .op = "where", .types = {DataType::uint8}, .in_place = 0xff, .can = takes_where}),
    group({.name = "cast", .op = "cast", .types = castable, .in_place = 0xff, .can = takes_cast}),
    single({.name = "quantizeLinear", .op = "quantizeLinear", .types = floats, .can = takes_quantize},
           prepare_quantize_linear),
    single({.name = "dequantizeLinear",
            .op = "dequantizeLinear",
            .types = int8_or_uint8,
            .in_place = 0xff,
            .can_apply = elementwise_group},
           prepare_dequantize_linear),
};
extern constexpr SimdKernels elementwise_kernels(elementwise_list);

}  // namespace webnn::runtime::simd
