// A chain: a group of elementwise operators prepared to run. It has stages (stage.hpp), and knows how each operand is
// walked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/cpu/simd/elementwise/stage.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/kernel.hpp"
#include "runtime/kernel_conditions.hpp"

namespace webnn::runtime::simd {

/// The axes of the output in memory order, merged with their neighbours where every operand allows it. An axis along
/// which some operand has one value for each block (quantizeLinear) counts as two.
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
    direct,       // in the same order as the output
    row_scalar,   // one element for each run along the innermost axis
    row_stream,   // its own elements, contiguous within each run along the
                  // innermost axis
    periodic,     // repeats every `period` elements: expanded to lanes once
    tile_by_tile  // expanded to lanes for each tile
  };
  std::size_t input = 0;  // index among the kernel's inputs
  DataType type = DataType::float32;
  bool of_lanes = false;  // its elements need no conversion to lanes
  AxisStrides strides{};  // in elements, along Axes
  Walk walk = Walk::direct;
  std::size_t period = 0;  // in elements, for Walk::periodic

  bool is_laid_out() const { return walk == Walk::periodic || walk == Walk::tile_by_tile; }
  Access access() const {
    if (walk == Walk::scalar || walk == Walk::row_scalar) return Access::scalar;
    return type == DataType::float16 && !is_laid_out() ? Access::half_stream : Access::stream;
  }
};

class Chain {
 public:
  static constexpr std::size_t max_operands = most_group_inputs;
  static constexpr std::size_t max_saved = longest_chain;             // blocks at the same time
  static constexpr std::size_t max_stages = 4 * (longest_chain + 2);  // an operator may load, round and save

  /// A chain over all inputs of `spec`, without stages. Constants are looked at while stages are added.
  Chain(const KernelSpec& spec, Constants constants, const StageTable& table);

  // Functions that add stages, in order: a load, operators, one store. Inputs are the kernel's. They throw Error if
  // there is no such stage.
  void load(std::size_t input) { load(place_of(input)); }
  /// `type` is the operand's type, to which attributes are cast.
  void unary(OperatorId op, const Attributes& attributes, DataType type);
  void binary(OperatorId op, std::size_t input) { binary(op, place_of(input), false); }
  void store();
  /// Adds the operators of a spec: all of them, or only the post-ops, behind the stages of the root operator
  /// (chain_stages.cpp).
  void stages_of(const KernelSpec& spec);
  void post_ops_of(const KernelSpec& spec);

  /// The kernel that runs the chain, multi-threaded where that pays.
  Kernel kernel() &&;
  /// Evaluates the whole output, multi-threaded where that pays.
  void run(const KernelArguments& arguments) const;
  /// Evaluates elements [begin, end) of the output, multi-threaded where that pays.
  void run_elements(const KernelArguments& arguments, std::size_t begin, std::size_t end) const;
  /// Evaluates elements [first, last) of the output in the calling thread.
  void run_part(const KernelArguments& arguments, std::size_t first, std::size_t last) const;

 private:
  /// Where a stage finds an operand: in operands_, or in a block saved by an earlier stage.
  struct Place {
    enum class Kind : std::uint8_t { none, operand, saved };
    Kind kind = Kind::none;
    std::uint8_t index = 0;
  };
  struct StageOperands {
    Place first{}, second{};
  };
  /// A stage that reads an operand, as its other or its second one. It needs an address for each piece, or, if the
  /// operand has one value for each piece, that value.
  struct Link {
    std::uint8_t stage, operand;
    bool is_second, is_scalar;
  };
  struct Group;  // the operators of a spec and what each needs
  struct Range;  // the work of one thread

  Place place_of(std::size_t input) const;
  Access access(Place place) const;
  void add(StageFunction function, Stage stage, StageOperands operands, std::size_t cost);
  void load(Place place);
  void binary(OperatorId op, Place other, bool swapped);
  void where(Place when_true, Place when_false);
  void save(std::uint8_t block);
  void choose_walks();
  void link(std::size_t stage, Place place, bool is_second);
  /// The operand at this place if it is a single constant number.
  std::optional<Lane> number_at(Place place) const;

  StageTable table_;
  DataType stored_;  // type of the output
  Axes axes_;
  std::size_t count_ = 0;
  std::size_t tile_ = 0;      // in elements; 0: no operand is expanded
  std::size_t laid_out_ = 0;  // lanes of all expanded operands
  bool in_rows_ = false;      // some operand is walked along the innermost axis
  std::size_t cost_ = 1;      // in units of a light operator
  Constants constants_;
  std::vector<ChainOperand> operands_;
  std::vector<Stage> stages_;
  std::vector<StageOperands> stage_operands_;
  // What changes from piece to piece, and what stays.
  std::vector<std::size_t> moving_;
  std::vector<Link> moving_links_, fixed_links_;
};

/// A group with all its stages.
Chain chain_of(const KernelSpec& spec, Constants constants, Isa isa);
/// The kernel of a group.
Kernel prepare_elementwise(const KernelSpec& spec, Constants constants, Isa isa);

}  // namespace webnn::runtime::simd
