// What elementwise.def says of an operator beside its row of the operator table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "schema/operators/operator_table.hpp"

namespace webnn::schema {

/// The work of a function on one vector.
enum class Work : std::uint8_t { none, light, medium, heavy, heaviest };

/// The greatest difference from the exact result: in units in the last place, or absolute.
struct ErrorLimit {
  double ulp = 0;
  double absolute = 0;
  double absolute_half = 0;  // for float16

  constexpr bool is_exact() const { return ulp == 0 && absolute == 0; }
};

/// How an operator takes float16 results that are still in float32, because the operators before it are in the same
/// kernel, or were widened.
enum class Taken : std::uint8_t {
  wide,      // as they are: its own result, rounded once, is closer to the exact one
  rounded,   // as float16 has them: a small difference decides about its result
  exponent,  // so the second operand: whether it is an integer decides
  pair,      // so if both operands are such results: infinities would cancel
};

struct ElementwiseRow {
  OperatorId op;
  std::string_view symbol;
  ErrorLimit tolerance;  // of the Web Platform Tests
  Work floats;           // Work::none: the vector kernels have no function for it
  ErrorLimit error;      // of the vector kernels on float32
  Work integers;
  Taken results;
  std::string_view onnx;  // the operator with the same meaning; empty if there is none
  std::string_view real;  // the expression in GLSL
};

std::span<const ElementwiseRow> elementwise_rows();
/// Null for an operator that is not elementwise, and for where and cast.
const ElementwiseRow* find_elementwise(OperatorId op);
/// Whether a float16 result that is still in float32 must be rounded to float16 before any operator takes it as the
/// operand at `place`: see Taken. `all_are_results`: so are the other operands.
bool takes_rounded(OperatorId op, std::size_t place, bool all_are_results);

}  // namespace webnn::schema
