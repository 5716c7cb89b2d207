// Shared by gru, gruCell, lstm and lstmCell. A cell is a network with one time step and one direction. All operands are
// unpacked to doubles, and the state stays in double precision between time steps; it is rounded where it is stored.
#pragma once

#include <algorithm>
#include <utility>

#include "runtime/cpu/reference/unpack.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {

using Activation = double (*)(double);

/// By the specification's name: relu (NaN stays NaN), sigmoid or tanh.
inline Activation activation_of(std::string_view name) {
  if (name == "relu") return [](double x) { return x <= 0 ? 0 : x; };
  if (name == "sigmoid") return [](double x) { return 1 / (1 + std::exp(-x)); };
  return [](double x) { return std::tanh(x); };
}

struct RecurrentSizes {
  std::size_t steps = 1;       // of time
  std::size_t directions = 1;  // 1 or 2
  std::size_t batches = 1;
  std::size_t inputs = 1;  // features of the input
  std::size_t hidden = 1;  // units
  bool backward = false;   // whether the first direction starts at the last time step; the second one always does

  /// Elements of one state, [batches, hidden].
  std::size_t state() const { return batches * hidden; }
  /// The position in the sequence of a direction's n-th time step.
  std::size_t time(std::size_t direction, std::size_t step) const {
    return backward || direction == 1 ? steps - 1 - step : step;
  }
};

inline RecurrentSizes recurrent_sizes(const OperatorCall& call) {
  const Shape& input = call.shape(0);
  const unsigned rank = input.rank();  // [time steps, batches, inputs], for a cell [batches, inputs]
  RecurrentSizes sizes;
  sizes.batches = input[rank - 2];
  sizes.inputs = input[rank - 1];
  sizes.hidden = call.u32("hiddenSize");
  if (rank == 3) {
    sizes.steps = input[0];
    sizes.directions = call.shape(1)[0];
    sizes.backward = call.text("direction") == "backward";
  }
  return sizes;
}

/// An operand unpacked to scratch memory, found by its name; zeros when it is absent.
class UnpackedOperand {
 public:
  UnpackedOperand(const OperatorCall& call, std::string_view name, std::size_t count, DoubleArrays& scratch)
      : index_(std::size_t(call.op().operand_index(name))),
        present_(call.has_operand(index_)),
        count_(count),
        array_(scratch.add(count)) {}

  bool present() const { return present_; }
  double* in(const KernelArguments& arguments) const { return array_.in(arguments); }
  template <typename T>
  void fill(const KernelArguments& arguments) const {
    if (present_) {
      unpack(input<T>(arguments, index_), count_, in(arguments));
    } else {
      std::fill_n(in(arguments), count_, 0.0);
    }
  }

 private:
  std::size_t index_;
  bool present_;
  std::size_t count_;
  DoubleArrays::Array array_;
};

/// The operands of all gates of all directions.
struct GateOperands {
  std::size_t gates, inputs, hidden;
  UnpackedOperand weight, recurrent_weight, bias, recurrent_bias;

  GateOperands(const OperatorCall& call, const RecurrentSizes& sizes, std::size_t gates, DoubleArrays& scratch)
      : gates(gates),
        inputs(sizes.inputs),
        hidden(sizes.hidden),
        weight(call, "weight", sizes.directions * gates * hidden * inputs, scratch),
        recurrent_weight(call, "recurrentWeight", sizes.directions * gates * hidden * hidden, scratch),
        bias(call, "bias", sizes.directions * gates * hidden, scratch),
        recurrent_bias(call, "recurrentBias", sizes.directions * gates * hidden, scratch) {}

  template <typename T>
  void fill(const KernelArguments& arguments) const {
    for (const UnpackedOperand* operand : {&weight, &recurrent_weight, &bias, &recurrent_bias})
      operand->fill<T>(arguments);
  }
};

inline double dot(const double* a, const double* b, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/// The gates of one direction: the contributions of the input and of the hidden state to a unit of a gate, biases
/// included.
class Gates {
 public:
  Gates(const GateOperands& operands, const KernelArguments& arguments, std::size_t direction)
      : inputs_(operands.inputs),
        hidden_(operands.hidden),
        weight_(operands.weight.in(arguments) + direction * operands.gates * hidden_ * inputs_),
        recurrent_weight_(operands.recurrent_weight.in(arguments) + direction * operands.gates * hidden_ * hidden_),
        bias_(operands.bias.in(arguments) + direction * operands.gates * hidden_),
        recurrent_bias_(operands.recurrent_bias.in(arguments) + direction * operands.gates * hidden_) {}

  double from_input(std::size_t gate, std::size_t unit, const double* input) const {
    const std::size_t row = gate * hidden_ + unit;
    return bias_[row] + dot(weight_ + row * inputs_, input, inputs_);
  }
  double from_hidden(std::size_t gate, std::size_t unit, const double* hidden) const {
    const std::size_t row = gate * hidden_ + unit;
    return recurrent_bias_[row] + dot(recurrent_weight_ + row * hidden_, hidden, hidden_);
  }
  double sum(std::size_t gate, std::size_t unit, const double* input, const double* hidden) const {
    return from_input(gate, unit, input) + from_hidden(gate, unit, hidden);
  }

 private:
  std::size_t inputs_, hidden_;
  const double *weight_, *recurrent_weight_, *bias_, *recurrent_bias_;
};

/// Rounds `count` doubles and stores them in an output.
template <typename T>
void store_all(const double* from, std::size_t count, T* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = store<T>(from[i]);
}

}  // namespace webnn::runtime::reference
