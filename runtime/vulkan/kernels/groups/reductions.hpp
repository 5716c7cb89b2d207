// The reductions, numbered as in shaders/rows/reductions.glsl.
#pragma once

#include "runtime/vulkan/kernels/shapes.hpp"

namespace webnn::runtime::vulkan {

inline constexpr OperatorId reductions[] = {
    "reduceL1"_op,   "reduceL2"_op,  "reduceLogSum"_op,  "reduceLogSumExp"_op, "reduceMax"_op,
    "reduceMean"_op, "reduceMin"_op, "reduceProduct"_op, "reduceSum"_op,       "reduceSumSquare"_op};

inline std::uint32_t reduction_number(OperatorId op) { return number_in(reductions, op); }

}  // namespace webnn::runtime::vulkan
