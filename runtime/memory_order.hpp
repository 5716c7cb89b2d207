// Tensors in the order in which their layout puts them into memory.
#pragma once

#include <array>
#include <cstddef>

#include "runtime/strides.hpp"

namespace webnn::runtime {

/// The common layout of all activations of a kernel with LayoutRule::uniform. Where both layouts are the same order of
/// elements, either is returned.
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

/// The logical axis at each position of memory order, outermost first.
inline std::array<unsigned, max_rank> axes_in_memory(unsigned rank, Layout layout) {
  if (layout == Layout::channels_last && rank == 4) return {0, 2, 3, 1};
  std::array<unsigned, max_rank> axes{};
  for (unsigned i = 0; i < rank; ++i) axes[i] = i;
  return axes;
}

/// The shape in memory order: a tensor in `layout` is a row-major tensor of this shape.
inline Shape shape_in_memory(const Shape& shape, Layout layout) {
  const auto axes = axes_in_memory(shape.rank(), layout);
  Shape result;
  for (unsigned i = 0; i < shape.rank(); ++i) result.push_back(shape[axes[i]]);
  return result;
}

/// The index of logical axis `axis` in `shape_in_memory`.
inline unsigned axis_in_memory(unsigned axis, unsigned rank, Layout layout) {
  const auto axes = axes_in_memory(rank, layout);
  unsigned place = 0;
  while (axes[place] != axis) ++place;
  return place;
}

/// Bytes of one element of a type whose elements do not share bytes.
inline std::size_t element_bytes(DataType type) { return bits_of(type) / 8; }

/// Strides along logical axes, in memory order.
inline Strides strides_in_memory(const Strides& strides, unsigned rank, Layout layout) {
  const auto axes = axes_in_memory(rank, layout);
  Strides result{};
  for (unsigned i = 0; i < rank; ++i) result[i] = strides[axes[i]];
  return result;
}

}  // namespace webnn::runtime
