#include "schema/operators/sliding_window.hpp"

#include "schema/infer/infer.hpp"
#include "schema/round_up.hpp"

namespace webnn::schema {

WindowPart SlidingWindow::part_from(std::int64_t start) const {
  const std::int64_t first = start >= 0 ? 0 : div_up(-start, dilation);
  const std::int64_t last = start >= input ? 0 : std::min(window, (input - 1 - start) / dilation + 1);
  if (first >= last) return {};
  return {start + first * dilation, last - first, first};
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
    windows[i] = {call.shape(0)[axis],
                  window,
                  output.empty() ? 0 : output[axis],
                  strides[i],
                  window == 1 ? 1 : dilations[i],
                  padding[2 * i],
                  padding[2 * i + 1]};
  }
  return windows;
}

bool are_moderate(const std::array<SlidingWindow, 2>& windows, std::uint32_t channels) {
  constexpr std::int64_t longest = 1 << 16;
  std::uint64_t bytes = sizeof(float);
  for (const SlidingWindow& axis : windows) {
    if (axis.extent() > longest || axis.stride > longest || axis.begin > longest || axis.end > longest) return false;
    bytes *= std::uint64_t(std::max(axis.input, axis.output) + axis.begin + axis.end);
    if (bytes > max_tensor_bytes) return false;
  }
  return bytes * channels <= max_tensor_bytes;
}

}  // namespace webnn::schema
