// Shapes as shaders walk them.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/memory_order.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::vulkan {

/// How an operand broadcasts (shaders/common/broadcast.glsl).
enum class Addressing : std::uint32_t { same, single, strided, neighbours, repeated };
/// Of operand `i` of an elementwise operator or of a post-op, whose activations have a common layout.
Addressing addressing_of(const KernelSpec& spec, std::size_t i);
/// Its strides along the axes of the result, in the order in which the result lies in memory.
Strides strides_in_result(const KernelSpec& spec, std::size_t i);

/// The walk along operands `first` to `end` for each element of the result in the order of its memory. Neighbouring axes
/// that are walked like a single one are one axis here, those of size 1 none: each axis costs a division.
struct OperandWalk {
  Shape shape;
  std::vector<Strides> strides;  // by operand, from `first` on

  OperandWalk(const KernelSpec& spec, std::size_t first, std::size_t end);
  /// How four neighbours of the result, from a multiple of four on, find their elements of an operand.
  Addressing of_four(Addressing of_one, std::size_t number) const;
};

/// Whether the operand is in a kernel's private form.
inline bool is_packed(const KernelSpec& spec, std::size_t i) { return spec.input_layout(i) == Layout::private_form; }

inline std::uint32_t code(DataType type) { return std::uint32_t(type); }
inline std::uint32_t code(Addressing form) { return std::uint32_t(form); }
/// runtime::element_bytes as a word of a shader.
inline std::uint32_t element_bytes(DataType type) { return std::uint32_t(runtime::element_bytes(type)); }

/// The variants of a shader for the kinds of numbers.
struct Variants {
  ShaderCode (*real)();
  ShaderCode (*signed_integer)();
  ShaderCode (*unsigned_integer)();
  ShaderCode of(DataType type) const {
    return is_float(type) ? real() : is_signed(type) ? signed_integer() : unsigned_integer();
  }
};

/// Rows of elements that shaders with groups.glsl fold, each by a workgroup or by a single invocation.
struct Rows {
  std::uint64_t count = 1, elements = 1;  // number of rows; elements of a row
  /// Cuts the elements of a row so that no invocation iterates too often, if each element takes `turns` iterations.
  CountedVector<LoopPart> parts(std::uint64_t turns) const;
  std::uint64_t turns(const LoopPart& part, std::uint64_t turns_of_one) const;
  /// Completes a dispatch whose table has been written.
  Dispatch over(DispatchMaker& maker) const;
};

/// A number of the call as the bits of an element ("casting a number to a data type").
std::uint64_t element_bits(Number number, DataType type);
/// A number cast to a real type.
float real_number(Number number, DataType type);
/// A real attribute cast to the first operand's type; 0 if the operator does not have it.
float parameter(const OperatorCall& call, std::string_view name);
/// The attributes alpha and beta of an operator on reals, or clamp's limits, cast to the operand's type; 0 if it has
/// none.
struct RealParameters {
  float alpha = 0, beta = 0;
};
RealParameters real_parameters(const OperatorCall& call);

/// Adds the words height, width, those of the result and the window, strides, dilations, top, left of a convolution or
/// pooling.
void write_geometry(DispatchMaker& maker, const OperatorCall& call, const Shape& result);

/// The index of `op` in a list of operators, which is its number in a shader.
std::uint32_t number_in(std::span<const OperatorId> list, OperatorId op);

}  // namespace webnn::runtime::vulkan
