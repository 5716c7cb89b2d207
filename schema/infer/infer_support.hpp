// What the shape rules share: outputs from 64-bit sizes, axes that must exist, operands that must have a known shape.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/operators/operator_call.hpp"

namespace webnn::schema {

/// Sizes before it is known that they are a shape: any rank, any value.
using Sizes = std::vector<std::uint64_t>;

/// "[1, 3, 224, 224]"
std::string text_of(const Sizes& sizes);

/// Adds an output of these sizes, or complains about a rank over 8 or a size that is no dimension.
void infer_output(Inference& result, DataType type, const Sizes& sizes);

/// Whether the u32 attribute `axis` is one of `rank` axes; complains when it is not.
bool check_axis(const OperatorCall& call, Inference& result, std::string_view attribute, unsigned rank);
/// Whether each of the attribute's values is one of `rank` axes and none comes twice; complains about the first that is
/// not.
bool check_axes(const OperatorCall& call, Inference& result, std::string_view attribute, unsigned rank);
/// Whether the list attribute has one value for each of `rank` axes; complains when not.
bool check_one_per_axis(const OperatorCall& call, Inference& result, std::string_view attribute, unsigned rank);

/// Complains when the operand is there and has another shape. `meaning` names the expected sizes for the message:
/// "one value for each of the 16 output channels".
void check_shape(const OperatorCall& call, Inference& result, std::string_view operand, const Sizes& expected,
                 std::string_view meaning);

}  // namespace webnn::schema
