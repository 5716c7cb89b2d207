// Checked calls as text: how tests of shape rules read.
//
//   CHECK(inferred("add", {f32({2, 1}), f32({3})}) == "float32[2, 3]");
//   CHECK(inferred("softmax", {f32({2})}, {{"axis", 1}}) == "axis: 'axis' is 1, but must be below the input's rank of
//   1");
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests {

using OptionalDescriptors = std::vector<std::optional<OperandDescriptor>>;  // in the row's order; nullopt: absent

inline OperandDescriptor f32(const Shape& shape) { return {DataType::float32, shape}; }
inline OperandDescriptor f16(const Shape& shape) { return {DataType::float16, shape}; }
inline OperandDescriptor u8(const Shape& shape) { return {DataType::uint8, shape}; }
inline OperandDescriptor i32(const Shape& shape) { return {DataType::int32, shape}; }

/// The outputs' descriptors, or the first complaint with its subject: the operand's place, the attribute's name (and
/// element), or nothing for the whole call.
std::string inferred(std::string_view op, const OptionalDescriptors& operands, const NamedAttributes& attributes = {});

/// All complaints of a call.
std::vector<CallError> complaints(std::string_view op, const OptionalDescriptors& operands,
                                  const NamedAttributes& attributes = {});

}  // namespace webnn::tests
