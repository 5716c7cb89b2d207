// Elementwise operators that a shader applies to its result before storing it: data in a program file, turned into a
// SPIR-V function when the program is loaded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/kernel.hpp"

namespace webnn::runtime::vulkan {

struct ExpressionOperand {
  std::uint32_t steps_back = 0;  // n > 0: the result of the n-th operation back; 0: an operand of the dispatch
  std::uint32_t slot = 0;        // its index in the table of operands
  std::uint32_t form = 0;        // how it broadcasts, a `Addressing` of kernels/shapes.hpp

  auto operator<=>(const ExpressionOperand&) const = default;
};

/// One operator of an expression.
struct ExpressionStep {
  bool binary = false;
  std::uint32_t op = 0;       // number in shaders/real_functions.glsl
  float alpha = 0, beta = 0;  // for unary operators
  ExpressionOperand first{}, second{};

  auto operator<=>(const ExpressionStep&) const = default;
};
using Expression = std::vector<ExpressionStep>;

/// The expression of a spec's post-ops, with operand slots in the order of the spec's inputs behind the root operands.
Expression expression_of(const KernelSpec& spec);

/// A copy of the shader in which the function `epilogue` (shaders/epilogue.glsl) computes the expression, without the
/// template functions that it does not use. For an empty expression, a shader without that function is returned
/// unchanged.
std::vector<std::uint32_t> with_epilogue(std::span<const std::uint32_t> shader, const Expression& expression);

}  // namespace webnn::runtime::vulkan
