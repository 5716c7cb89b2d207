// lstm, lstmCell, gru and gruCell of float32 and float16. Float16 weights stay float16 in memory, while states and sums
// are float32. The projection of the input is computed for many time steps at once, as a matrix product. Each time step
// then adds the product with the hidden state and completes its units while the sums are in registers.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/recurrent/recurrent.inl.hpp"
#include "runtime/cpu/simd/recurrent/recurrent.hpp"

#include <algorithm>
#include <type_traits>

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/recurrent/gate_panels.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/half.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// The number of input rows projected at once, roughly.
constexpr std::size_t rows_at_once = 64;
/// Multiplications that are worth a thread's claim, i.e. a microsecond: a time step is short, and at its end all
/// threads wait for each other.
constexpr std::size_t products_of_claim = 60'000;

Activation activation_of(std::string_view name) {
  return name == "relu" ? Activation::relu : name == "sigmoid" ? Activation::sigmoid : Activation::tanh;
}

/// An array of floats in scratch memory.
struct ScratchFloats {
  std::size_t at = 0;
  float* in(const KernelArguments& arguments) const { return reinterpret_cast<float*>(arguments.scratch + at); }
};
ScratchFloats add_floats(ScratchLayout& scratch, std::size_t count) { return {scratch.add(count * sizeof(float))}; }

/// Shared by lstm and gru: operands by name, the projection of the input, the walk over directions and time steps. `T`
/// is the type of all operands and results: float or Half.
template <class T>
class Network {
 public:
  Network(const KernelSpec& spec, const OperatorCall& call, Constants constants, Isa isa, std::string_view hidden_state)
      : code_{VECTOR_CODE(isa, convert_elements<T, float>), VECTOR_CODE(isa, convert_elements<float, T>),
              VECTOR_CODE(isa, project<3, T>), VECTOR_CODE(isa, project<4, T>)},
        sizes_(call),
        layout_(call.text("layout")),
        weight_(panels_of<T>(sizes_, call.text("layout"), 1), spec, 1, constants, scratch_),
        recurrent_(panels_of<T>(sizes_, call.text("layout"), 2), spec, 2, constants, scratch_),
        bias_(operand(call, "bias")),
        recurrent_bias_(operand(call, "recurrentBias")),
        initial_(operand(call, hidden_state)),
        sequence_output_(sizes_.gates == 4 ? 2 : 1),
        has_sequence_(spec.outputs.size() > sequence_output_),
        steps_at_once_(std::clamp<std::size_t>(rows_at_once / sizes_.batches, 1, sizes_.steps)),
        biases_(add_floats(scratch_, sizes_.row())),
        bias_of_operand_(add_floats(scratch_, sizes_.gates * sizes_.hidden)),
        inputs_(add_floats(scratch_, is_float32 ? 0 : steps_at_once_ * sizes_.batches * sizes_.inputs)),
        projected_(add_floats(scratch_, steps_at_once_ * sizes_.batches * sizes_.row())),
        states_(add_floats(scratch_, 2 * sizes_.state())) {}

  const RecurrentSizes& sizes() const { return sizes_; }
  ScratchLayout& scratch() { return scratch_; }
  /// The index of an operand, which may be absent.
  static std::optional<std::size_t> operand(const OperatorCall& call, std::string_view name) {
    const int index = call.op().operand_index(name);
    return index >= 0 && call.has_operand(std::size_t(index)) ? std::optional(std::size_t(index)) : std::nullopt;
  }
  /// Reads `count` elements of an operand from element `begin` on; zeros when it is absent.
  void read(const KernelArguments& arguments, std::optional<std::size_t> index, std::size_t begin, std::size_t count,
            float* to) const {
    if (!index) {
      std::fill_n(to, count, 0.0f);
    } else {
      code_.widen(reinterpret_cast<const T*>(arguments.inputs[*index]) + begin, count, to);
    }
  }
  /// Writes `count` elements of an output from element `begin` on.
  void write(const KernelArguments& arguments, std::size_t index, std::size_t begin, std::size_t count,
             const float* from) const {
    code_.narrow(from, count, reinterpret_cast<T*>(arguments.outputs[index]) + begin);
  }

  /// The position of one time step.
  struct Place {
    const float *projected, *bias;
    const T* panels;
    const float* h;
    float* next_h;
  };
  /// Calls begin(direction), then step(place, part, first group, last group) for each time step, then end(direction). A
  /// time step has `parts`; each part reads everything that the one before has written, and the last one writes the new
  /// state. `keeps_apart` is the gate whose recurrent bias is not among the biases of the place (none: 4).
  template <typename Begin, typename Step, typename End>
  void run(const KernelArguments& arguments, std::size_t keeps_apart, std::size_t parts, Begin&& begin, Step&& step,
           End&& end) const {
    const T* const weight = weight_.in(arguments);
    const T* const recurrent = recurrent_.in(arguments);
    for (std::size_t direction = 0; direction < sizes_.directions; ++direction) {
      add_biases(arguments, direction, keeps_apart);
      begin(direction);
      read(arguments, initial_, direction * sizes_.state(), sizes_.state(), states_.in(arguments));
      run_direction(arguments, direction, weight + direction * sizes_.panels(1),
                    recurrent + direction * sizes_.panels(2), parts, step);
      end(direction);
    }
  }

  /// Writes the recurrent bias of one gate in the order of the panels, with zeros behind the last unit.
  void write_gate_bias(const KernelArguments& arguments, std::size_t direction, char gate, float* to) const {
    std::fill_n(to, sizes_.groups() * units_of_group, 0.0f);
    read(arguments, recurrent_bias_, (direction * sizes_.gates + layout_.find(gate)) * sizes_.hidden, sizes_.hidden,
         to);
  }

 private:
  static constexpr bool is_float32 = std::is_same_v<T, float>;

  template <typename Step>
  void run_direction(const KernelArguments& arguments, std::size_t direction, const T* weight, const T* recurrent,
                     std::size_t parts, const Step& step) const {
    const std::size_t state = sizes_.state();
    float* const spare[2] = {states_.in(arguments), states_.in(arguments) + state};
    for (std::size_t first = 0; first < sizes_.steps; first += steps_at_once_) {
      const std::size_t count = std::min(steps_at_once_, sizes_.steps - first);
      const std::size_t earliest = std::min(sizes_.time(direction, first), sizes_.time(direction, first + count - 1));
      project(arguments, weight, earliest, count);
      const auto run_part = [&](std::size_t turn, std::size_t begin, std::size_t end) {
        const std::size_t n = first + turn / parts, part = turn % parts;
        const std::size_t time = sizes_.time(direction, n);
        const float* const h = spare[n % 2];
        float* const next = spare[(n + 1) % 2];
        const float* const projected = projected_.in(arguments) + (time - earliest) * sizes_.batches * sizes_.row();
        step(Place{projected, biases_.in(arguments), recurrent, h, next}, part, begin, end);
        if (has_sequence_ && part + 1 == parts)
          write_units(arguments, (time * sizes_.directions + direction) * state, next, begin, end);
      };
      parallel_steps(count * parts, sizes_.groups(), groups_of_claim(sizes_.batches, sizes_.hidden), run_part);
    }
    write(arguments, 0, direction * state, state, spare[sizes_.steps % 2]);
  }

  /// The number of groups worth a thread's claim, when each multiplies `rows` rows of `depth` numbers.
  std::size_t groups_of_claim(std::size_t rows, std::size_t depth) const {
    return 1 + products_of_claim / (1 + rows * depth * sizes_.gates * units_of_group);
  }

  /// Writes the units of some groups of a new state to the sequence, from element `at` on.
  void write_units(const KernelArguments& arguments, std::size_t at, const float* state, std::size_t first_group,
                   std::size_t last_group) const {
    const std::size_t begin = first_group * units_of_group;
    const std::size_t end = std::min(last_group * units_of_group, sizes_.hidden);
    for (std::size_t row = 0; row < sizes_.state(); row += sizes_.hidden)
      write(arguments, sequence_output_, at + row + begin, end - begin, state + row + begin);
  }

  /// Adds both biases, in the order of the panels.
  void add_biases(const KernelArguments& arguments, std::size_t direction, std::size_t keeps_apart) const {
    const std::string_view order = panel_order(sizes_.gates);
    float* to = biases_.in(arguments);
    std::fill_n(to, sizes_.row(), 0.0f);
    for (const auto& [operand, except] : {std::pair(bias_, order.size()), std::pair(recurrent_bias_, keeps_apart)}) {
      if (!operand) continue;
      float* const bias = bias_of_operand_.in(arguments);
      read(arguments, operand, direction * sizes_.gates * sizes_.hidden, sizes_.gates * sizes_.hidden, bias);
      for (std::size_t gate = 0; gate < order.size(); ++gate) {
        if (gate == except) continue;
        const float* const from = bias + layout_.find(order[gate]) * sizes_.hidden;
        for (std::size_t unit = 0; unit < sizes_.hidden; ++unit)
          to[(unit / units_of_group * sizes_.gates + gate) * units_of_group + unit % units_of_group] += from[unit];
      }
    }
  }

  /// Projects the input for all gates, at `count` positions of the sequence from `time` on.
  void project(const KernelArguments& arguments, const T* panels, std::size_t time, std::size_t count) const {
    const std::size_t first = time * sizes_.batches * sizes_.inputs, inputs = count * sizes_.batches * sizes_.inputs;
    Projection<T> p;
    if constexpr (is_float32) {
      p.x = reinterpret_cast<const float*>(arguments.inputs[0]) + first;
    } else {
      read(arguments, 0, first, inputs, inputs_.in(arguments));
      p.x = inputs_.in(arguments);
    }
    p.panels = panels;
    p.to = projected_.in(arguments);
    p.rows = count * sizes_.batches;
    p.depth = sizes_.inputs;
    p.row = sizes_.row();
    const auto function = sizes_.gates == 4 ? code_.project4 : code_.project3;
    parallel_for(sizes_.groups(), groups_of_claim(p.rows, p.depth),
                 [&](std::size_t begin, std::size_t end) { function(p, begin, end); });
  }

  struct {
    void (*widen)(const T* from, std::size_t count, float* to);
    void (*narrow)(const float* from, std::size_t count, T* to);
    void (*project3)(const Projection<T>& p, std::size_t first_group, std::size_t last_group);
    void (*project4)(const Projection<T>& p, std::size_t first_group, std::size_t last_group);
  } code_;
  ScratchLayout scratch_;
  RecurrentSizes sizes_;
  std::string layout_;
  PackedOperand<T> weight_, recurrent_;
  std::optional<std::size_t> bias_, recurrent_bias_, initial_;
  std::size_t sequence_output_;
  bool has_sequence_;
  std::size_t steps_at_once_;
  ScratchFloats biases_, bias_of_operand_, inputs_, projected_, states_;
};

template <class T>
Kernel lstm(const KernelSpec& spec, const OperatorCall& call, Constants constants, Isa isa) {
  const bool is_cell = call.shape(0).rank() == 2;
  Network<T> network(spec, call, constants, isa, is_cell ? "hiddenState" : "initialHiddenState");
  const auto initial = network.operand(call, is_cell ? "cellState" : "initialCellState");
  const auto peephole = network.operand(call, "peepholeWeight");
  const auto activations = call.text_list("activations");
  LstmStep<T> common;
  common.batches = network.sizes().batches;
  common.hidden = network.sizes().hidden;
  common.row = network.sizes().row();
  common.gate = activation_of(activations[0]);
  common.candidate = activation_of(activations[1]);
  common.filter = activation_of(activations[2]);
  const ScratchFloats cells = add_floats(network.scratch(), network.sizes().state());
  const ScratchFloats peepholes = add_floats(network.scratch(), peephole ? 3 * common.hidden : 0);
  const std::size_t scratch = network.scratch().bytes();
  const auto run_step = VECTOR_CODE(isa, lstm_step<T>);
  const auto run = [=](const KernelArguments& arguments) {
    const std::size_t state = network.sizes().state(), weights = 3 * common.hidden;
    LstmStep<T> step = common;
    step.c = cells.in(arguments);
    step.peepholes = peephole ? peepholes.in(arguments) : nullptr;
    const auto begin = [&](std::size_t direction) {
      network.read(arguments, initial, direction * state, state, cells.in(arguments));
      if (peephole) network.read(arguments, peephole, direction * weights, weights, peepholes.in(arguments));
    };
    const auto next = [&](const auto& place, std::size_t, std::size_t first, std::size_t last) {
      LstmStep<T> own = step;
      own.projected = place.projected;
      own.bias = place.bias;
      own.panels = place.panels;
      own.h = place.h;
      own.next_h = place.next_h;
      run_step(own, first, last);
    };
    const auto end = [&](std::size_t direction) {
      network.write(arguments, 1, direction * state, state, cells.in(arguments));
    };
    constexpr std::size_t no_gate = 4;
    network.run(arguments, no_gate, 1, begin, next, end);
  };
  return {run, scratch};
}

template <class T>
Kernel gru(const KernelSpec& spec, const OperatorCall& call, Constants constants, Isa isa) {
  Network<T> network(spec, call, constants, isa, call.shape(0).rank() == 2 ? "hiddenState" : "initialHiddenState");
  const bool reset_after = call.boolean("resetAfter");
  const auto activations = call.text_list("activations");
  GruStep<T> common;
  common.batches = network.sizes().batches;
  common.hidden = network.sizes().hidden;
  common.row = network.sizes().row();
  common.gate = activation_of(activations[0]);
  common.candidate = activation_of(activations[1]);
  const ScratchFloats n_bias = add_floats(network.scratch(), network.sizes().groups() * units_of_group);
  const ScratchFloats z = add_floats(network.scratch(), network.sizes().state());
  const ScratchFloats reset = add_floats(network.scratch(), network.sizes().state());
  const std::size_t scratch = network.scratch().bytes();
  const auto whole = VECTOR_CODE(isa, gru_step<T>), gates = VECTOR_CODE(isa, gru_step_gates<T>),
             state = VECTOR_CODE(isa, gru_step_state<T>);
  const auto run = [=](const KernelArguments& arguments) {
    constexpr std::size_t n_gate = 2, no_gate = 3;
    const auto begin = [&](std::size_t direction) {
      network.write_gate_bias(arguments, direction, 'n', n_bias.in(arguments));
    };
    const auto next = [&](const auto& place, std::size_t part, std::size_t first, std::size_t last) {
      GruStep<T> step = common;
      step.n_bias = n_bias.in(arguments);
      step.z = z.in(arguments);
      step.reset = reset.in(arguments);
      step.projected = place.projected;
      step.bias = place.bias;
      step.panels = place.panels;
      step.h = place.h;
      step.next_h = place.next_h;
      (reset_after ? whole : part == 0 ? gates : state)(step, first, last);
    };
    network.run(arguments, reset_after ? n_gate : no_gate, reset_after ? 1 : 2, begin, next, [](std::size_t) {});
  };
  return {run, scratch};
}

}  // namespace

Kernel prepare_lstm(const KernelSpec& spec, Constants constants, Isa isa) {
  const SpecCall call(spec);
  return call.operand(0).type == DataType::float16 ? lstm<Half>(spec, call, constants, isa)
                                                   : lstm<float>(spec, call, constants, isa);
}

Kernel prepare_gru(const KernelSpec& spec, Constants constants, Isa isa) {
  const SpecCall call(spec);
  return call.operand(0).type == DataType::float16 ? gru<Half>(spec, call, constants, isa)
                                                   : gru<float>(spec, call, constants, isa);
}

namespace {

/// gru, lstm and their cells whose weights stay within the size limit of a tensor when units are rounded up to 16.
bool takes_recurrent(const KernelSpec& spec) {
  const std::uint64_t hidden = spec.inputs[2]->shape[spec.inputs[2]->shape.rank() - 1];
  const auto fits = [&](const OperandDescriptor& weights) {
    return byte_length(weights) / hidden * round_up(hidden, 16) <= max_tensor_bytes;
  };
  return fits(*spec.inputs[1]) && fits(*spec.inputs[2]);
}

consteval SimdKernel recurrent(std::string_view op, decltype(SimdKernel::prepare) prepare) {
  return {.row = {.name = op, .op = op, .types = floats, .packs = 0b110, .can = takes_recurrent},
          .drops_subnormals = true,
          .prepare = prepare,
          .pack = pack_panels};
}

}  // namespace

constexpr SimdKernel recurrent_list[] = {
    recurrent("gru", prepare_gru),
    recurrent("gruCell", prepare_gru),
    recurrent("lstm", prepare_lstm),
    recurrent("lstmCell", prepare_lstm),
};
extern constexpr SimdKernels recurrent_kernels(recurrent_list);

}  // namespace webnn::runtime::simd
