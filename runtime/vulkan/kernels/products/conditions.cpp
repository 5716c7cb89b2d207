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

namespace {

constexpr std::uint64_t most_few = 8;
/// A workgroup's lanes along the inner axis are four or more.
constexpr std::uint64_t most_inner = std::uint64_t{most_turns_of_part} * 4;

}  // namespace

bool has_few_rows(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const ProductSize size = product_size(spec);
  return size.rows <= most_few && size.inner <= most_inner;
}

bool has_few_columns(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const ProductSize size = product_size(spec);
  if (size.columns > most_few || size.inner > most_inner) return false;
  if (spec.op != "conv2d"_op) return size.rows > most_few;
  if (!takes_convolution(spec) || size.batches != 1) return false;
  const auto windows = sliding_windows(SpecCall(spec), spec.outputs[0].shape);
  const bool one_image = spec.outputs[0].shape[0] == 1;
  return is_pointwise(windows) && std::ranges::all_of(windows, [&](const SlidingWindow& axis) {
           return axis.input == axis.output && (one_image || axis.output == 1);
         });
}

}  // namespace webnn::runtime::vulkan
