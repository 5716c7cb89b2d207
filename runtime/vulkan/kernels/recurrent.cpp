// lstm, gru and their cells: one or two dispatches for each time step of each direction. The state stays float32 in
// scratch memory and is rounded where it is a result.
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

std::uint32_t activation(std::string_view name) { return name == "relu" ? 0 : name == "sigmoid" ? 1 : 2; }

/// A cell is a network with one time step and one direction.
struct Network {
  const KernelSpec& spec;
  const OperatorCall& call;
  std::uint32_t steps = 1, directions = 1, batches, inputs, hidden;
  bool backward = false;
  std::uint64_t state;  // elements of the state of one direction

  Network(const KernelSpec& kernel, const OperatorCall& operator_call) : spec(kernel), call(operator_call) {
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
  std::uint64_t state_bytes() const { return (state * sizeof(float) + 63) / 64 * 64; }
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

  /// The operands that the dispatches of both kinds of networks begin with.
  void add_operands(DispatchMaker& maker) const {
    for (const std::string_view name : {"input", "weight", "recurrentWeight", "bias", "recurrentBias"})
      maker.input(spec, operand(name));
  }
  /// The results that a time step writes: its element of the sequence, and with the last time step the final state.
  /// Time steps write different elements, and each runs after the one before it.
  void add_results(DispatchMaker& maker, std::size_t sequence, std::size_t states, bool is_last) const {
    const KernelSpec none{};
    maker.output(spec, sequence);
    for (std::size_t i = 0; i < states; ++i) maker.output(is_last ? spec : none, i);
  }
  /// The words batches, inputs, hidden, and the offsets of a direction's weights and biases.
  void add_sizes(DispatchMaker& maker, std::uint32_t direction, std::uint32_t step, std::uint32_t gates) const {
    maker.word(batches).word(inputs).word(hidden);
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
  DispatchMaker maker(shaders::lstm(), {code(network.call.operand(0).type), activation(activations[0]),
                                        activation(activations[1]), activation(activations[2])});
  const States states{network};
  const std::uint32_t old = step % 2, next = 1 - old;
  const std::uint32_t first = direction * 4;
  network.add_operands(maker);
  maker.input(network.spec, network.operand("peepholeWeight"));
  states.read(maker, first + old);
  states.read(maker, first + 2 + old);
  states.write(maker, first + next);
  states.write(maker, first + 2 + next);
  network.add_results(maker, 2, 2, step + 1 == network.steps);
  network.add_sizes(maker, direction, step, 4);
  maker.word(std::uint64_t(direction) * 3 * network.hidden)
      .word(network.sequence_start(direction, step))
      .word(direction * network.state);
  for (const char letter : {'i', 'o', 'f', 'g'}) maker.word(network.gate(letter));
  maker.turns(4 * (std::uint64_t(network.inputs) + network.hidden));
  return maker.over(network.state);
}

enum class Pass : std::uint32_t { reset_after, reset, after_reset };

Dispatch gru_step(const Network& network, std::uint32_t direction, std::uint32_t step, Pass pass) {
  const auto activations = network.call.text_list("activations");
  DispatchMaker maker(shaders::gru(), {code(network.call.operand(0).type), activation(activations[0]),
                                       activation(activations[1]), 0, std::uint32_t(pass)});
  const States states{network};
  const std::uint32_t old = step % 2, first = direction * 3;
  const bool is_reset = pass == Pass::reset;
  network.add_operands(maker);
  states.read(maker, first + old);
  states.write(maker, first + 1 - old);
  is_reset ? states.write(maker, first + 2) : states.read(maker, first + 2);
  network.add_results(maker, is_reset ? network.spec.outputs.size() : 1, 1, step + 1 == network.steps && !is_reset);
  network.add_sizes(maker, direction, step, 3);
  maker.word(network.sequence_start(direction, step)).word(direction * network.state);
  for (const char letter : {'z', 'r', 'n'}) maker.word(network.gate(letter));
  maker.turns(3 * (std::uint64_t(network.inputs) + network.hidden));
  return maker.over(network.state);
}

}  // namespace

Dispatches dispatch_lstm(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Network network(spec, call);
  const States states{network};
  Dispatches list;
  list.scratch_bytes = states.offset(4 * network.directions);
  for (std::uint32_t direction = 0; direction < network.directions; ++direction) {
    list.dispatches.push_back(network.initial(network.is_cell() ? "hiddenState" : "initialHiddenState", direction,
                                              states.offset(direction * 4)));
    list.dispatches.push_back(network.initial(network.is_cell() ? "cellState" : "initialCellState", direction,
                                              states.offset(direction * 4 + 2)));
  }
  for (std::uint32_t step = 0; step < network.steps; ++step)
    for (std::uint32_t direction = 0; direction < network.directions; ++direction)
      list.dispatches.push_back(lstm_step(network, direction, step));
  return list;
}

Dispatches dispatch_gru(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Network network(spec, call);
  const States states{network};
  Dispatches list;
  list.scratch_bytes = states.offset(3 * network.directions);
  for (std::uint32_t direction = 0; direction < network.directions; ++direction)
    list.dispatches.push_back(network.initial(network.is_cell() ? "hiddenState" : "initialHiddenState", direction,
                                              states.offset(direction * 3)));
  const bool reset_after = call.boolean("resetAfter");
  for (std::uint32_t step = 0; step < network.steps; ++step) {
    const auto pass = [&](Pass which) {
      for (std::uint32_t direction = 0; direction < network.directions; ++direction)
        list.dispatches.push_back(gru_step(network, direction, step, which));
    };
    if (!reset_after) pass(Pass::reset);
    pass(reset_after ? Pass::reset_after : Pass::after_reset);
  }
  return list;
}

constexpr GpuKernel recurrent_list[] = {
    {.row = {.name = "gru", .op = "gru"}, .dispatches = dispatch_gru},
    {.row = {.name = "gruCell", .op = "gruCell"}, .dispatches = dispatch_gru},
    {.row = {.name = "lstm", .op = "lstm"}, .dispatches = dispatch_lstm},
    {.row = {.name = "lstmCell", .op = "lstmCell"}, .dispatches = dispatch_lstm},
};
extern constexpr GpuKernels recurrent_kernels(recurrent_list);

}  // namespace webnn::runtime::vulkan
