// Tensors of convolutions as oneDNN sees them.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include "schema/operator_call.hpp"

namespace webnn::runtime::onednn {

using Dims = dnnl::memory::dims;

/// The tensor of logical order nchw, in memory channels-last.
dnnl::memory::desc channels_last(const schema::Shape& shape, dnnl::memory::data_type type);

/// The filter as the graph has it: oihw, or iohw for convTranspose2d, whose outer axis is divided into groups.
/// oneDNN's axes are (group,) output channel, input channel, height, width.
dnnl::memory::desc filter_desc(const schema::Shape& filter, std::int64_t groups, bool transposed,
                               dnnl::memory::data_type type);

/// Strides, dilations and padding of a call of conv2d's form.
struct WindowDims {
  Dims strides, dilations, padding_begin, padding_end;

  explicit WindowDims(const schema::OperatorCall& call);
};

}  // namespace webnn::runtime::onednn
