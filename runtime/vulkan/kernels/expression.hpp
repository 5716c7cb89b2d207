// Elementwise operators that a shader applies to its result before it is stored: data in a program file, a function in
// SPIR-V when the program is loaded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/kernel.hpp"

namespace webnn::runtime::vulkan {

struct ExpressionOperand {
  std::uint32_t steps_back = 0;  // the value of an earlier step, 1: of the one before; 0: an operand of the dispatch
  std::uint32_t slot = 0;        // its place in the table of operands
  std::uint32_t form = 0;        // how it broadcasts

  auto operator<=>(const ExpressionOperand&) const = default;
};

/// One operator.
struct ExpressionStep {
  bool binary = false;
  std::uint32_t op = 0;       // its number in shaders/real_functions.glsl
  float alpha = 0, beta = 0;  // of a unary one
  ExpressionOperand first{}, second{};

  auto operator<=>(const ExpressionStep&) const = default;
};
using Expression = std::vector<ExpressionStep>;

/// The expression of the post-ops of a spec, operand slots in the order of the spec's inputs behind the root operands.
Expression expression_of(const KernelSpec& spec);

/// A shader whose function `epilogue` (shaders/epilogue.glsl) computes the expression, without what was there to make
/// others of. A shader that has no such function is what it was when the expression is empty.
std::vector<std::uint32_t> with_epilogue(std::span<const std::uint32_t> shader, const Expression& expression);

}  // namespace webnn::runtime::vulkan
