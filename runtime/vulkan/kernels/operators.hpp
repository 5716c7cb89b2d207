// The elementwise operators and their parameters, as numbered in the shaders.
#pragma once

#include "runtime/vulkan/kernels/shapes.hpp"

namespace webnn::runtime::vulkan {

// The index in a list is the operator's number in shaders/real_functions.glsl, unary.comp and binary.comp.
inline constexpr OperatorId unary_operators[] = {
    "abs"_op,     "ceil"_op,  "clamp"_op, "cos"_op,         "elu"_op,        "erf"_op,
    "exp"_op,     "floor"_op, "gelu"_op,  "hardSigmoid"_op, "hardSwish"_op,  "leakyRelu"_op,
    "linear"_op,  "log"_op,   "neg"_op,   "reciprocal"_op,  "relu"_op,       "roundEven"_op,
    "sigmoid"_op, "sign"_op,  "sin"_op,   "softplus"_op,    "softsign"_op,   "sqrt"_op,
    "tan"_op,     "tanh"_op,  "isNaN"_op, "isInfinite"_op,  "logicalNot"_op, "@silu"_op};
inline constexpr OperatorId binary_operators[] = {
    "add"_op,    "sub"_op,           "mul"_op,        "div"_op,       "max"_op,       "min"_op,
    "pow"_op,    "prelu"_op,         "equal"_op,      "notEqual"_op,  "greater"_op,   "greaterOrEqual"_op,
    "lesser"_op, "lesserOrEqual"_op, "logicalAnd"_op, "logicalOr"_op, "logicalXor"_op};

/// The attributes alpha and beta of an operator on reals, or clamp's limits, cast to the operand's type; 0 if it has
/// none.
struct RealParameters {
  float alpha = 0, beta = 0;
};
RealParameters real_parameters(const OperatorCall& call);

}  // namespace webnn::runtime::vulkan
