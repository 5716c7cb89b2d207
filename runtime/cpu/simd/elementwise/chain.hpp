// A group of elementwise operators made ready: its steps, and how each operand is walked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/cpu/simd/elementwise/step.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/kernel.hpp"
#include "schema/kernels/kernel_conditions.hpp"

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
  static constexpr std::size_t max_operands = most_group_inputs;
  static constexpr std::size_t max_saved = longest_chain;            // blocks at a time
  static constexpr std::size_t max_steps = 4 * (longest_chain + 2);  // an operator may load, round and save

  /// A chain over all inputs of `spec`, without steps. The bytes of constants are looked at while steps are added.
  Chain(const KernelSpec& spec, Constants constants, const StepTable& table);

  // Steps, in order: a load, operators, one store. Inputs are those of the kernel. Throw Error for what no step does.
  void load(std::size_t input) { load(place_of(input)); }
  /// `type`: of the operand, which attributes are cast to.
  void unary(OperatorId op, const Attributes& attributes, DataType type);
  void binary(OperatorId op, std::size_t input) { binary(op, place_of(input), false); }
  void store();
  /// The operators of a spec: all of them; its post-ops alone, behind the steps of its root operator (chain_steps.cpp).
  void steps_of(const KernelSpec& spec);
  void post_ops_of(const KernelSpec& spec);

  /// The kernel that runs it, on several threads where that is worth it.
  Kernel kernel() &&;
  /// Evaluates the whole output, on several threads where that is worth it.
  void run(const KernelArguments& arguments) const;
  /// Evaluates elements [first, last) of the output in the calling thread.
  void run_part(const KernelArguments& arguments, std::size_t first, std::size_t last) const;

 private:
  /// Where a step finds an operand: in operands_, or in one of the blocks that steps save.
  struct Place {
    enum class Kind : std::uint8_t { none, operand, saved };
    Kind kind = Kind::none;
    std::uint8_t index = 0;
  };
  struct StepOperands {
    Place first{}, second{};
  };
  /// A step that reads an operand: as its other or as its second one, an address or, from operands of one value for
  /// each piece, that value.
  struct Link {
    std::uint8_t step, operand;
    bool is_second, is_scalar;
  };
  struct Group;  // the operators of a spec and what each needs
  struct Range;  // what one thread works on

  Place place_of(std::size_t input) const;
  Access access(Place place) const;
  void add(StepFunction function, Step step, StepOperands operands, std::size_t cost);
  void load(Place place);
  void binary(OperatorId op, Place other, bool swapped);
  void where(Place when_true, Place when_false);
  void save(std::uint8_t block);
  void choose_walks();
  void link(std::size_t step, Place place, bool is_second);
  /// The operand at this place when it is one constant number.
  std::optional<Lane> number_at(Place place) const;

  StepTable table_;
  DataType stored_;  // type of the output
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
  // What changes from piece to piece, and what does not.
  std::vector<std::size_t> moving_;
  std::vector<Link> moving_links_, fixed_links_;
};

/// A group with all its steps.
template <Isa isa>
Chain chain_of(const KernelSpec& spec, Constants constants);
/// The kernel of a group.
template <Isa isa>
Kernel prepare_elementwise(const KernelSpec& spec, Constants constants);

}  // namespace webnn::runtime::simd
