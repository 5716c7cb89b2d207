// Convolutions of ONNX, with any number of spatial axes. WebNN has them over two axes: further ones are taken apart
// into a sum over the elements of the filter along such an axis.
#include <algorithm>
#include <numeric>

#include "compiler/onnx/import/networks/window.hpp"
#include "compiler/onnx/import/tensors/parts.hpp"
#include "schema/sentence.hpp"

namespace webnn::compiler {
namespace {

TensorId pad_axis(ImportCall& c, TensorId x, std::size_t axis, std::int64_t begin, std::int64_t end) {
  if (begin == 0 && end == 0) return x;
  OnnxIntegers first(c.dims(x).size(), 0), last = first;
  first[axis] = begin;
  last[axis] = end;
  return c.make("pad"_op, {x}, {{"beginningPadding", first}, {"endingPadding", last}});
}

TensorId swapped_axes(ImportCall& c, TensorId x) {  // channels and the first spatial axis
  std::vector<std::uint32_t> permutation(c.dims(x).size());
  std::iota(permutation.begin(), permutation.end(), 0u);
  std::swap(permutation[1], permutation[2]);
  return c.transpose(x, permutation);
}

/// Joins the first two axes, or takes them apart into `sizes`.
TensorId joined_axes(ImportCall& c, TensorId x) {
  OnnxIntegers dims = c.dims(x);
  dims[1] *= dims[0];
  return c.reshape(x, {dims.begin() + 1, dims.end()});
}
TensorId parted_axes(ImportCall& c, TensorId x, std::int64_t first) {
  OnnxIntegers dims = c.dims(x);
  dims[0] /= first;
  dims.insert(dims.begin(), first);
  return c.reshape(x, dims);
}

/// One element of the filter along its first spatial axis.
TensorId filter_part(ImportCall& c, TensorId filter, std::int64_t element) {
  OnnxIntegers dims = c.dims(filter);
  dims.erase(dims.begin() + 2);
  return c.reshape(parts::sliced_at(c, filter, 2, element, 1), dims);
}

TensorId with_height(ImportCall& c, TensorId x) {
  OnnxIntegers dims = c.dims(x);
  dims.insert(dims.begin() + 2, 1);
  return c.reshape(x, dims);
}
TensorId without_height(ImportCall& c, TensorId x) {
  OnnxIntegers dims = c.dims(x);
  dims.erase(dims.begin() + 2);
  return c.reshape(x, dims);
}

TensorId plus_bias(ImportCall& c, TensorId x, TensorId bias) {
  if (!bias.valid()) return x;
  return c.make("add"_op, {x, parts::along_axis(c, bias, 1, c.rank(x))});
}

using WindowAxes = std::span<const WindowAxis>;

/// Refuses what a sum over more than this many convolutions would be needed for.
constexpr std::int64_t most_parts = 64;

void check_parts(const ImportCall& c, WindowAxes axes) {
  std::int64_t parts = 1;
  for (std::size_t i = 0; i + 2 < axes.size(); ++i) {
    parts = axes[i].kernel > most_parts ? most_parts + 1 : parts * axes[i].kernel;
    if (parts > most_parts) c.refuse("its filter has too many elements along the axes that WebNN has not");
  }
}

TensorId convolve(ImportCall& c, TensorId x, TensorId filter, TensorId bias, WindowAxes axes) {
  if (axes.size() == 1)
    return without_height(
        c, convolve(c, with_height(c, x), with_height(c, filter), bias, std::vector<WindowAxis>{{}, axes[0]}));
  if (axes.size() == 2)
    return c.make("conv2d"_op, {x, filter, bias},
                  {{"padding", OnnxIntegers{axes[0].begin, axes[0].end, axes[1].begin, axes[1].end}},
                   {"strides", OnnxIntegers{axes[0].stride, axes[1].stride}},
                   {"dilations", OnnxIntegers{axes[0].dilation, axes[1].dilation}},
                   {"groups", c.integer("group", 1)}});
  const WindowAxis& first = axes[0];
  const TensorId frames = pad_axis(c, swapped_axes(c, x), 1, first.begin, first.end);
  TensorId sum;
  for (std::int64_t k = 0; k < first.kernel; ++k) {
    const TensorId part =
        joined_axes(c, parts::sliced_at(c, frames, 1, k * first.dilation, first.outputs, first.stride));
    const TensorId result = convolve(c, part, filter_part(c, filter, k), k == 0 ? bias : TensorId{}, axes.subspan(1));
    sum = k == 0 ? result : c.make("add"_op, {sum, result});
  }
  return swapped_axes(c, parted_axes(c, sum, c.dims(x)[0]));
}

/// For a transposed convolution, `end` is below 0 where the output has more elements than windows reach.
TensorId convolve_transposed(ImportCall& c, TensorId x, TensorId filter, TensorId bias, WindowAxes axes) {
  if (axes.size() == 1)
    return without_height(c, convolve_transposed(c, with_height(c, x), with_height(c, filter), bias,
                                                 std::vector<WindowAxis>{{}, axes[0]}));
  if (axes.size() == 2) {
    const auto more = [](const WindowAxis& axis) { return std::max<std::int64_t>(0, -axis.end); };
    const auto end = [](const WindowAxis& axis) { return std::max<std::int64_t>(0, axis.end); };
    return c.make("convTranspose2d"_op, {x, filter, bias},
                  {{"padding", OnnxIntegers{axes[0].begin, end(axes[0]), axes[1].begin, end(axes[1])}},
                   {"strides", OnnxIntegers{axes[0].stride, axes[1].stride}},
                   {"dilations", OnnxIntegers{axes[0].dilation, axes[1].dilation}},
                   {"outputPadding", OnnxIntegers{more(axes[0]), more(axes[1])}},
                   {"groups", c.integer("group", 1)}});
  }
  const WindowAxis& first = axes[0];
  const std::int64_t reach = (first.input - 1) * first.stride + 1;
  const TensorId frames = joined_axes(c, swapped_axes(c, x));
  TensorId sum;
  for (std::int64_t k = 0; k < first.kernel; ++k) {
    TensorId part = convolve_transposed(c, frames, filter_part(c, filter, k), {}, axes.subspan(1));
    part = parted_axes(c, part, c.dims(x)[0]);  // [batch, frames, channels, ...]
    const OnnxIntegers dims = c.dims(part);
    part = c.reshape(part, {dims[0], dims[1], 1, c.count(part) / (dims[0] * dims[1])});
    part = pad_axis(c, part, 2, 0, first.stride - 1);  // zeros between the frames
    part = c.reshape(part, {dims[0], dims[1] * first.stride, c.dims(part)[3]});
    part = parts::sliced_at(c, part, 1, 0, reach);
    part = pad_axis(c, part, 1, k * first.dilation, first.span() - 1 - k * first.dilation);
    OnnxIntegers shape = dims;
    shape[1] = reach + first.span() - 1;
    part = c.reshape(part, shape);
    sum = k == 0 ? part : c.make("add"_op, {sum, part});
  }
  sum = pad_axis(c, sum, 1, 0, std::max<std::int64_t>(0, -first.end));
  sum = parts::sliced_at(c, sum, 1, first.begin, first.outputs);
  return plus_bias(c, swapped_axes(c, sum), bias);
}

OnnxIntegers kernel_of(ImportCall& c, TensorId filter) {
  const OnnxIntegers kernel = spatial_sizes(c, filter), given = c.integers("kernel_shape");
  if (!given.empty() && given != kernel) c.refuse("its kernel_shape is not that of its filter");
  return kernel;
}

}  // namespace

TensorId convolution(ImportCall& c, TensorId x, TensorId filter, TensorId bias) {
  const OnnxIntegers sizes = spatial_sizes(c, x);
  if (sizes.size() != spatial_sizes(c, filter).size()) c.refuse("its filter has another number of axes than its input");
  const std::vector<WindowAxis> axes = window_axes(c, sizes, kernel_of(c, filter));
  check_parts(c, axes);
  return convolve(c, x, filter, bias, axes);
}

void read_conv_transpose(ImportCall& c) {
  const TensorId x = c.input(0), filter = c.input(1);
  std::vector<WindowAxis> axes = unpadded_axes(c, spatial_sizes(c, x), kernel_of(c, filter));
  check_parts(c, axes);
  const bool same = set_given_padding(c, axes);
  const OnnxIntegers more = per_axis(c, "output_padding", axes.size(), 0, 0);
  const OnnxIntegers shape = c.integers("output_shape");
  const std::size_t ignored = shape.size() == axes.size() + 2 ? 2 : 0;  // batch and channels
  if (!shape.empty() && shape.size() != axes.size() + ignored)
    c.refuse("its output_shape does not have one size for each spatial axis");
  for (std::size_t i = 0; i < axes.size(); ++i) {
    WindowAxis& axis = axes[i];
    const std::int64_t all = axis.stride * (axis.input - 1) + axis.span();
    axis.end -= more[i];
    if (same || !shape.empty()) {
      axis.outputs = shape.empty() ? axis.input * axis.stride : shape[ignored + i];
      if (axis.outputs < 1 || axis.outputs > std::int64_t{max_dimension}) c.refuse("its output_shape is not valid");
      const std::int64_t padding = std::max<std::int64_t>(0, all + more[i] - axis.outputs);
      const bool extra_last = c.text("auto_pad", "") == "SAME_UPPER";
      axis.begin = extra_last ? padding / 2 : padding - padding / 2;
      axis.end = all - axis.outputs - axis.begin;
    }
    axis.outputs = all - axis.begin - axis.end;
    if (axis.outputs < 1) c.refuse("its padding removes all elements of an axis");
  }
  c.finish(convolve_transposed(c, x, filter, c.optional(2), axes));
}

}  // namespace webnn::compiler
