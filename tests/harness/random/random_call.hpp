// Correct calls of one operator made by chance: shapes, attributes and elements that a kernel can be tested on.
#pragma once

#include <random>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests {

/// A call and its operands. The elements are finite, of moderate size, and in the operator's domain (no logarithm of a
/// negative number), so that two ways to compute differ by rounding alone.
struct RandomCall {
  KernelSpec spec;
  OptionalTensors inputs;  // as many as the spec's
};

/// A call of `op` whose first operand has `type`; sizes are small, and now and then larger than any block of a kernel.
RandomCall random_call(OperatorId op, DataType type, std::mt19937& engine);

/// Makes one or two elements of float operands NaN, infinite or -0.
void add_special_elements(RandomCall& call, std::mt19937& engine);

/// Appends an elementwise operator on the call's single result, with its other operands; false when chance gave none
/// that fits. The result keeps its shape and type.
bool append_random_post_op(RandomCall& call, std::mt19937& engine);

}  // namespace webnn::tests
