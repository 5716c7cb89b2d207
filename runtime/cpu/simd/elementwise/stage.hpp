// Elementwise evaluation: a group of operators becomes a list of stages (`Stage`), which pass a block of elements on in
// registers.
//
// A block is eight vectors of 32-bit lanes: float32 or 32-bit integers. The first stage loads it, each further stage
// applies its operator and calls the next one, and the last stage stores. A result that is needed later than by the
// next operator is saved: one block of it, which stays in the L1 cache. Otherwise nothing is written in between, and a
// stage costs one jump for eight vectors of work.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schema/elements/types.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::runtime::simd {

/// A function of one instruction set with vector arguments; other code only passes the pointer on.
using StageFunction = void (*)();

/// The bits of one element as it is computed with.
using Lane = std::uint32_t;

/// A stage: a function and its operands.
struct Stage {
  StageFunction function = nullptr;
  const void* operand = nullptr;  // element 0 of its other operand, or of what is loaded or stored
  const void* second = nullptr;   // element 0 of its third operand
  Lane alpha = 0, beta = 0;       // attributes, or the other operands if they are scalars
};

/// How a stage gets an operand.
enum class Access : std::uint8_t {
  scalar,       // Stage::alpha (Stage::beta for a third operand)
  stream,       // element by element from Stage::operand (Stage::second)
  half_stream,  // the same, converted from float16
  saved,        // the block of lanes at Stage::operand (Stage::second), saved by an earlier stage
};
inline constexpr std::size_t access_count = 4;

/// The stages that an instruction set offers for one kind of lanes. A function that it lacks is null.
struct StageTable {
  schema::DataType lanes;
  std::size_t block;  // elements of a block
  /// Runs the stages on `count` elements, a multiple of `block`; operands point at the first ones.
  void (*run)(const Stage* stages, std::size_t count);
  StageFunction (*load)(schema::DataType type);
  StageFunction (*load_scalar)();
  /// `save` writes the block to Stage::operand and passes it on; `recall` loads it from there.
  StageFunction (*save)();
  StageFunction (*recall)();
  StageFunction (*store)(schema::DataType type);
  StageFunction (*unary)(schema::OperatorId op);  // for cast: rounds to float16
  /// `swapped`: the running value is the second operand.
  StageFunction (*binary)(schema::OperatorId op, Access other, bool swapped);
  /// The power with an exponent for which there is something simpler than `pow`.
  StageFunction (*power)(Lane exponent);
  /// The maximum or minimum with the number Stage::alpha, where that is cheaper than with any operand.
  StageFunction (*limit)(schema::OperatorId op, Lane number);
  /// A single stage that does the work of `first` and of the operator `second` behind it.
  StageFunction (*pair)(StageFunction first, schema::OperatorId second);
  StageFunction (*where)(Access when_true, Access when_false);
  /// Whether stages other than the first can read elements of this type.
  bool (*streams)(schema::DataType type);
  /// Converts elements of `type` to lanes; null for a type that is not loaded.
  void (*(*converter)(schema::DataType type))(const void* from, Lane* to, std::size_t count);
  /// Writes each of `count` values, which are `stride` apart, `run` times; may write up to a vector beyond.
  void (*repeat)(const Lane* values, std::ptrdiff_t stride, std::size_t count, std::size_t run, Lane* to);
};

}  // namespace webnn::runtime::simd
