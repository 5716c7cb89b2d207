// Weights of recurrent networks in the order in which a step reads them: units in groups of 16, and of each group the
// weights of all gates side by side for one input after the other, so that a step finishes a group's gates at once.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/kernel.hpp"
#include "schema/operator_call.hpp"

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
  /// Floats of one row of all gates.
  std::size_t row() const { return groups() * gates * units_of_group; }
  std::size_t state() const { return batches * hidden; }
  /// Position in the sequence of a direction's n-th step.
  std::size_t time(std::size_t direction, std::size_t step) const {
    return backward || direction == 1 ? steps - 1 - step : step;
  }
};

/// Order of the gates in panels and biases, whatever the order of the attribute `layout`.
constexpr std::string_view panel_order(std::size_t gates) { return gates == 4 ? "iofg" : "zrn"; }

/// Panels of `weights`, which are [directions, gates * hidden, depth]: to[direction][group][depth][gate][16].
void write_panels(const RecurrentSizes& sizes, std::string_view layout, std::size_t depth, const float* weights,
                  float* to);
/// What panels of an operand are called; it tells the order of bytes.
std::string panels_form(const RecurrentSizes& sizes, std::string_view layout, std::size_t depth);
/// The kernels' `pack`: operands 1 and 2.
std::optional<PackedConstant> pack_panels(const KernelSpec& spec, std::size_t operand,
                                          std::span<const std::byte> bytes);

/// A weight operand as panels: packed by the compiler, packed when the kernel is prepared, or packed in every run.
class PanelOperand {
 public:
  /// `scratch` grows by what a run needs. Throws Error(program) for a form that is not this kernel's.
  PanelOperand(const KernelSpec& spec, const OperatorCall& call, const RecurrentSizes& sizes, std::size_t operand,
               std::span<const std::byte> constant, std::size_t& scratch);

  /// Panels of all directions.
  const float* in(const KernelArguments& arguments) const;
  /// Floats of one direction.
  std::size_t of_direction() const { return sizes_.row() * depth_; }

 private:
  RecurrentSizes sizes_;
  std::string layout_;
  std::size_t operand_, depth_, scratch_at_ = 0;
  bool is_packed_ = false;
  std::shared_ptr<const std::vector<float>> owned_;
};

}  // namespace webnn::runtime::simd
