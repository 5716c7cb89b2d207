// Weights of recurrent networks in the order in which a time step reads them. Units are in groups of 16; for each
// input, the weights of all gates of a group are adjacent, so that a time step completes all gates of a group at once.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {

/// The units of one group. The last group is padded with zeros.
inline constexpr std::size_t units_of_group = 16;

/// Sizes of gru, gruCell, lstm and lstmCell. A cell is a network with one time step and one direction.
struct RecurrentSizes {
  std::size_t gates = 0;                               // 3 for gru, 4 for lstm
  std::size_t steps = 1, directions = 1, batches = 1;  // of time; 1 or 2; sequences
  std::size_t inputs = 1;                              // features of the input
  std::size_t hidden = 1;                              // units
  bool backward = false;  // whether the first direction starts at the last time step; the second one always does

  explicit RecurrentSizes(const OperatorCall& call);
  std::size_t groups() const { return schema::div_up(hidden, units_of_group); }
  /// Elements of one row with all gates of all groups.
  std::size_t row() const { return groups() * gates * units_of_group; }
  /// Elements of one state, [batches, hidden].
  std::size_t state() const { return batches * hidden; }
  /// The number of inputs that weight operand 1 or 2 multiplies: features or units.
  std::size_t depth(std::size_t operand) const { return operand == 1 ? inputs : hidden; }
  /// Elements of a packed weight operand, for one direction.
  std::size_t panels(std::size_t operand) const { return row() * depth(operand); }
  /// The position in the sequence of a direction's n-th time step.
  std::size_t time(std::size_t direction, std::size_t step) const {
    return backward || direction == 1 ? steps - 1 - step : step;
  }
};

/// The order of the gates in panels and biases, whatever the attribute `layout` says.
constexpr std::string_view panel_order(std::size_t gates) { return gates == 4 ? "iofg" : "zrn"; }

/// The packing of weight operand 1 or 2, of float or Half: from [directions, gates * hidden, depth] to
/// [direction][group][depth][gate][16].
template <class T>
Packing<T> panels_of(const RecurrentSizes& sizes, std::string_view layout, std::size_t operand);

/// Packs operands 1 and 2, in the same order for every instruction set.
std::optional<PackedConstant> pack_panels(const KernelSpec& spec, std::size_t operand, std::span<const std::byte> bytes,
                                          Isa);

}  // namespace webnn::runtime::simd
