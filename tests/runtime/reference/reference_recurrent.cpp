// The reference kernels of gru, gruCell, lstm and lstmCell, against the formulas of the specification written for one
// unit at a time.
#include <cmath>
#include <functional>
#include <map>

#include "tests/harness/run_operator.hpp"

namespace reference_recurrent_test {

using namespace webnn::tests;

namespace {

using Reals = std::vector<double>;

TestTensor some_numbers(const Shape& shape, int seed) {
  Numbers elements;
  unsigned state = unsigned(seed);
  for (std::size_t i = 0; i < element_count(shape); ++i) {
    state = state * 1664525u + 1013904223u;
    elements.push_back(Number((double(state >> 24) - 128) / 128));
  }
  return tensor(DataType::float32, shape, elements);
}

Reals reals(const std::optional<TestTensor>& tensor, std::size_t count) {
  Reals result;
  if (tensor)
    for (const Number& number : numbers(*tensor)) result.push_back(number.as_double());
  result.resize(count);
  return result;
}

double activate(const std::string& name, double x) {
  if (name == "relu") return std::max(x, 0.0);
  return name == "tanh" ? std::tanh(x) : 1 / (1 + std::exp(-x));
}

constexpr std::uint32_t steps = 3, batches = 2, inputs = 3, hidden = 2;

/// The operands of a network, one direction behind the other.
struct Network {
  std::uint32_t gates, directions = 1;
  std::string layout, direction = "forward";
  TextList activations;
  std::optional<TestTensor> input, weight, recurrent_weight, bias, recurrent_bias, peephole, initial_hidden,
      initial_cell;

  Network(std::string gate_layout, TextList functions, std::uint32_t direction_count = 1)
      : gates(std::uint32_t(gate_layout.size())),
        directions(direction_count),
        layout(std::move(gate_layout)),
        activations(std::move(functions)) {
    input = some_numbers({steps, batches, inputs}, 1);
    weight = some_numbers({directions, gates * hidden, inputs}, 2);
    recurrent_weight = some_numbers({directions, gates * hidden, hidden}, 3);
  }
  void add_biases() {
    bias = some_numbers({directions, gates * hidden}, 4);
    recurrent_bias = some_numbers({directions, gates * hidden}, 5);
  }
  void add_states() {
    initial_hidden = some_numbers({directions, batches, hidden}, 6);
    initial_cell = some_numbers({directions, batches, hidden}, 7);
  }
};

/// What the formulas of one direction and one batch see.
struct Unit {
  const Network& network;
  std::size_t direction;
  Reals weight, recurrent_weight, bias, recurrent_bias;

  Unit(const Network& n, std::size_t d) : network(n), direction(d) {
    const std::size_t rows = n.directions * n.gates * hidden;
    weight = reals(n.weight, rows * inputs);
    recurrent_weight = reals(n.recurrent_weight, rows * hidden);
    bias = reals(n.bias, rows);
    recurrent_bias = reals(n.recurrent_bias, rows);
  }
  std::size_t row(char gate, std::size_t unit) const {
    return (direction * network.gates + network.layout.find(gate)) * hidden + unit;
  }
  double from_input(char gate, std::size_t unit, const Reals& x) const {
    double sum = bias[row(gate, unit)];
    for (std::size_t i = 0; i < inputs; ++i) sum += weight[row(gate, unit) * inputs + i] * x[i];
    return sum;
  }
  double from_hidden(char gate, std::size_t unit, const Reals& h) const {
    double sum = recurrent_bias[row(gate, unit)];
    for (std::size_t i = 0; i < hidden; ++i) sum += recurrent_weight[row(gate, unit) * hidden + i] * h[i];
    return sum;
  }
};

struct State {
  Reals h, c;
};
using Cell = std::function<State(const Unit&, const Reals& x, const State&)>;

/// The cell applied along the sequence: hidden, cell and sequence outputs in the operators' shapes.
struct Expected {
  Reals hidden_state, cell_state, sequence;
};
Expected run_network(const Network& network, const Cell& cell) {
  const Reals x = reals(network.input, steps * batches * inputs);
  const std::size_t states = network.directions * batches * hidden;
  Expected result{reals(network.initial_hidden, states), reals(network.initial_cell, states), Reals(steps * states)};
  for (std::size_t direction = 0; direction < network.directions; ++direction) {
    const Unit unit(network, direction);
    for (std::size_t batch = 0; batch < batches; ++batch) {
      const auto first = std::ptrdiff_t((direction * batches + batch) * hidden);
      const auto part = [&](Reals& all) { return Reals(all.begin() + first, all.begin() + first + hidden); };
      State state{part(result.hidden_state), part(result.cell_state)};
      for (std::size_t step = 0; step < steps; ++step) {
        const std::size_t time = direction == 1 || network.direction == "backward" ? steps - 1 - step : step;
        const auto from = x.begin() + std::ptrdiff_t((time * batches + batch) * inputs);
        state = cell(unit, Reals(from, from + inputs), state);
        std::copy(state.h.begin(), state.h.end(), result.sequence.begin() + std::ptrdiff_t(time * states) + first);
      }
      std::copy(state.h.begin(), state.h.end(), result.hidden_state.begin() + first);
      std::copy(state.c.begin(), state.c.end(), result.cell_state.begin() + first);
    }
  }
  return result;
}

Cell gru_cell(bool reset_after) {
  return [=](const Unit& unit, const Reals& x, const State& old) {
    const TextList& f = unit.network.activations;
    Reals z(hidden), r(hidden), reset(hidden);
    for (std::size_t u = 0; u < hidden; ++u) {
      z[u] = activate(f[0], unit.from_input('z', u, x) + unit.from_hidden('z', u, old.h));
      r[u] = activate(f[0], unit.from_input('r', u, x) + unit.from_hidden('r', u, old.h));
      reset[u] = r[u] * old.h[u];
    }
    State next = old;
    for (std::size_t u = 0; u < hidden; ++u) {
      const double recurrent = reset_after ? r[u] * unit.from_hidden('n', u, old.h) : unit.from_hidden('n', u, reset);
      next.h[u] = z[u] * old.h[u] + (1 - z[u]) * activate(f[1], unit.from_input('n', u, x) + recurrent);
    }
    return next;
  };
}

State lstm_cell(const Unit& unit, const Reals& x, const State& old) {
  const TextList& f = unit.network.activations;
  const Reals peephole = reals(unit.network.peephole, unit.network.directions * 3 * hidden);
  State next = old;
  for (std::size_t u = 0; u < hidden; ++u) {
    const auto sum = [&](char gate) { return unit.from_input(gate, u, x) + unit.from_hidden(gate, u, old.h); };
    const auto peep = [&](std::size_t gate) { return peephole[(unit.direction * 3 + gate) * hidden + u] * old.c[u]; };
    const double i = activate(f[0], sum('i') + peep(0));
    const double o = activate(f[0], sum('o') + peep(1));
    const double forget = activate(f[0], sum('f') + peep(2));
    next.c[u] = forget * old.c[u] + i * activate(f[1], sum('g'));
    next.h[u] = o * activate(f[2], next.c[u]);
  }
  return next;
}

void check_near(const TestTensor& actual, const Reals& expected) {
  const Numbers elements = numbers(actual);
  REQUIRE(elements.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(elements[i].as_double() == doctest::Approx(expected[i]).epsilon(1e-6));
}

void check_gru(const Network& n, bool reset_after) {
  const std::vector<TestTensor> outputs =
      run_operator("gru", {n.input, n.weight, n.recurrent_weight, n.bias, n.recurrent_bias, n.initial_hidden},
                   {{"steps", int(steps)},
                    {"hiddenSize", int(hidden)},
                    {"resetAfter", reset_after},
                    {"returnSequence", true},
                    {"direction", n.direction.c_str()},
                    {"layout", n.layout.c_str()},
                    {"activations", n.activations}});
  REQUIRE(outputs.size() == 2);
  CHECK(outputs[0].descriptor.shape == Shape{n.directions, batches, hidden});
  CHECK(outputs[1].descriptor.shape == Shape{steps, n.directions, batches, hidden});
  const Expected expected = run_network(n, gru_cell(reset_after));
  check_near(outputs[0], expected.hidden_state);
  check_near(outputs[1], expected.sequence);
}

void check_lstm(const Network& n) {
  const std::vector<TestTensor> outputs = run_operator(
      "lstm",
      {n.input, n.weight, n.recurrent_weight, n.bias, n.recurrent_bias, n.peephole, n.initial_hidden, n.initial_cell},
      {{"steps", int(steps)},
       {"hiddenSize", int(hidden)},
       {"returnSequence", true},
       {"direction", n.direction.c_str()},
       {"layout", n.layout.c_str()},
       {"activations", n.activations}});
  REQUIRE(outputs.size() == 3);
  CHECK(outputs[2].descriptor.shape == Shape{steps, n.directions, batches, hidden});
  const Expected expected = run_network(n, lstm_cell);
  check_near(outputs[0], expected.hidden_state);
  check_near(outputs[1], expected.cell_state);
  check_near(outputs[2], expected.sequence);
}

TestTensor first_direction(const std::optional<TestTensor>& tensor) {
  TestTensor result = *tensor;
  result.descriptor.shape = Shape(result.descriptor.shape.sizes().subspan(1));
  return result;
}

}  // namespace

TEST_CASE("reference gru: every layout, both places of the reset gate, with and without optional operands") {
  for (const char* layout : {"zrn", "rzn"})
    for (const bool reset_after : {false, true}) {
      Network network(layout, {"sigmoid", "tanh"});
      check_gru(network, reset_after);
      network.add_biases();
      check_gru(network, reset_after);
      network.add_states();
      check_gru(network, reset_after);
    }
}

TEST_CASE("reference gru: every direction") {
  for (const char* direction : {"forward", "backward", "both"}) {
    Network network("zrn", {"sigmoid", "tanh"}, std::string(direction) == "both" ? 2 : 1);
    network.direction = direction;
    network.add_biases();
    network.add_states();
    check_gru(network, true);
  }
}

TEST_CASE("reference gru: every pair of activations") {
  for (const char* gate : {"relu", "sigmoid", "tanh"})
    for (const char* candidate : {"relu", "sigmoid", "tanh"}) {
      Network network("rzn", {gate, candidate});
      network.add_biases();
      network.add_states();
      check_gru(network, false);
    }
}

TEST_CASE("reference lstm: both layouts, with and without optional operands") {
  for (const char* layout : {"iofg", "ifgo"}) {
    Network network(layout, {"sigmoid", "tanh", "tanh"});
    check_lstm(network);
    network.add_biases();
    check_lstm(network);
    network.add_states();
    check_lstm(network);
    network.peephole = some_numbers({1, 3 * hidden}, 8);
    check_lstm(network);
  }
}

TEST_CASE("reference lstm: every direction, with peepholes on the previous cell state") {
  for (const char* direction : {"forward", "backward", "both"}) {
    Network network("iofg", {"sigmoid", "tanh", "tanh"}, std::string(direction) == "both" ? 2 : 1);
    network.direction = direction;
    network.add_biases();
    network.add_states();
    network.peephole = some_numbers({network.directions, 3 * hidden}, 8);
    check_lstm(network);
  }
}

TEST_CASE("reference lstm: activations of gates, cell gate and output") {
  for (const TextList& activations : {TextList{"relu", "sigmoid", "tanh"}, TextList{"tanh", "relu", "sigmoid"},
                                      TextList{"sigmoid", "tanh", "relu"}}) {
    Network network("ifgo", activations);
    network.add_biases();
    network.add_states();
    check_lstm(network);
  }
}

TEST_CASE("reference gruCell and lstmCell: one step of the network") {
  const TestTensor one_step = some_numbers({1, batches, inputs}, 1);
  const NamedAttribute size{"hiddenSize", int(hidden)}, once{"steps", 1};
  Network gru("rzn", {"tanh", "sigmoid"}), lstm("ifgo", {"tanh", "sigmoid", "relu"});
  for (Network* network : {&gru, &lstm}) {
    network->add_biases();
    network->add_states();
  }
  lstm.peephole = some_numbers({1, 3 * hidden}, 8);

  const NamedAttribute gru_layout{"layout", "rzn"}, gru_functions{"activations", gru.activations};
  const TestTensor hidden_state = run_operator(
      "gru", {one_step, gru.weight, gru.recurrent_weight, gru.bias, gru.recurrent_bias, gru.initial_hidden},
      {once, size, gru_layout, gru_functions})[0];
  CHECK(run_operator(
            "gruCell",
            {first_direction(one_step), first_direction(gru.weight), first_direction(gru.recurrent_weight),
             first_direction(gru.initial_hidden), first_direction(gru.bias), first_direction(gru.recurrent_bias)},
            {size, gru_layout, gru_functions})[0] == first_direction(hidden_state));

  const NamedAttribute lstm_layout{"layout", "ifgo"}, lstm_functions{"activations", lstm.activations};
  const std::vector<TestTensor> states =
      run_operator("lstm",
                   {one_step, lstm.weight, lstm.recurrent_weight, lstm.bias, lstm.recurrent_bias, lstm.peephole,
                    lstm.initial_hidden, lstm.initial_cell},
                   {once, size, lstm_layout, lstm_functions});
  const std::vector<TestTensor> cell_states =
      run_operator("lstmCell",
                   {first_direction(one_step), first_direction(lstm.weight), first_direction(lstm.recurrent_weight),
                    first_direction(lstm.initial_hidden), first_direction(lstm.initial_cell),
                    first_direction(lstm.bias), first_direction(lstm.recurrent_bias), first_direction(lstm.peephole)},
                   {size, lstm_layout, lstm_functions});
  CHECK(cell_states[0] == first_direction(states[0]));
  CHECK(cell_states[1] == first_direction(states[1]));
}

TEST_CASE("reference lstm: the state is rounded at the outputs only") {
  // relu makes the state grow by 1 in each step from 2048 on, which float16 cannot hold: c = 2048, then +1 +1 +1.
  const auto half = [](const Shape& shape, const Numbers& elements) {
    return tensor(DataType::float16, shape, elements);
  };
  // Gates i, o, f, g have the inputs 1, 1, 1, 1 from the bias; nothing else contributes.
  const std::vector<TestTensor> outputs =
      run_operator("lstm",
                   {half({2, 1, 1}, {0, 0}), half({1, 4, 1}, {0, 0, 0, 0}), half({1, 4, 1}, {0, 0, 0, 0}),
                    half({1, 4}, {1, 1, 1, 1}), std::nullopt, std::nullopt, std::nullopt, half({1, 1, 1}, {2048})},
                   {{"steps", 2}, {"hiddenSize", 1}, {"activations", TextList{"relu", "relu", "relu"}}});
  CHECK(numbers(outputs[1]) == Numbers{2050.0});
}

}  // namespace reference_recurrent_test
