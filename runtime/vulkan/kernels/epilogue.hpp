// The epilogue of a shader: elementwise operators that it applies to its result before storing it. It is data in a
// program file, turned into a SPIR-V function when the program is loaded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/kernel.hpp"

namespace webnn::runtime::vulkan {

struct EpilogueOperand {
  StepOperand from;        // step 0 is the shader's result; input i is the operand at index i in the dispatch's table
  std::uint32_t form = 0;  // how it broadcasts, a `Addressing` of kernels/shapes.hpp
  bool rounds = false;     // a result that is rounded to the output's type before it is taken (schema::takes_rounded)

  auto operator<=>(const EpilogueOperand&) const = default;
};

/// A step behind the first.
struct EpilogueStep {
  bool binary = false;
  std::uint32_t op = 0;       // number in shaders/common/real_functions.glsl
  float alpha = 0, beta = 0;  // for unary operators
  EpilogueOperand first{}, second{};

  auto operator<=>(const EpilogueStep&) const = default;
};
using Epilogue = std::vector<EpilogueStep>;

/// The post-ops of a spec, with table indices in the order of the spec's inputs behind the root operands.
Epilogue epilogue_of(const KernelSpec& spec);

/// A copy of the shader in which the function `epilogue` (shaders/common/epilogue.glsl) computes these steps, without
/// the template functions that it does not use. For an empty epilogue, a shader without that function is returned
/// unchanged.
std::vector<std::uint32_t> with_epilogue(std::span<const std::uint32_t> shader, const Epilogue& epilogue);

}  // namespace webnn::runtime::vulkan
