// Weights of recurrent networks in the order in which a step reads them: units in groups of 16, and of each group the
// weights of all gates side by side for one input after the other, so that a step finishes a group's gates at once.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {

/// Units of one group. A last group that is not full is filled up with zeros.
inline constexpr std::size_t units_of_group = 16;

/// Sizes of gru, gruCell, lstm and lstmCell. A cell is a network of one step in one direction.
struct RecurrentSizes {
  std::size_t gates = 0;
  std::size_t steps = 1, directions = 1, batches = 1;
  std::size_t inputs = 1;  // features of the input
  std::size_t hidden = 1;
  bool backward = false;  // whether the first direction starts at the last step; the second one always does

  explicit RecurrentSizes(const OperatorCall& call);
  std::size_t groups() const { return (hidden + units_of_group - 1) / units_of_group; }
  /// Elements of one row of all gates.
  std::size_t row() const { return groups() * gates * units_of_group; }
  std::size_t state() const { return batches * hidden; }
  /// Inputs of a gate that weight operand 1 or 2 multiplies.
  std::size_t depth(std::size_t operand) const { return operand == 1 ? inputs : hidden; }
  /// Elements of one direction's panels of a weight operand.
  std::size_t panels(std::size_t operand) const { return row() * depth(operand); }
  /// Position in the sequence of a direction's n-th step.
  std::size_t time(std::size_t direction, std::size_t step) const {
    return backward || direction == 1 ? steps - 1 - step : step;
  }
};

/// Order of the gates in panels and biases, whatever the order of the attribute `layout`.
constexpr std::string_view panel_order(std::size_t gates) { return gates == 4 ? "iofg" : "zrn"; }

/// Panels of a weight operand, 1 or 2, of floats or Halfs: [directions, gates * hidden, depth] becomes
/// [direction][group][depth][gate][16].
template <class T>
Packing<T> panels_of(const RecurrentSizes& sizes, std::string_view layout, std::size_t operand);

}  // namespace webnn::runtime::simd
