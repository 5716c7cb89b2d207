// What elementwise.def says of an operator beside its row of the operator table.
#pragma once

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

struct ElementwiseRow {
  OperatorId op;
  std::string_view symbol;
  ErrorLimit tolerance;  // of the Web Platform Tests
  Work floats;           // Work::none: the vector kernels have no function for it
  ErrorLimit error;      // of the vector kernels on float32
  Work integers;
  std::string_view onnx;  // the operator with the same meaning; empty if there is none
  std::string_view real;  // the expression in GLSL
};

std::span<const ElementwiseRow> elementwise_rows();
/// Null for an operator that is not elementwise, and for where and cast.
const ElementwiseRow* find_elementwise(OperatorId op);

}  // namespace webnn::schema
