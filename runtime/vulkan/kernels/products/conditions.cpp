#include "runtime/vulkan/kernels/products/conditions.hpp"

#include <algorithm>

#include "runtime/vulkan/kernels/dispatch.hpp"

namespace webnn::runtime::vulkan {

bool takes_convolution(const KernelSpec& spec) {
  const SpecCall call(spec);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == (spec.op == "conv2d"_op ? "oihw" : "iohw");
}

bool positions_are_narrow(const KernelSpec& spec) {
  constexpr std::int64_t limit = std::int64_t{1} << 31;
  constexpr std::int64_t beyond = 8;  // kernels compute this many columns together, possibly past the last one
  const SpecCall call(spec);
  return std::ranges::all_of(sliding_windows(call, spec.outputs[0].shape), [](const SlidingWindow& axis) {
    if (std::max({axis.stride, axis.dilation, axis.begin, axis.window}) >= limit) return false;
    return (axis.output + beyond) * axis.stride < limit && axis.extent() < limit &&
           (axis.output + beyond) * axis.stride + axis.extent() + axis.begin < limit;
  });
}

bool is_pointwise(std::span<const SlidingWindow> windows) {
  return std::ranges::all_of(windows, [](const SlidingWindow& axis) {
    return axis.window == 1 && axis.begin == 0 && (axis.output - 1) * axis.stride < axis.input;
  });
}

bool takes_tiles(const KernelSpec& spec) {
  return !spec.outputs.empty() &&
         (row(spec.op).family != Family::convolution || (takes_convolution(spec) && positions_are_narrow(spec)));
}

bool has_few_rows(const KernelSpec& spec) {
  constexpr std::uint64_t most = 8;
  if (spec.outputs.empty()) return false;
  const ProductSize size = product_size(spec);
  // A workgroup's lanes along the inner axis are four or more.
  return size.rows <= most && size.inner <= most_turns_of_part * 4;
}

}  // namespace webnn::runtime::vulkan
