// gru and gruCell. z and r are the update and the reset gate, n is the new gate, h the hidden state:
//   h' = z * h + (1 - z) * n
#include "runtime/cpu/reference/contraction/recurrent.hpp"

namespace webnn::runtime::reference {
namespace {

struct GruCell {
  std::size_t z, r, n;  // positions of the gates in the weights
  bool reset_after;     // r acts on the product with n's recurrent weights, not on the hidden state before it
  Activation gate, candidate;
};

GruCell gru_cell(const OperatorCall& call) {
  const std::string_view layout = call.text("layout");  // "zrn" or "rzn"
  const auto activations = call.text_list("activations");
  return {layout.find('z'),
          layout.find('r'),
          layout.find('n'),
          call.boolean("resetAfter"),
          activation_of(activations[0]),
          activation_of(activations[1])};
}

/// Three arrays with one value per unit.
struct Workspace {
  double *z, *r, *n;
  Workspace(double* memory, std::size_t hidden) : z(memory), r(memory + hidden), n(memory + 2 * hidden) {}
};

/// One time step of one batch: updates `h` in place.
void step(const GruCell& cell, const Gates& gates, std::size_t hidden, const double* x, double* h, Workspace work) {
  for (std::size_t unit = 0; unit < hidden; ++unit) {
    work.z[unit] = cell.gate(gates.sum(cell.z, unit, x, h));
    work.r[unit] = cell.gate(gates.sum(cell.r, unit, x, h));
  }
  if (cell.reset_after) {
    for (std::size_t unit = 0; unit < hidden; ++unit)
      work.n[unit] =
          cell.candidate(gates.from_input(cell.n, unit, x) + work.r[unit] * gates.from_hidden(cell.n, unit, h));
  } else {
    double* reset = work.r;  // r * h replaces r
    for (std::size_t unit = 0; unit < hidden; ++unit) reset[unit] *= h[unit];
    for (std::size_t unit = 0; unit < hidden; ++unit) work.n[unit] = cell.candidate(gates.sum(cell.n, unit, x, reset));
  }
  for (std::size_t unit = 0; unit < hidden; ++unit)
    h[unit] = work.z[unit] * h[unit] + (1 - work.z[unit]) * work.n[unit];
}

template <typename T>
Kernel typed_gru(const KernelSpec& spec, const OperatorCall& call, std::string_view initial_state) {
  const RecurrentSizes sizes = recurrent_sizes(call);
  const GruCell cell = gru_cell(call);
  DoubleArrays scratch;
  const GateOperands operands(call, sizes, 3, scratch);
  const UnpackedOperand x(call, "input", sizes.steps * sizes.batches * sizes.inputs, scratch);
  const UnpackedOperand h(call, initial_state, sizes.directions * sizes.state(), scratch);
  const auto memory = scratch.add(3 * sizes.hidden);
  const bool has_sequence = spec.outputs.size() == 2;

  const auto run = [=](const KernelArguments& arguments) {
    operands.fill<T>(arguments);
    x.fill<T>(arguments);
    h.fill<T>(arguments);
    const Workspace work(memory.in(arguments), sizes.hidden);
    for (std::size_t direction = 0; direction < sizes.directions; ++direction) {
      const Gates gates(operands, arguments, direction);
      double* state = h.in(arguments) + direction * sizes.state();
      for (std::size_t n = 0; n < sizes.steps; ++n) {
        const std::size_t time = sizes.time(direction, n);
        for (std::size_t batch = 0; batch < sizes.batches; ++batch)
          step(cell, gates, sizes.hidden, x.in(arguments) + (time * sizes.batches + batch) * sizes.inputs,
               state + batch * sizes.hidden, work);
        if (has_sequence)
          store_all(state, sizes.state(),
                    output<T>(arguments, 1) + (time * sizes.directions + direction) * sizes.state());
      }
    }
    store_all(h.in(arguments), sizes.directions * sizes.state(), output<T>(arguments));
  };
  return {run, scratch.bytes()};
}

}  // namespace

Kernel prepare_gru(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  return dispatch(FloatTypes{}, call.operand(0).type,
                  [&]<typename T>() { return typed_gru<T>(spec, call, "initialHiddenState"); });
}

Kernel prepare_gru_cell(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  return dispatch(FloatTypes{}, call.operand(0).type,
                  [&]<typename T>() { return typed_gru<T>(spec, call, "hiddenState"); });
}

constexpr CpuKernel gru_list[] = {
    {.row = {.name = "gru", .op = "gru"}, .prepare = prepare_gru},
    {.row = {.name = "gruCell", .op = "gruCell"}, .prepare = prepare_gru_cell},
};
extern constexpr CpuKernels gru_kernels(gru_list);

}  // namespace webnn::runtime::reference
