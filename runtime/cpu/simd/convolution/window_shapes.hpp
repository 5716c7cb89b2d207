// Shapes of convolution windows that several conv2d kernels ask for.
#pragma once

#include <algorithm>

#include "runtime/kernel.hpp"

namespace webnn::runtime::simd {

/// Depthwise, with windows of 3 or 5 columns and a horizontal stride of 1 or 2.
inline bool is_depthwise(const OperatorCall& call) {
  const Shape &input = call.shape(0), &filter = call.shape(1);
  const std::uint32_t columns = filter[3], stride = call.u32_list("strides")[1];
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == "oihw" && call.u32("groups") == input[1] &&
         filter[0] == input[1] && (columns == 3 || columns == 5) && (stride == 1 || stride == 2) &&
         call.u32_list("dilations")[1] == 1;
}

inline bool all_are(const OperatorCall& call, std::string_view attribute, std::uint32_t value) {
  return std::ranges::all_of(call.u32_list(attribute), [=](std::uint32_t item) { return item == value; });
}

inline bool has_constant_filter(const KernelSpec& spec) { return (spec.constants & 0b10u) != 0; }

}  // namespace webnn::runtime::simd
