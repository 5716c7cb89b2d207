// Elementwise evaluation: a group of operators as a list of steps, which hand a block of elements on in registers.
//
// A block is eight vectors of 32-bit lanes: float32, or 32-bit integers. The first step loads them, each further one
// applies its operator and calls the next, the last one stores. A result that more than the next operator needs is
// saved beside: one block of it, which stays in the first-level cache. Otherwise nothing is written in between, and a
// step costs one jump for eight vectors of work.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schema/elements/types.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::runtime::simd {

/// A function of one instruction set with vectors as arguments, which ordinary code hands around only.
using StepFunction = void (*)();

/// The bits of one element as it is computed with.
using Lane = std::uint32_t;

struct Step {
  StepFunction function = nullptr;
  const void* operand = nullptr;  // element 0 of its other operand, or of what is loaded or stored
  const void* second = nullptr;   // of its third
  Lane alpha = 0, beta = 0;       // attributes, or the other operands where they are scalars
};

/// How a step gets an operand.
enum class Access : std::uint8_t {
  scalar,       // Step::alpha (Step::beta for a third operand)
  stream,       // lane by lane from Step::operand (Step::second)
  half_stream,  // the same from float16
  saved,        // the block of lanes at Step::operand (Step::second), which an earlier step saved
};
inline constexpr std::size_t access_count = 4;

/// What an instruction set offers for one kind of lanes. A function that it lacks is null.
struct StepTable {
  schema::DataType lanes;
  std::size_t block;  // elements
  /// Runs the steps on `count` elements, a multiple of `block`; operands point at the first ones.
  void (*run)(const Step* steps, std::size_t count);
  StepFunction (*load)(schema::DataType type);
  StepFunction (*load_scalar)();
  /// Writes the block to Step::operand and goes on with it; loads it from there.
  StepFunction (*save)();
  StepFunction (*recall)();
  StepFunction (*store)(schema::DataType type);
  StepFunction (*unary)(schema::OperatorId op);  // of cast: rounds to float16
  /// `swapped`: the running value is the second operand.
  StepFunction (*binary)(schema::OperatorId op, Access other, bool swapped);
  /// Of one operand: its power to an exponent for which there is something simpler than `pow`.
  StepFunction (*power)(Lane exponent);
  /// Of one operand: its maximum or minimum with a number, Step::alpha, where that takes less than for any operand.
  StepFunction (*limit)(schema::OperatorId op, Lane number);
  /// What does the work of the step `first` and of the operator `second` behind it.
  StepFunction (*pair)(StepFunction first, schema::OperatorId second);
  StepFunction (*where)(Access when_true, Access when_false);
  /// Whether steps other than the first read elements of this type.
  bool (*streams)(schema::DataType type);
  /// Elements of `type` as lanes; null for a type that is not loaded.
  void (*(*converter)(schema::DataType type))(const void* from, Lane* to, std::size_t count);
  /// Writes `run` times each of `count` values that lie `stride` apart, and up to a vector beyond.
  void (*repeat)(const Lane* values, std::ptrdiff_t stride, std::size_t count, std::size_t run, Lane* to);
};

}  // namespace webnn::runtime::simd
