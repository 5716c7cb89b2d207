// How a window slides along one axis of a tensor: what each output position sees of the input.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace webnn::runtime::simd {

/// What one output position sees of the input along one axis.
struct WindowPart {
  std::int64_t first = 0;  // position in the input of the first tap inside it
  std::int64_t count = 0;  // taps inside it
  std::int64_t tap = 0;    // index of the first of them in the window
};

struct SlidingWindow {
  std::int64_t input = 1, window = 1, output = 1;
  std::int64_t stride = 1, dilation = 1, padding = 0;

  WindowPart part(std::int64_t position) const {
    const std::int64_t start = position * stride - padding;
    const std::int64_t begin = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
    const std::int64_t end = start >= input ? 0 : std::min(window, (input - 1 - start) / dilation + 1);
    return {start + begin * dilation, std::max<std::int64_t>(end - begin, 0), begin};
  }
  /// Of all output positions.
  std::vector<WindowPart> parts() const {
    std::vector<WindowPart> all;
    for (std::int64_t position = 0; position < output; ++position) all.push_back(part(position));
    return all;
  }
};

}  // namespace webnn::runtime::simd
