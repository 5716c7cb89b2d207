// Shapes as kernels walk them: strides, the order of axes in memory, a tensor seen as [outer, size, inner].
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/kernel.hpp"

namespace webnn::runtime::simd {

/// Distance in elements between neighbours along each axis; 0 repeats, negative goes backwards.
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

/// Strides along the logical axes of a tensor that lies in `layout`.
inline Strides layout_strides(const Shape& shape, Layout layout) {
  if (layout != Layout::channels_last || shape.rank() != 4) return row_major_strides(shape);
  const std::int64_t channels = shape[1], width = shape[3];
  return {shape[2] * width * channels, 1, width * channels, channels};
}

/// Strides that walk a tensor of shape `from`, whose own strides are `own`, along the axes of `to`, to which it
/// broadcasts: axes are matched at the end, and a size of 1 repeats.
inline Strides broadcast_strides(const Shape& from, const Strides& own, const Shape& to) {
  Strides strides{};
  const unsigned missing = to.rank() - from.rank();
  for (unsigned axis = 0; axis < from.rank(); ++axis) strides[axis + missing] = from[axis] == 1 ? 0 : own[axis];
  return strides;
}

/// The one layout of all activations of a kernel with LayoutRule::uniform. Where both layouts are the same order of
/// elements either name does.
inline Layout common_layout(const KernelSpec& spec) {
  const auto says = [](const Shape& shape, Layout layout) {
    return layout == Layout::channels_last && !layouts_coincide(shape);
  };
  for (std::size_t i = 0; i < spec.inputs.size(); ++i)
    if (spec.inputs[i] && says(spec.inputs[i]->shape, spec.input_layout(i))) return Layout::channels_last;
  for (std::size_t i = 0; i < spec.outputs.size(); ++i)
    if (says(spec.outputs[i].shape, spec.output_layout(i))) return Layout::channels_last;
  return Layout::row_major;
}

/// Which logical axis lies at each place of memory, outermost first.
inline std::array<unsigned, max_rank> axes_in_memory(unsigned rank, Layout layout) {
  if (layout == Layout::channels_last && rank == 4) return {0, 2, 3, 1};
  std::array<unsigned, max_rank> axes{};
  for (unsigned i = 0; i < rank; ++i) axes[i] = i;
  return axes;
}

/// The shape in the order of memory: a tensor in `layout` is a row-major one of this shape.
inline Shape shape_in_memory(const Shape& shape, Layout layout) {
  const auto axes = axes_in_memory(shape.rank(), layout);
  Shape result;
  for (unsigned i = 0; i < shape.rank(); ++i) result.push_back(shape[axes[i]]);
  return result;
}

/// Where logical axis `axis` lies in `shape_in_memory`.
inline unsigned axis_in_memory(unsigned axis, unsigned rank, Layout layout) {
  const auto axes = axes_in_memory(rank, layout);
  unsigned place = 0;
  while (axes[place] != axis) ++place;
  return place;
}

/// Product of the sizes before, at and after an axis: a tensor seen as [outer, size, inner].
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

/// Bytes of one element of a type that does not share bytes.
inline std::size_t element_bytes(DataType type) { return bits_of(type) / 8; }

}  // namespace webnn::runtime::simd
