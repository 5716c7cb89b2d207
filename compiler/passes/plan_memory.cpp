// plan_memory: graph -> order of execution, and a slot for every value.
//
//   y = reshape(x)      y shares x's slot and needs no step, unless both are the caller's own memory; likewise
//                       every other node whose result is its operand's bytes
//   y = relu(x)         y takes x's slot if the kernel row allows it and x is not needed any more
//   two orders of execution, the graph's own and `demand_order`, are tried; the one with the smaller arena is kept
//   where nodes run at the same time, they are ordered by depth, and memory is used again only at a later depth, unless
//   that makes the arena much larger
//   large results that pass on line by line get no place at all, if the arena is no larger then: what their nodes read is
//   needed until the last of them ends
//   values that kernels read past the end of stay in the arena, which is padded
//   graph inputs, constants and outputs are where the caller and the program have them; the rest shares one arena
#include <algorithm>
#include <map>
#include <span>

#include "compiler/passes/parts/demand_order.hpp"
#include "compiler/passes/parts/memory_planner.hpp"
#include "compiler/passes/parts/planned_spec.hpp"
#include "compiler/passes/parts/schedule.hpp"
#include "compiler/passes/passes.hpp"

namespace webnn::compiler {
namespace {

constexpr std::uint32_t none = no_index;
/// What nodes that run at the same time may cost in memory: the arena grows by this factor at most, or to this size.
constexpr std::uint64_t most_growth = 2, always_allowed_bytes = std::uint64_t{1} << 20;

/// When something is read for the last time, and by which node.
struct LastUse {
  std::uint32_t time = 0;
  NodeId by;  // not valid: nobody reads it
  bool by_several = false;

  void add(const LastUse& other) {
    if (!other.by.valid() || other.time < time) return;
    if (by.valid() && other.time == time)
      by_several = by_several || other.by_several || other.by != by;
    else
      *this = other;
  }
};

/// Bytes shared by several values, one after another (in place) or at the same time (views).
struct Storage {
  std::uint64_t bytes = 0;
  std::uint32_t first_time = 0;
  LastUse last_use;
  bool fixed = false;           // an input or a constant: never written
  std::uint32_t output = none;  // graph output whose memory it is; never overwritten
  bool overread = false;        // kernels read past its end: never in the caller's memory
  bool lines = false;           // there are only lines of it
  ValueId constant;             // the constant whose bytes it holds
};

/// What this pass adds to the plan.
struct Placement {
  std::vector<NodeId> order;
  std::vector<Slot> slot;
  std::uint64_t arena_bytes = 0;
};

class Planner {
 public:
  Planner(const Unit& unit, Schedule schedule)
      : unit_(unit),
        graph_(unit.graph),
        times_(std::move(schedule.times)),
        passes_lines_(std::move(schedule.passes_lines)),
        storage_of_(graph_.value_count(), none),
        last_use_(graph_.value_count()),
        overread_(graph_.value_count(), false),
        output_of_(graph_.value_count(), none) {
    result_.order = std::move(schedule.order);
  }

  /// Nullopt when sizes overflow.
  std::optional<Placement> run() {
    find_uses();
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i) {
      const Value& value = graph_.value({i});
      if (value.kind == Value::Kind::result) continue;
      storage_of_[i] = std::uint32_t(storages_.size());
      const ValueId constant = graph_.is_constant({i}) ? ValueId{i} : ValueId{};
      storages_.push_back({byte_length(value.descriptor), 0, last_use_[i], true, none, false, false, constant});
    }
    for (std::size_t i = 0; i < result_.order.size(); ++i) place_results(i);
    if (!fill_slots()) return std::nullopt;
    return std::move(result_);
  }

 private:
  const OperandDescriptor& descriptor(ValueId id) const { return graph_.value(id).descriptor; }
  Storage& storage(ValueId id) { return storages_[storage_of_[id.index]]; }
  Layout layout(ValueId id) const { return layout_of(unit_.plan, id); }

  void find_uses() {
    for (std::size_t place = 0; place < result_.order.size(); ++place) {
      const NodeId id = result_.order[place];
      const std::vector<ValueId>& inputs = graph_.node(id).inputs;
      for (ValueId input : inputs)
        if (input.valid()) last_use_[input.index].add({times_[place], id});
      const std::uint8_t overreads = row(unit_.plan.kernel[id.index]).overreads;
      for (std::size_t i = 0; i < inputs.size() && i < 8; ++i)
        if (inputs[i].valid() && ((overreads >> i) & 1u)) overread_[inputs[i].index] = true;
    }
    for (std::uint32_t i = 0; i < graph_.outputs().size(); ++i) output_of_[graph_.outputs()[i].value.index] = i;
  }

  /// Of the node at a place in the order.
  void place_results(std::size_t at) {
    const std::uint32_t time = times_[at];
    const NodeId id = result_.order[at];
    const Node& node = graph_.node(id);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId result = node.outputs[i];
      std::uint32_t place = none;
      if (shows_operand(id)) {
        place = storage_of_[node.inputs[0].index];
      } else if (i == 0) {
        place = in_place(time, id);
      }
      if (place == none) {
        place = std::uint32_t(storages_.size());
        storages_.push_back(
            {byte_length(descriptor(result)), time, {time, {}}, false, none, false, bool(passes_lines_[at]), {}});
      }
      storage_of_[result.index] = place;
      storages_[place].last_use.add(last_use_[result.index]);
      if (output_of_[result.index] != none) storages_[place].output = output_of_[result.index];
      storages_[place].overread = storages_[place].overread || overread_[result.index];
    }
  }

  /// Whether the node's result can be a view of its operand. The caller's memory is never shared.
  bool shows_operand(NodeId id) {
    if (!is_view(unit_, id)) return false;
    const Node& node = graph_.node(id);
    const Storage& source = storage(node.inputs[0]);
    const ValueId result = node.outputs[0];
    const bool fixed = source.fixed || source.output != none, is_output = output_of_[result.index] != none;
    const bool overread = source.overread || overread_[result.index];
    return overread ? !fixed && !is_output : !fixed || !is_output;
  }

  /// The storage of an operand that dies here and that the kernel may overwrite with output 0, or `none`.
  std::uint32_t in_place(std::uint32_t time, NodeId id) {
    const Node& node = graph_.node(id);
    const std::uint8_t allowed = row(unit_.plan.kernel[id.index]).in_place;
    const ValueId result = node.outputs[0];
    const auto fits = [&](std::size_t operand) {
      const ValueId input = node.inputs[operand];
      return operand < 8 && ((allowed >> operand) & 1u) && layout(input) == layout(result) &&
             bits_of(descriptor(input).type) == bits_of(descriptor(result).type) &&
             byte_length(descriptor(input)) == byte_length(descriptor(result));
    };
    if (allowed == 0) return none;
    // Rows speak of the first 8 operands; a concat has thousands, each of which would be compared with all.
    for (const ValueId candidate : std::span(node.inputs).first(std::min<std::size_t>(node.inputs.size(), 8))) {
      if (!candidate.valid()) continue;
      const Storage& place = storage(candidate);
      if (place.fixed || place.output != none || place.last_use.time != time || place.last_use.by_several) continue;
      if (place.overread && output_of_[result.index] != none) continue;
      bool all_fit = true;  // every operand in this storage
      for (std::size_t operand = 0; operand < node.inputs.size(); ++operand)
        if (node.inputs[operand].valid() && storage_of_[node.inputs[operand].index] == storage_of_[candidate.index])
          all_fit = all_fit && fits(operand);
      if (all_fit) return storage_of_[candidate.index];
    }
    return none;
  }

  bool fill_slots() {
    std::vector<MemoryItem> items;
    std::vector<std::uint32_t> item_of(storages_.size(), none);
    for (std::uint32_t i = 0; i < storages_.size(); ++i) {
      if (storages_[i].fixed || storages_[i].lines || storages_[i].output != none) continue;
      item_of[i] = std::uint32_t(items.size());
      items.push_back({storages_[i].bytes, storages_[i].first_time, storages_[i].last_use.time});
    }
    const std::optional<MemoryPlan> plan = place_items(items);
    if (!plan) return false;
    result_.arena_bytes = plan->arena_bytes;

    std::vector<Slot> slots(storages_.size());
    for (std::uint32_t i = 0; i < storages_.size(); ++i) {
      const Storage& storage = storages_[i];
      if (storage.output != none) {
        slots[i] = {Slot::Kind::output, storage.output, 0, storage.bytes};
      } else if (storage.lines) {
        slots[i] = {Slot::Kind::lines, 0, 0, storage.bytes};
      } else if (!storage.fixed) {
        slots[i] = {Slot::Kind::arena, 0, plan->offsets[item_of[i]], storage.bytes};
      }
    }
    for (std::uint32_t i = 0; i < graph_.inputs().size(); ++i)
      slots[storage_of_[graph_.inputs()[i].index]] = {Slot::Kind::input, i, 0, storage(graph_.inputs()[i]).bytes};
    number_constants(slots);
    result_.slot.assign(graph_.value_count(), Slot{});
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i)
      if (storage_of_[i] != none) result_.slot[i] = slots[storage_of_[i]];
    return true;
  }

  /// Numbers the constants that steps read, in the order of their first use; other constants get no slot. Constants
  /// with the same memory (a folded reshape) share a number.
  void number_constants(std::vector<Slot>& slots) {
    std::map<std::pair<const std::byte*, std::size_t>, std::uint32_t> numbers;
    for (NodeId id : result_.order) {
      const Node& node = graph_.node(id);
      if (is_view(unit_, id) && storage_of_[node.outputs[0].index] == storage_of_[node.inputs[0].index]) continue;
      for (ValueId input : node.inputs) {
        if (!input.valid()) continue;
        const std::uint32_t place = storage_of_[input.index];
        const ValueId constant = storages_[place].constant;
        if (constant.valid() && slots[place].kind == Slot::Kind::none) {
          const bool packed = layout(constant) == Layout::private_form;
          const Bytes& data = packed ? unit_.plan.packed[constant.index].bytes : graph_.value(constant).data;
          const auto number =
              numbers.try_emplace({data.data(), data.size()}, std::uint32_t(numbers.size())).first->second;
          slots[place] = {Slot::Kind::constant, number, 0, data.size()};
        }
      }
    }
  }

  const Unit& unit_;
  const Graph& graph_;
  std::vector<std::uint32_t> times_;  // by place in the order
  std::vector<bool> passes_lines_;    // by place in the order
  Placement result_;
  std::vector<Storage> storages_;
  std::vector<std::uint32_t> storage_of_;  // by value
  std::vector<LastUse> last_use_;          // by value
  std::vector<bool> overread_;             // by value: some kernel reads past its end
  std::vector<std::uint32_t> output_of_;   // by value: graph output
};

}  // namespace

namespace {

void keep_smaller(std::optional<Placement>& best, std::optional<Placement> other) {
  if (other && (!best || other->arena_bytes < best->arena_bytes)) best = std::move(other);
}

}  // namespace

void plan_memory(Unit& unit) {
  std::optional<Placement> best = Planner(unit, one_by_one(unit.graph.order())).run();
  if (!best) {
    unit.diagnostics.error(Code::limit_exceeded, {}, "the sizes of the graph's values together overflow 63 bits");
    return;
  }
  std::vector<NodeId> by_demand;
  if (best->arena_bytes != 0) {
    by_demand = demand_order(unit.graph);
    keep_smaller(best, Planner(unit, one_by_one(by_demand)).run());
  }
  std::optional<Placement> together;  // of nodes that run at the same time
  std::uint64_t most_bytes = best->arena_bytes;
  if (row(unit.options.target.device).overlaps_steps) {
    for (const Pace pace : {Pace::early, Pace::late}) keep_smaller(together, Planner(unit, by_depth(unit, pace)).run());
    most_bytes = std::max(always_allowed_bytes, best->arena_bytes * most_growth);
  } else if (best->arena_bytes >= unit.options.least_bytes_of_lines) {
    for (const std::vector<NodeId>& order : {unit.graph.order(), by_demand})
      keep_smaller(together, Planner(unit, in_bands(unit, order)).run());
  }
  if (together && together->arena_bytes <= most_bytes) best = std::move(together);
  unit.plan.order = std::move(best->order);
  unit.plan.slot = std::move(best->slot);
  unit.plan.arena_bytes = best->arena_bytes;
}

}  // namespace webnn::compiler
