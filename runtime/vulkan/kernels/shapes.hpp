// Shapes as shaders walk them.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/strides.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::vulkan {

/// How an operand broadcasts (shaders/broadcast.glsl).
enum class Form : std::uint32_t { same, single, strided };
Form form_of(const Shape& from, const Shape& to);

inline std::uint32_t code(DataType type) { return std::uint32_t(type); }
inline std::uint32_t code(Form form) { return std::uint32_t(form); }
/// Bytes of one element of a type that does not share bytes.
inline std::uint32_t element_bytes(DataType type) { return bits_of(type) / 8; }

/// The variant of a shader for a type's kind of numbers.
struct Variants {
  ShaderCode (*real)();
  ShaderCode (*signed_integer)();
  ShaderCode (*unsigned_integer)();
  ShaderCode of(DataType type) const {
    return is_float(type) ? real() : is_signed(type) ? signed_integer() : unsigned_integer();
  }
};

/// Rows of elements that shaders with groups.glsl fold: each by a workgroup, or by an invocation.
struct Rows {
  std::uint64_t count = 1, elements = 1;  // of each
  /// The elements cut so that no invocation turns too often, when each element takes some `turns`.
  std::vector<LoopPart> parts(std::uint64_t turns) const;
  std::uint64_t turns(const LoopPart& part, std::uint64_t turns_of_one) const;
  /// Completes a dispatch whose table is written.
  Dispatch over(DispatchMaker& maker) const;
};

/// A shader that computes a product of matrices in square blocks: each by an invocation, or by a workgroup.
struct MatrixShader {
  ShaderCode (*code)();
  std::uint32_t side;  // of a block
  bool by_groups;
  std::uint32_t subgroups = 0;  // in such a workgroup, where it matters
  /// Of its loops for an inner axis of this length: tiles take 16 elements at a time, and turn over each of them to
  /// load it and to multiply it.
  std::uint64_t turns(std::uint64_t inner) const { return by_groups ? (inner + 15) / 16 * 33 : inner; }
  /// Completes a dispatch whose table is written.
  Dispatch over(DispatchMaker& maker, std::uint64_t rows, std::uint64_t columns, std::uint64_t batches) const;
};

/// A number of the call ("casting a number to a data type") as the bits of an element.
std::uint64_t element_bits(Number number, DataType type);
/// A number after its cast to a real type.
float real_number(Number number, DataType type);
/// An attribute of kind real after its cast to the first operand's type; 0 where the operator has none.
float parameter(const OperatorCall& call, std::string_view name);

/// The position of `op` in a list of operators, which is its number in a shader.
std::uint32_t number_in(std::span<const OperatorId> list, OperatorId op);

}  // namespace webnn::runtime::vulkan
