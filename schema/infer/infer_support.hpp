// Helpers of the shape rules: outputs from 64-bit sizes, checks of axes, checks of operand shapes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/operators/operator_call.hpp"

namespace webnn::schema {

/// Sizes that may not be a valid shape yet: any rank, any value.
using Sizes = std::vector<std::uint64_t>;

/// "[1, 3, 224, 224]"
std::string text_of(const Sizes& sizes);

/// Adds an output with these sizes, or reports a rank above 8 or a size that is not a valid dimension.
void infer_output(Inference& result, DataType type, const Sizes& sizes);

/// Whether the u32 attribute `axis` is less than `rank`; reports it when it is not.
bool check_axis(const OperatorCall& call, Inference& result, std::string_view attribute, unsigned rank);
/// Whether all values of the attribute are less than `rank` and distinct; reports the first that is not.
bool check_axes(const OperatorCall& call, Inference& result, std::string_view attribute, unsigned rank);
/// Whether the list attribute has one value for each of `rank` axes; reports it when it has not.
bool check_one_per_axis(const OperatorCall& call, Inference& result, std::string_view attribute, unsigned rank);

/// Reports an operand that is present and has another shape. `meaning` explains the expected sizes in the message: "one
/// value for each of the 16 output channels".
void check_shape(const OperatorCall& call, Inference& result, std::string_view operand, const Sizes& expected,
                 std::string_view meaning);

}  // namespace webnn::schema
