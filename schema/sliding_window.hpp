// How a window slides over height and width: the attributes of pooling and convolutions in one form, whatever the
// layouts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "schema/operator_call.hpp"

namespace webnn::schema {

/// What one output position sees of the input along one axis.
struct WindowPart {
  std::int64_t first = 0;  // position in the input of the first tap inside it
  std::int64_t count = 0;  // taps inside it
  std::int64_t tap = 0;    // index of the first of them in the window
};

/// Along one axis: tap k at position p of the output meets position p * stride + k * dilation - begin of the input. In
/// a transposed convolution input and output change places.
struct SlidingWindow {
  std::int64_t input = 1, window = 1, output = 1;
  std::int64_t stride = 1, dilation = 1;
  std::int64_t begin = 0, end = 0;  // padding

  /// From the first tap to the last one. Window and dilation are below 2^32; where their product leaves 64 bits the
  /// result is so large that no input can hold the window, and small enough to be added to.
  std::int64_t extent() const;
  /// Not of transposed convolutions.
  WindowPart part(std::int64_t position) const;
  /// Of all output positions.
  std::vector<WindowPart> parts() const;
};

/// Height and width of a call of a pooling or a convolution. Without the shape of the output, its sizes are 0.
std::array<SlidingWindow, 2> sliding_windows(const OperatorCall& call, const Shape& output = {});

}  // namespace webnn::schema
