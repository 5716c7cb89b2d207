// Builds the stages of a group of elementwise operators: one for each operator, and others that load its inputs and
// save results needed later than by the next operator.
#include <algorithm>
#include <bit>
#include <limits>

#include "runtime/cpu/simd/elementwise/chain.hpp"
#include "schema/elements/number.hpp"
#include "schema/error.hpp"
#include "schema/operators/check_spec.hpp"
#include "schema/operators/elementwise.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

/// The cost of an operator, relative to an addition.
std::size_t cost_of(OperatorId op) {
  constexpr std::size_t costs[] = {1, 1, 10, 10, 30};  // by Work
  const ElementwiseRow* const row = find_elementwise(op);
  return row == nullptr ? 1 : costs[std::size_t(row->floats)];
}

}  // namespace

Chain::Place Chain::place_of(std::size_t input) const {
  for (std::size_t k = 0; k < operands_.size(); ++k)
    if (operands_[k].input == input) return {Place::Kind::operand, std::uint8_t(k)};
  throw Error(ExitCode::internal, "an elementwise chain reads an operand that is absent");
}

Access Chain::access(Place place) const {
  return place.kind == Place::Kind::saved ? Access::saved : operands_[place.index].access();
}

void Chain::add(StageFunction function, Stage stage, StageOperands operands, std::size_t cost) {
  if (function == nullptr)
    throw Error(ExitCode::internal, "an elementwise chain has no stage for one of its operators");
  stage.function = function;
  stages_.push_back(stage);
  stage_operands_.push_back(operands);
  cost_ += cost;
}

void Chain::load(Place place) {
  if (place.kind == Place::Kind::saved) return add(table_.recall(), {}, {place}, 0);
  const ChainOperand& operand = operands_[place.index];
  const DataType type = operand.is_laid_out() ? table_.lanes : operand.type;
  add(operand.access() == Access::scalar ? table_.load_scalar() : table_.load(type), {}, {place}, 0);
}

void Chain::save(std::uint8_t block) { add(table_.save(), {}, {{Place::Kind::saved, block}}, 0); }

void Chain::unary(OperatorId op, const Attributes& attributes, DataType type) {
  if (const StageFunction pair = table_.pair ? table_.pair(stages_.back().function, op) : nullptr) {
    stages_.back().function = pair;
    return;
  }
  const OperandDescriptor descriptor{type, {}};
  const OperandDescriptor* operands[] = {&descriptor};
  const OperatorCall call(op, operands, attributes);
  const auto cast = [&](Number value) {  // to the operand's type, as specified
    std::byte bytes[8]{};
    schema::store(value, type, bytes);
    Lane lane;
    table_.converter(type)(bytes, &lane, 1);
    return lane;
  };
  Stage stage;
  if (op == "clamp"_op) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    stage.alpha = cast(call.number("minValue", Number(-infinity)));
    stage.beta = cast(call.number("maxValue", Number(infinity)));
  } else {
    if (call.op().attribute_index("alpha") >= 0) stage.alpha = cast(Number(call.real("alpha")));
    if (call.op().attribute_index("beta") >= 0) stage.beta = cast(Number(call.real("beta")));
  }
  add(table_.unary(op), stage, {}, cost_of(op));
}

void Chain::binary(OperatorId op, Place other, bool swapped) {
  if (const std::optional<Lane> number = number_at(other)) {
    if (op == "pow"_op && !swapped)
      if (const StageFunction function = table_.power(*number)) return add(function, {}, {}, 1);
    if (const StageFunction function = table_.limit ? table_.limit(op, *number) : nullptr)
      return add(function, {.alpha = *number}, {}, 1);
  }
  add(table_.binary(op, access(other), swapped), {}, {other}, cost_of(op));
}

std::optional<Lane> Chain::number_at(Place place) const {
  if (place.kind != Place::Kind::operand) return std::nullopt;
  const ChainOperand& operand = operands_[place.index];
  if (operand.walk != ChainOperand::Walk::scalar || operand.input >= constants_.size()) return std::nullopt;
  const std::span<const std::byte> bytes = constants_[operand.input];
  if (bytes.empty()) return std::nullopt;
  Lane lane;
  table_.converter(operand.type)(bytes.data(), &lane, 1);
  return lane;
}

void Chain::where(Place when_true, Place when_false) {
  add(table_.where(access(when_true), access(when_false)), {}, {when_true, when_false}, 1);
}

// ---- groups -------------------------------------------------------------------------------------------------------

/// The operators of a spec in order. A result stays in registers for the next operator only.
struct Chain::Group {
  struct Member {
    OperatorId op;
    const Attributes* attributes;
    std::vector<StepOperand> operands;
    DataType type;             // of its result
    std::size_t started = 0;   // the operand that is in registers already, or is loaded
    std::size_t last_use = 0;  // the last operator behind the next one that needs the result; 0: none
    std::uint8_t block = 0;    // the block in which it is saved
    bool is_half = false;      // its result is a float16 number without being rounded
    bool rounds = false;       // its result is rounded to float16 at once, because a later operator takes it so

    bool is_square() const { return op == "mul"_op && operands[0].is_step() && operands[0] == operands[1]; }
  };

  Chain& chain;
  std::vector<Member> members;
  std::vector<std::uint8_t> free;  // free blocks

  Group(Chain& owner, const KernelSpec& spec) : chain(owner) {
    const std::vector<OperandDescriptor> results = results_of_steps(spec);
    const Expression expression(spec);
    for (std::size_t step = 0; step < expression.size(); ++step) {
      members.push_back(
          {expression.op(step), &expression.attributes(step), expression.operands(step), results[step].type});
      members[step].is_half = gives_half(step, spec);
      find_rounded(step);
    }
    for (std::size_t i = max_saved; i-- > 0;) free.push_back(std::uint8_t(i));
    for (std::size_t i = 1; i < members.size(); ++i) find_uses(i);
  }

  bool is_in_registers(const StepOperand& source, std::size_t at) const {
    return source.is_step() && source.index + 1 == at;
  }

  /// Whether an operator that is exact has only float16 numbers as operands, or rounds to float16 itself.
  bool gives_half(std::size_t at, const KernelSpec& spec) const {
    const Member& member = members[at];
    if (member.type != DataType::float16) return false;
    const Family family = row(member.op).family;
    if (family == Family::cast) return true;
    const ElementwiseRow* const elementwise = find_elementwise(member.op);
    if (elementwise == nullptr ? family != Family::select : !elementwise->tolerance.is_exact()) return false;
    return std::ranges::all_of(member.operands, [&](const StepOperand& source) {
      return source.is_step() ? members[source.index].is_half || members[source.index].type != DataType::float16
                              : spec.inputs[source.index].has_value();
    });
  }

  void find_rounded(std::size_t at) {
    const Member& member = members[at];
    const bool all_are_results = std::ranges::all_of(member.operands, &StepOperand::is_step);
    for (std::size_t place = 0; place < member.operands.size(); ++place) {
      if (!member.operands[place].is_step() || !takes_rounded(member.op, place, all_are_results)) continue;
      Member& before = members[member.operands[place].index];
      before.rounds = before.rounds || (before.type == DataType::float16 && !before.is_half);
    }
  }

  void find_uses(std::size_t at) {
    Member& member = members[at];
    if (member.operands.size() == 2 && !is_in_registers(member.operands[0], at) &&
        is_in_registers(member.operands[1], at))
      member.started = 1;
    if (member.is_square()) member.operands.pop_back();
    for (std::size_t i = 0; i < member.operands.size(); ++i) {
      const StepOperand& source = member.operands[i];
      if (source.is_step() && !(i == member.started && is_in_registers(source, at)))
        members[source.index].last_use = at;
    }
  }

  Place place_of(const StepOperand& source) const {
    return source.is_step() ? Place{Place::Kind::saved, members[source.index].block} : chain.place_of(source.index);
  }

  void apply(std::size_t at) {
    const Member& member = members[at];
    const StepOperand& start = member.operands[member.started];
    if (!is_in_registers(start, at)) chain.load(place_of(start));
    const std::size_t places = row(member.op).operands.size();
    if (row(member.op).family == Family::cast) {
      const bool rounds = member.type == DataType::float16 && at + 1 < members.size();  // the store rounds the last
      if (rounds) chain.unary(member.op, {}, member.type);
    } else if (places == 1) {
      chain.unary(member.op, *member.attributes, member.type);
    } else if (member.operands.size() < places) {
      chain.add(chain.table_.power(std::bit_cast<Lane>(2.0f)), {}, {}, 1);  // a square
    } else if (places == 2) {
      chain.binary(member.op, place_of(member.operands[1 - member.started]), member.started == 1);
    } else {
      chain.where(place_of(member.operands[1]), place_of(member.operands[2]));
    }
  }

  /// Rounds the result of an operator if later ones need that, saves it for later ones, and frees the blocks that it was
  /// the last to need.
  void keep(std::size_t at) {
    if (members[at].rounds) chain.unary("cast"_op, {}, DataType::float16);
    for (std::size_t i = 0; i < at; ++i)
      if (members[i].last_use == at) free.push_back(members[i].block);
    if (members[at].last_use == 0) return;
    members[at].block = free.back();
    free.pop_back();
    chain.save(members[at].block);
  }
};

void Chain::stages_of(const KernelSpec& spec) {
  Group group(*this, spec);
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    group.apply(i);
    group.keep(i);
  }
}

void Chain::post_ops_of(const KernelSpec& spec) {
  Group group(*this, spec);
  group.keep(0);
  for (std::size_t i = 1; i < group.members.size(); ++i) {
    group.apply(i);
    group.keep(i);
  }
}

}  // namespace webnn::runtime::simd
