// Shapes as kernels walk them: strides, and views of a tensor as [outer, size, inner].
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/kernel.hpp"

namespace webnn::runtime {

/// The distance in elements between neighbours along each axis; 0 repeats, negative goes backwards.
using Strides = std::array<std::int64_t, max_rank>;

inline Strides row_major_strides(const Shape& shape) {
  Strides strides{};
  std::int64_t step = 1;
  for (unsigned axis = shape.rank(); axis-- > 0;) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

/// The strides along the logical axes of a tensor stored in `layout`.
inline Strides layout_strides(const Shape& shape, Layout layout) {
  if (layout != Layout::channels_last || shape.rank() != 4) return row_major_strides(shape);
  const std::int64_t channels = shape[1], width = shape[3];
  return {shape[2] * width * channels, 1, width * channels, channels};
}

/// Strides for walking a tensor of shape `from`, whose own strides are `own`, along the axes of the shape `to` that it
/// broadcasts to. Axes are matched from the last; a size of 1 repeats.
inline Strides broadcast_strides(const Shape& from, const Strides& own, const Shape& to) {
  Strides strides{};
  const unsigned missing = to.rank() - from.rank();
  for (unsigned axis = 0; axis < from.rank(); ++axis) strides[axis + missing] = from[axis] == 1 ? 0 : own[axis];
  return strides;
}
/// The same for a row-major tensor.
inline Strides broadcast_strides(const Shape& from, const Shape& to) {
  return broadcast_strides(from, row_major_strides(from), to);
}

/// The distance between the matrices in the last two axes of a row-major `shape`, along the axes of `batches`, to which
/// its leading axes broadcast.
inline Strides matrix_strides(const Shape& shape, const Shape& batches) {
  Strides strides = broadcast_strides(Shape(shape.sizes().first(shape.rank() - 2)), batches);
  for (std::int64_t& stride : strides) stride *= std::int64_t(shape[shape.rank() - 2]) * shape[shape.rank() - 1];
  return strides;
}

/// A tensor seen as [outer, size, inner]: the products of the sizes before, at and after an axis.
struct AxisView {
  std::size_t outer = 1, size = 1, inner = 1;
};
inline AxisView view_along(const Shape& shape, unsigned axis) {
  AxisView view;
  for (unsigned i = 0; i < axis; ++i) view.outer *= shape[i];
  view.size = shape[axis];
  for (unsigned i = axis + 1; i < shape.rank(); ++i) view.inner *= shape[i];
  return view;
}

}  // namespace webnn::runtime
