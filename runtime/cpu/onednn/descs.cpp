#include "runtime/cpu/onednn/descs.hpp"

#include <utility>

#include "schema/sliding_window.hpp"

namespace webnn::runtime::onednn {

using dnnl::memory;

memory::desc channels_last(const schema::Shape& shape, memory::data_type type) {
  return {Dims(shape.begin(), shape.end()), type, memory::format_tag::nhwc};
}

memory::desc filter_desc(const schema::Shape& filter, std::int64_t groups, bool transposed, memory::data_type type) {
  const std::int64_t outer = filter[0] / groups, inner = filter[1], area = std::int64_t{filter[2]} * filter[3];
  Dims dims{outer, inner, filter[2], filter[3]};
  Dims strides{inner * area, area, filter[3], 1};
  if (transposed) {
    std::swap(dims[0], dims[1]);
    std::swap(strides[0], strides[1]);
  }
  if (groups != 1) {
    dims.insert(dims.begin(), groups);
    strides.insert(strides.begin(), outer * inner * area);
  }
  return {dims, type, strides};
}

WindowDims::WindowDims(const schema::OperatorCall& call) {
  for (const schema::SlidingWindow& axis : schema::sliding_windows(call)) {
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation - 1);  // oneDNN counts from 0
    padding_begin.push_back(axis.begin);
    padding_end.push_back(axis.end);
  }
}

}  // namespace webnn::runtime::onednn
