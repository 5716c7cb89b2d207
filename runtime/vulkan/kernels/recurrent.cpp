// lstm, gru and their cells: one or two dispatches for each time step of each direction. The state stays float32 in
// scratch memory and is rounded where it is a result. Rows *.hoisted compute the products with the inputs of many time
// steps in one dispatch before, so that a time step only multiplies the state, each unit by several lanes.
#include <algorithm>
#include <memory>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/estimates.hpp"
#include "runtime/vulkan/kernels/groups/row_groups.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {
namespace {

std::uint32_t activation(std::string_view name) { return name == "relu" ? 0 : name == "sigmoid" ? 1 : 2; }

/// A cell is a network with one time step and one direction.
struct Network {
  const KernelSpec& spec;
  const SpecCall call;
  std::uint32_t steps = 1, directions = 1, batches, inputs, hidden;
  bool backward = false;
  std::uint32_t gates;
  std::uint64_t state;  // elements of the state of one direction

  // Of hoisted networks:
  bool hoists;
  std::uint64_t hoisted_start =
      0;  // in scratch memory: for each direction, the inputs' contributions to a block of steps
  std::uint32_t block_steps = 0;

  Network(const KernelSpec& kernel, std::uint32_t gate_count, bool is_hoisted)
      : spec(kernel), call(kernel), gates(gate_count), hoists(is_hoisted) {
    const Shape& input = call.shape(0);
    batches = input[input.rank() - 2];
    inputs = input[input.rank() - 1];
    hidden = call.u32("hiddenSize");
    state = std::uint64_t(batches) * hidden;
    if (input.rank() == 3) {
      steps = input[0];
      directions = call.shape(1)[0];
      backward = call.text("direction") == "backward";
    }
  }

  bool is_cell() const { return call.shape(0).rank() == 2; }
  std::uint32_t time(std::uint32_t direction, std::uint32_t step) const {
    return backward || direction == 1 ? steps - 1 - step : step;
  }
  std::size_t operand(std::string_view name) const { return std::size_t(call.op().operand_index(name)); }
  std::uint64_t state_bytes() const { return round_up(state * sizeof(float), 64); }
  std::uint32_t gate(char letter) const { return std::uint32_t(call.text("layout").find(letter)); }

  /// Copies the initial state of a direction to scratch memory.
  Dispatch initial(std::string_view operand_name, std::uint32_t direction, std::uint64_t offset) const {
    return DispatchMaker(shaders::state(), {code(call.operand(0).type)})
        .input(spec, operand(operand_name))
        .scratch(offset, state * sizeof(float), false, true)
        .word(state)
        .word(direction * state)
        .over(state);
  }

  /// The contributions of the input to a time step of a direction, each a float32 and its rounding error.
  std::uint64_t contributions() const { return std::uint64_t(batches) * gates * hidden; }
  std::uint64_t block_bytes() const { return round_up(block_steps * contributions() * 2 * sizeof(float), 64); }
  std::uint64_t block_start(std::uint32_t direction) const { return hoisted_start + direction * block_bytes(); }
  /// Puts the blocks behind `bytes` of scratch memory; returns the bytes of all.
  std::uint64_t hoist_behind(std::uint64_t bytes) {
    constexpr std::uint64_t most_bytes = 16 << 20;
    if (!hoists) return bytes;
    hoisted_start = bytes;
    block_steps =
        std::uint32_t(std::clamp<std::uint64_t>(most_bytes / (contributions() * 2 * sizeof(float)), 1, steps));
    return bytes + directions * block_bytes();
  }
  /// The first point in time of a block of steps, in the order of the input.
  std::uint32_t block_time(std::uint32_t direction, std::uint32_t first) const {
    const std::uint32_t last = std::min(first + block_steps, steps) - 1;
    return std::min(time(direction, first), time(direction, last));
  }

  /// The products with the inputs of a block of steps; one dispatch.
  Dispatch input_block(std::uint32_t direction, std::uint32_t first) const {
    constexpr std::uint32_t tokens_together = 4;  // as in the shader
    const std::uint64_t tokens = std::uint64_t(std::min(block_steps, steps - first)) * batches;
    const std::uint64_t blocks = div_up(tokens, tokens_together), units = gates * hidden;
    const DataType type = call.operand(0).type;
    const RowGroups plan = RowGroups::whole({units * blocks, inputs, 1}, type, lane_fours);
    DispatchMaker maker(shaders::recurrent_input(), {code(type)}, row_group);
    plan.specialize(maker);
    maker.input(spec, operand("input")).input(spec, operand("weight")).input(spec, operand("bias"));
    maker.scratch(block_start(direction), block_bytes(), false, true);
    maker.word(tokens).word(inputs).word(units);
    maker.word(std::uint64_t(block_time(direction, first)) * batches * inputs);
    maker.word(direction * units * inputs).word(direction * units);
    maker.turns(plan.turns() * 5).work(tokens * units * inputs);
    return maker.over_groups(plan.blocks());
  }

  static constexpr std::uint64_t lane_fours = 2;
  /// How the lanes of a time step share the products with the hidden state.
  RowGroups step_plan() const { return RowGroups::whole({state, hidden, 1}, call.operand(0).type, lane_fours); }
  DispatchMaker step_maker(ShaderCode single, ShaderCode rows, std::initializer_list<std::uint32_t> constants) const {
    DispatchMaker maker(hoists ? rows : single, constants, hoists ? row_group : DispatchMaker::usual_group);
    if (hoists) step_plan().specialize(maker);
    return maker;
  }
  Dispatch over_units(DispatchMaker& maker) const {
    const std::uint64_t products = gates * (hoists ? hidden : std::uint64_t(inputs) + hidden);  // of a unit
    maker.work(state * products);
    if (hoists) return maker.turns(gates * 5 * step_plan().turns()).over_groups(step_plan().blocks());
    return maker.turns(products).over(state);
  }

  /// The operands that the dispatches of both kinds of networks begin with.
  void add_operands(DispatchMaker& maker, std::uint32_t direction) const {
    if (hoists)
      maker.scratch(block_start(direction), block_bytes(), true, false).absent();
    else
      maker.input(spec, operand("input")).input(spec, operand("weight"));
    maker.input(spec, operand("recurrentWeight"));
    hoists ? maker.absent() : maker.input(spec, operand("bias"));
    maker.input(spec, operand("recurrentBias"));
  }
  /// The results that a time step writes: its element of the sequence, and with the last time step the final state.
  /// Time steps write different elements, and each runs after the one before it.
  void add_results(DispatchMaker& maker, std::size_t sequence, std::size_t states, bool is_last) const {
    const KernelSpec none{};
    maker.output(spec, sequence);
    for (std::size_t i = 0; i < states; ++i) maker.output(is_last ? spec : none, i);
  }
  /// The words batches, inputs, hidden, and the offsets of a direction's weights and biases.
  void add_sizes(DispatchMaker& maker, std::uint32_t direction, std::uint32_t step) const {
    maker.word(batches).word(hoists ? gates * hidden : inputs).word(hidden);
    if (hoists)
      maker.word((time(direction, step) - block_time(direction, step / block_steps * block_steps)) * contributions());
    else
      maker.word(std::uint64_t(time(direction, step)) * batches * inputs);
    maker.word(std::uint64_t(direction) * gates * hidden * inputs);
    maker.word(std::uint64_t(direction) * gates * hidden * hidden);
    maker.word(std::uint64_t(direction) * gates * hidden);
  }
  std::uint64_t sequence_start(std::uint32_t direction, std::uint32_t step) const {
    return (std::uint64_t(time(direction, step)) * directions + direction) * state;
  }
};

/// Scratch memory as an array of equally large states.
struct States {
  const Network& network;
  std::uint64_t offset(std::uint32_t index) const { return index * network.state_bytes(); }
  void read(DispatchMaker& maker, std::uint32_t index) const {
    maker.scratch(offset(index), network.state * sizeof(float), true, false);
  }
  void write(DispatchMaker& maker, std::uint32_t index) const {
    maker.scratch(offset(index), network.state * sizeof(float), false, true);
  }
};

Dispatch lstm_step(const Network& network, std::uint32_t direction, std::uint32_t step) {
  const auto activations = network.call.text_list("activations");
  DispatchMaker maker = network.step_maker(shaders::lstm(), shaders::row_lstm(),
                                           {code(network.call.operand(0).type), activation(activations[0]),
                                            activation(activations[1]), activation(activations[2])});
  const States states{network};
  const std::uint32_t old = step % 2, next = 1 - old;
  const std::uint32_t first = direction * 4;
  network.add_operands(maker, direction);
  maker.input(network.spec, network.operand("peepholeWeight"));
  states.read(maker, first + old);
  states.read(maker, first + 2 + old);
  states.write(maker, first + next);
  states.write(maker, first + 2 + next);
  network.add_results(maker, 2, 2, step + 1 == network.steps);
  network.add_sizes(maker, direction, step);
  maker.word(std::uint64_t(direction) * 3 * network.hidden)
      .word(network.sequence_start(direction, step))
      .word(direction * network.state);
  for (const char letter : {'i', 'o', 'f', 'g'}) maker.word(network.gate(letter));
  return network.over_units(maker);
}

using AddStep = void (*)(const Network& network, std::uint32_t step, DispatchList& to);

/// A round for each time step, with the products of the inputs before the first step of each block.
Rounds rounds_of(const std::shared_ptr<const Network>& network, AddStep add) {
  const auto append = [network, add](std::uint64_t number, DispatchList& to) {
    const auto step = std::uint32_t(number);
    const bool begins_block = network->hoists && step % network->block_steps == 0;
    for (std::uint32_t direction = 0; begins_block && direction < network->directions; ++direction)
      to.push_back(network->input_block(direction, step));
    add(*network, step, to);
  };
  return {network->steps, append};
}

enum class GruPass : std::uint32_t { reset_after, reset, after_reset };

Dispatch gru_step(const Network& network, std::uint32_t direction, std::uint32_t step, GruPass pass) {
  const auto activations = network.call.text_list("activations");
  DispatchMaker maker = network.step_maker(shaders::gru(), shaders::row_gru(),
                                           {code(network.call.operand(0).type), activation(activations[0]),
                                            activation(activations[1]), 0, std::uint32_t(pass)});
  const States states{network};
  const std::uint32_t old = step % 2, first = direction * 3;
  const bool is_reset = pass == GruPass::reset;
  network.add_operands(maker, direction);
  states.read(maker, first + old);
  states.write(maker, first + 1 - old);
  is_reset ? states.write(maker, first + 2) : states.read(maker, first + 2);
  network.add_results(maker, is_reset ? network.spec.outputs.size() : 1, 1, step + 1 == network.steps && !is_reset);
  network.add_sizes(maker, direction, step);
  maker.word(network.sequence_start(direction, step)).word(direction * network.state);
  for (const char letter : {'z', 'r', 'n'}) maker.word(network.gate(letter));
  return network.over_units(maker);
}

}  // namespace

template <bool hoists>
Dispatches dispatch_lstm(const KernelSpec& spec) {
  const auto network = std::make_shared<Network>(spec, 4, hoists);
  const States states{*network};
  Dispatches list;
  list.scratch_bytes = network->hoist_behind(states.offset(4 * network->directions));
  for (std::uint32_t direction = 0; direction < network->directions; ++direction) {
    list.dispatches.push_back(network->initial(network->is_cell() ? "hiddenState" : "initialHiddenState", direction,
                                               states.offset(direction * 4)));
    list.dispatches.push_back(network->initial(network->is_cell() ? "cellState" : "initialCellState", direction,
                                               states.offset(direction * 4 + 2)));
  }
  list.rounds = rounds_of(network, [](const Network& of, std::uint32_t step, DispatchList& to) {
    for (std::uint32_t direction = 0; direction < of.directions; ++direction)
      to.push_back(lstm_step(of, direction, step));
  });
  return list;
}

template <bool hoists>
Dispatches dispatch_gru(const KernelSpec& spec) {
  const auto network = std::make_shared<Network>(spec, 3, hoists);
  const States states{*network};
  Dispatches list;
  list.scratch_bytes = network->hoist_behind(states.offset(3 * network->directions));
  for (std::uint32_t direction = 0; direction < network->directions; ++direction)
    list.dispatches.push_back(network->initial(network->is_cell() ? "hiddenState" : "initialHiddenState", direction,
                                               states.offset(direction * 3)));
  list.rounds = rounds_of(network, [](const Network& of, std::uint32_t step, DispatchList& to) {
    const auto pass = [&](GruPass which) {
      for (std::uint32_t direction = 0; direction < of.directions; ++direction)
        to.push_back(gru_step(of, direction, step, which));
    };
    const bool reset_after = of.call.boolean("resetAfter");
    if (!reset_after) pass(GruPass::reset);
    pass(reset_after ? GruPass::reset_after : GruPass::after_reset);
  });
  return list;
}

consteval KernelRow recurrent_row(std::string_view name) { return {.name = name, .op = name}; }
consteval KernelRow hoisted_row(std::string_view name) {
  return {.name = name, .op = name.substr(0, name.find('.')), .factor = 0.5, .scale = groups_on_target};
}

constexpr GpuKernel recurrent_list[] = {
    {.row = hoisted_row("gru.hoisted"), .dispatches = dispatch_gru<true>},
    {.row = hoisted_row("gruCell.hoisted"), .dispatches = dispatch_gru<true>},
    {.row = hoisted_row("lstm.hoisted"), .dispatches = dispatch_lstm<true>},
    {.row = hoisted_row("lstmCell.hoisted"), .dispatches = dispatch_lstm<true>},
    {.row = recurrent_row("gru"), .dispatches = dispatch_gru<false>},
    {.row = recurrent_row("gruCell"), .dispatches = dispatch_gru<false>},
    {.row = recurrent_row("lstm"), .dispatches = dispatch_lstm<false>},
    {.row = recurrent_row("lstmCell"), .dispatches = dispatch_lstm<false>},
};
extern constexpr GpuKernels recurrent_kernels(recurrent_list);

}  // namespace webnn::runtime::vulkan
