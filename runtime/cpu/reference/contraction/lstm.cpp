// lstm and lstmCell. i, o and f are the input, the output and the forget gate, g the cell gate, h the hidden state and
// c the cell state:
//   c' = f * c + i * g,  h' = o * filter(c')
// The peepholes of all three gates look at c, the state before this time step.
#include "runtime/cpu/reference/contraction/recurrent.hpp"

namespace webnn::runtime::reference {
namespace {

struct LstmCell {
  std::size_t i, o, f, g;  // positions of the gates in the weights
  Activation gate, candidate, filter;
};

LstmCell lstm_cell(const OperatorCall& call) {
  const std::string_view layout = call.text("layout");  // "iofg" or "ifgo"
  const auto activations = call.text_list("activations");
  return {layout.find('i'),
          layout.find('o'),
          layout.find('f'),
          layout.find('g'),
          activation_of(activations[0]),
          activation_of(activations[1]),
          activation_of(activations[2])};
}

/// The peephole weights of one direction; the attribute `layout` does not apply to them.
struct Peepholes {
  const double *i = nullptr, *o = nullptr, *f = nullptr;
  Peepholes() = default;
  Peepholes(const double* weights, std::size_t hidden) : i(weights), o(weights + hidden), f(weights + 2 * hidden) {}
  static double term(const double* weight, std::size_t unit, double c) { return weight ? weight[unit] * c : 0; }
};

/// One time step of one batch: updates `h` and `c` in place. `next` has room for one value per unit.
void step(const LstmCell& cell, const Gates& gates, const Peepholes& peepholes, std::size_t hidden, const double* x,
          double* h, double* c, double* next) {
  for (std::size_t unit = 0; unit < hidden; ++unit) {
    const double i = cell.gate(gates.sum(cell.i, unit, x, h) + Peepholes::term(peepholes.i, unit, c[unit]));
    const double o = cell.gate(gates.sum(cell.o, unit, x, h) + Peepholes::term(peepholes.o, unit, c[unit]));
    const double f = cell.gate(gates.sum(cell.f, unit, x, h) + Peepholes::term(peepholes.f, unit, c[unit]));
    const double g = cell.candidate(gates.sum(cell.g, unit, x, h));
    c[unit] = f * c[unit] + i * g;
    next[unit] = o * cell.filter(c[unit]);
  }
  std::copy_n(next, hidden, h);
}

template <typename T>
Kernel typed_lstm(const KernelSpec& spec, const OperatorCall& call, std::string_view hidden_state,
                  std::string_view cell_state) {
  const RecurrentSizes sizes = recurrent_sizes(call);
  const LstmCell cell = lstm_cell(call);
  DoubleArrays scratch;
  const GateOperands operands(call, sizes, 4, scratch);
  const UnpackedOperand peephole(call, "peepholeWeight", sizes.directions * 3 * sizes.hidden, scratch);
  const UnpackedOperand x(call, "input", sizes.steps * sizes.batches * sizes.inputs, scratch);
  const UnpackedOperand h(call, hidden_state, sizes.directions * sizes.state(), scratch);
  const UnpackedOperand c(call, cell_state, sizes.directions * sizes.state(), scratch);
  const auto next = scratch.add(sizes.hidden);
  const bool has_sequence = spec.outputs.size() == 3;

  const auto run = [=](const KernelArguments& arguments) {
    operands.fill<T>(arguments);
    for (const UnpackedOperand* operand : {&peephole, &x, &h, &c}) operand->fill<T>(arguments);
    for (std::size_t direction = 0; direction < sizes.directions; ++direction) {
      const Gates gates(operands, arguments, direction);
      const Peepholes peepholes = peephole.present()
                                      ? Peepholes(peephole.in(arguments) + direction * 3 * sizes.hidden, sizes.hidden)
                                      : Peepholes();
      double* hidden = h.in(arguments) + direction * sizes.state();
      double* cells = c.in(arguments) + direction * sizes.state();
      for (std::size_t n = 0; n < sizes.steps; ++n) {
        const std::size_t time = sizes.time(direction, n);
        for (std::size_t batch = 0; batch < sizes.batches; ++batch)
          step(cell, gates, peepholes, sizes.hidden, x.in(arguments) + (time * sizes.batches + batch) * sizes.inputs,
               hidden + batch * sizes.hidden, cells + batch * sizes.hidden, next.in(arguments));
        if (has_sequence)
          store_all(hidden, sizes.state(),
                    output<T>(arguments, 2) + (time * sizes.directions + direction) * sizes.state());
      }
    }
    store_all(h.in(arguments), sizes.directions * sizes.state(), output<T>(arguments, 0));
    store_all(c.in(arguments), sizes.directions * sizes.state(), output<T>(arguments, 1));
  };
  return {run, scratch.bytes()};
}

}  // namespace

Kernel prepare_lstm(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  return dispatch(FloatTypes{}, call.operand(0).type,
                  [&]<typename T>() { return typed_lstm<T>(spec, call, "initialHiddenState", "initialCellState"); });
}

Kernel prepare_lstm_cell(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  return dispatch(FloatTypes{}, call.operand(0).type,
                  [&]<typename T>() { return typed_lstm<T>(spec, call, "hiddenState", "cellState"); });
}

constexpr CpuKernel lstm_list[] = {
    {.row = {.name = "lstm", .op = "lstm"}, .prepare = prepare_lstm},
    {.row = {.name = "lstmCell", .op = "lstmCell"}, .prepare = prepare_lstm_cell},
};
extern constexpr CpuKernels lstm_kernels(lstm_list);

}  // namespace webnn::runtime::reference
