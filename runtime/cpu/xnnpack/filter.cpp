#include "runtime/cpu/xnnpack/filter.hpp"

#include <algorithm>

namespace webnn::runtime::xnnpack {

Convolution::Convolution(const schema::OperatorCall& call) : transposed(call.op().name == "convTranspose2d") {
  const schema::Shape &input = call.shape(0), &filter = call.shape(1);
  batch = input[0];
  height = input[2];
  width = input[3];
  std::ranges::copy(call.u32_list("padding"), padding.begin());
  window_height = filter[2];
  window_width = filter[3];
  strides = call.u32_list("strides");
  dilations = call.u32_list("dilations");
  groups = call.u32("groups");
  group_inputs = input[1] / groups;
  group_outputs = transposed ? filter[1] : filter[0] / groups;
}

}  // namespace webnn::runtime::xnnpack
