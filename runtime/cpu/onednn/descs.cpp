#include "runtime/cpu/onednn/descs.hpp"

#include <utility>

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
  const auto sizes = [&](std::string_view attribute) { return call.u32_list(attribute); };
  const auto given_strides = sizes("strides"), given_dilations = sizes("dilations"), padding = sizes("padding");
  strides = {given_strides[0], given_strides[1]};
  dilations = {std::int64_t{given_dilations[0]} - 1, std::int64_t{given_dilations[1]} - 1};  // oneDNN counts from 0
  padding_begin = {padding[0], padding[2]};
  padding_end = {padding[1], padding[3]};
}

}  // namespace webnn::runtime::onednn
