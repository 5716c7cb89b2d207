#include "schema/sliding_window.hpp"

#include <algorithm>

#include "schema/infer.hpp"

namespace webnn::schema {

std::int64_t SlidingWindow::extent() const {
  constexpr std::int64_t never_fits = std::int64_t{1} << 62;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(window - 1, dilation, &product) || product > never_fits) return never_fits;
  return product + 1;
}

WindowPart SlidingWindow::part(std::int64_t position) const {
  const std::int64_t start = position * stride - begin;
  const std::int64_t first = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
  const std::int64_t last = start >= input ? 0 : std::min(window, (input - 1 - start) / dilation + 1);
  return {start + first * dilation, std::max<std::int64_t>(last - first, 0), first};
}

std::vector<WindowPart> SlidingWindow::parts() const {
  std::vector<WindowPart> all;
  for (std::int64_t position = 0; position < output; ++position) all.push_back(part(position));
  return all;
}

std::array<SlidingWindow, 2> sliding_windows(const OperatorCall& call, const Shape& output) {
  const bool pools = call.op().attribute_index("windowDimensions") >= 0;
  const std::string_view layout = call.text(pools ? "layout" : "inputLayout");
  const auto strides = call.u32_list("strides"), dilations = call.u32_list("dilations");
  const auto padding = call.u32_list("padding");  // beginning and end of the height, beginning and end of the width
  std::array<SlidingWindow, 2> windows;
  for (unsigned i = 0; i < 2; ++i) {
    const char letter = i == 0 ? 'h' : 'w';
    const unsigned axis = axis_of(layout, letter);
    const std::uint32_t window =
        pools ? call.u32_list("windowDimensions")[i] : call.shape(1)[axis_of(call.text("filterLayout"), letter)];
    windows[i] = {call.shape(0)[axis], window,       output.empty() ? 0 : output[axis],
                  strides[i],          dilations[i], padding[2 * i],
                  padding[2 * i + 1]};
  }
  return windows;
}

}  // namespace webnn::schema
