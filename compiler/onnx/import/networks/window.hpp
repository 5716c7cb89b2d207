// Windows over the spatial axes of ONNX tensors: [batch, channels, spatial...].
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

/// A window along one spatial axis, and the padding of the axis.
struct WindowAxis {
  std::int64_t input = 1, kernel = 1, stride = 1, dilation = 1, begin = 0, end = 0;
  std::int64_t outputs = 1;  // positions of the window

  std::int64_t span() const { return (kernel - 1) * dilation + 1; }
  /// Positions that fit, without a part of one.
  std::int64_t fitting() const { return (input + begin + end - span()) / stride + 1; }
};

/// The sizes behind batch and channels; refused when there are none.
OnnxIntegers spatial_sizes(const ImportCall& c, TensorId x);
/// A list attribute with one number for each of `count` axes, each at least `least`; absent, all are `absent`.
OnnxIntegers per_axis(const ImportCall& c, std::string_view attribute, std::size_t count, std::int64_t least,
                      std::int64_t absent);
/// The axes with the attributes strides, dilations, pads, auto_pad and ceil_mode of a node.
std::vector<WindowAxis> window_axes(const ImportCall& c, const OnnxIntegers& sizes, const OnnxIntegers& kernel);
/// The same without padding and positions.
std::vector<WindowAxis> unpadded_axes(const ImportCall& c, const OnnxIntegers& sizes, const OnnxIntegers& kernel);
/// Takes the attributes auto_pad and pads as they are, and whether the padding is to be computed: SAME.
bool set_given_padding(const ImportCall& c, std::vector<WindowAxis>& axes);

/// Zeros (or `value`) around the spatial axes, by the padding of the axes, which is then none.
TensorId padded(ImportCall& c, TensorId x, std::vector<WindowAxis>& axes, Number value = 0);

/// Conv with the attributes of the node over any number of spatial axes. The bias may be absent.
TensorId convolution(ImportCall& c, TensorId x, TensorId filter, TensorId bias);

// Rows of import_window_rows().
void read_conv_transpose(ImportCall& c);
void read_average_pool(ImportCall& c);
void read_max_pool(ImportCall& c);
void read_lp_pool(ImportCall& c);
void read_global_average_pool(ImportCall& c);
void read_global_max_pool(ImportCall& c);
void read_global_lp_pool(ImportCall& c);

}  // namespace webnn::compiler
