// Shared by convolution and pooling: axes named by letters of a layout, and the positions for which a sliding window
// reads inside the input.
#pragma once

#include <algorithm>

#include "runtime/cpu/reference/reference.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::reference {

/// A row-major tensor seen with its axes in another order.
struct View {
  Shape shape;
  Strides strides{};
};

/// Views a tensor of `shape`, whose axes are named by the letters of `layout`, with its axes in the order of `letters`:
/// view_as(shape, "nhwc", "nchw").
inline View view_as(const Shape& shape, std::string_view layout, std::string_view letters) {
  const Strides strides = row_major_strides(shape);
  View view;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const auto axis = unsigned(layout.find(letters[i]));
    view.shape.push_back(shape[axis]);
    view.strides[i] = strides[axis];
  }
  return view;
}

/// The view with `axis` split into `parts` and the remainder.
inline View split_axis(const View& view, unsigned axis, std::uint32_t parts) {
  View result;
  for (unsigned i = 0; i < view.shape.rank(); ++i) {
    const std::uint32_t size = i == axis ? view.shape[i] / parts : view.shape[i];
    if (i == axis) {
      result.strides[result.shape.rank()] = view.strides[i] * size;
      result.shape.push_back(parts);
    }
    result.strides[result.shape.rank()] = view.strides[i];
    result.shape.push_back(size);
  }
  return result;
}

inline View swap_axes(View view, unsigned a, unsigned b) {
  std::swap(view.shape[a], view.shape[b]);
  std::swap(view.strides[a], view.strides[b]);
  return view;
}

/// The slices of a view along its first axis; neighbouring slices are `stride` elements apart.
struct Slices {
  Shape shape;
  Strides strides{};
  std::int64_t stride = 0;
};
inline Slices slices_of(const View& view) {
  Slices slices{Shape(view.shape.sizes().subspan(1)), {}, view.strides[0]};
  std::copy(view.strides.begin() + 1, view.strides.end(), slices.strides.begin());
  return slices;
}

/// begin <= p < end.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The p in [0, count) for which p * step + offset lies in [0, limit); step is positive.
inline Range positions_inside(std::int64_t count, std::int64_t step, std::int64_t offset, std::int64_t limit) {
  const std::int64_t begin = offset >= 0 ? 0 : schema::div_up(-offset, step);
  const std::int64_t end = offset >= limit ? 0 : std::min(count, (limit - 1 - offset) / step + 1);
  return {begin, std::max(begin, end)};
}

}  // namespace webnn::runtime::reference
