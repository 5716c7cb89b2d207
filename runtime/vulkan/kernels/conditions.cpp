#include "runtime/vulkan/kernels/conditions.hpp"

#include <algorithm>

#include "schema/operators/sliding_window.hpp"

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

bool takes_tiles(const KernelSpec& spec) {
  return !spec.outputs.empty() &&
         (row(spec.op).family != Family::convolution || (takes_convolution(spec) && positions_are_narrow(spec)));
}

namespace {

/// Whether the matrix product fills 64 x 64 tiles to a fair part.
bool fills_tiles(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape& y = spec.outputs[0].shape;
  std::uint64_t rows = 0, inner = 0, columns = 0;
  if (spec.op == "conv2d"_op) {
    const Shape& filter = call.shape(1);
    rows = y[1] / call.u32("groups");
    inner = std::uint64_t(filter[1]) * filter[2] * filter[3];
    columns = std::uint64_t(y[0]) * y[2] * y[3];
  } else {
    const Shape& a = call.shape(0);
    rows = y[y.rank() - 2];
    inner = a[a.rank() - (spec.op == "gemm"_op && call.boolean("aTranspose") ? 2 : 1)];
    columns = y[y.rank() - 1];
  }
  constexpr std::uint64_t least_side = 16, least_elements = 64 * 64 / 4;
  return rows >= least_side && inner >= least_side && columns >= least_side && rows * columns >= least_elements;
}

constexpr double does_not_pay = 8;

}  // namespace

double tiles_on_target(const KernelSpec& spec, const Target& target) {
  return includes(target.features, Feature::shared_memory) && fills_tiles(spec) ? 1 : does_not_pay;
}

double tiles_of_units(const KernelSpec& spec, const Target&) { return fills_tiles(spec) ? 1 : does_not_pay; }

}  // namespace webnn::runtime::vulkan
