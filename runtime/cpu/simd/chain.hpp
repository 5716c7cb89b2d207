// A chain of elementwise operators made ready: its steps, and how each operand
// is walked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/step.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::simd {

/// Axes of the output in the order of its memory, neighbours joined where every
/// operand allows it. An axis that some operand shares in blocks
/// (quantizeLinear) counts as two.
struct Axes {
  static constexpr std::size_t most = 2 * max_rank;
  std::size_t rank = 0;
  std::array<std::int64_t, most> sizes{};

  std::int64_t inner() const { return sizes[rank - 1]; }
};
using AxisStrides = std::array<std::int64_t, Axes::most>;  // in elements; 0 repeats

struct ChainOperand {
  enum class Walk : std::uint8_t {
    scalar,       // one element for all
    direct,       // lies as the output does
    row_scalar,   // one element for each run along the innermost axis
    row_stream,   // a run of its own elements for each run along the innermost
                  // axis
    periodic,     // repeats every `period` elements: laid out once, as lanes
    tile_by_tile  // laid out as lanes for each tile
  };
  std::size_t input = 0;  // of the kernel
  DataType type = DataType::float32;
  bool of_lanes = false;  // its elements are lanes as they are
  AxisStrides strides{};
  Walk walk = Walk::direct;
  std::size_t period = 0;

  bool is_laid_out() const { return walk == Walk::periodic || walk == Walk::tile_by_tile; }
  Access access() const {
    if (walk == Walk::scalar || walk == Walk::row_scalar) return Access::scalar;
    return type == DataType::float16 && !is_laid_out() ? Access::half_stream : Access::stream;
  }
};

class Chain {
 public:
  static constexpr std::size_t max_steps = 40;
  static constexpr std::size_t max_operands = 36;

  /// A chain over all inputs of `spec`, without steps. The bytes of constants are looked at while steps are added.
  Chain(const KernelSpec& spec, Constants constants, const StepTable& table);

  // Steps, in order: one load, operators, one store. Inputs are those of the
  // kernel. Throw Error for what no step does.
  void load(std::size_t input);
  void unary(OperatorId op, const Attributes& attributes);
  void binary(OperatorId op, std::size_t input, bool swapped = false);
  void where(std::size_t when_true, std::size_t when_false);
  void store();
  /// The post-ops of a spec whose operands start at input `first`.
  void post_ops(const KernelSpec& spec, std::size_t first);

  /// The kernel that runs it, on several threads where that is worth it.
  Kernel kernel() &&;

 private:
  struct StepOperands {
    std::int8_t first = -1, second = -1;  // indices of operands_
  };
  struct Range;  // what one thread works on

  std::int8_t operand_of(std::size_t input) const;
  void add(StepFunction function, Step step, StepOperands operands, std::size_t cost);
  void choose_walks();
  /// The step for a power whose exponent is one constant, if there is a simple one.
  StepFunction simple_power(const ChainOperand& exponent) const;
  void run(const KernelArguments& arguments) const;

  StepTable table_;
  DataType stored_;  // type of the output, which attributes are cast to
  Axes axes_;
  std::size_t count_ = 0;
  std::size_t tile_ = 0;      // elements; 0: no operand is laid out
  std::size_t laid_out_ = 0;  // lanes of all laid out operands
  bool in_rows_ = false;      // some operand is walked along the innermost axis
  std::size_t cost_ = 1;      // in light operators
  Constants constants_;
  std::vector<ChainOperand> operands_;
  std::vector<Step> steps_;
  std::vector<StepOperands> step_operands_;
};

}  // namespace webnn::runtime::simd
