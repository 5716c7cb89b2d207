// Conditions of the vulkan rows.
#include <algorithm>

#include "schema/kernels/kernel_conditions.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::schema {

bool vulkan_positions_are_narrow(const KernelSpec& spec) {
  constexpr std::int64_t limit = std::int64_t{1} << 31;
  constexpr std::int64_t beyond = 8;  // kernels compute this many columns together, possibly past the last one
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  return std::ranges::all_of(sliding_windows(call, spec.outputs[0].shape), [](const SlidingWindow& axis) {
    if (std::max({axis.stride, axis.dilation, axis.begin, axis.window}) >= limit) return false;
    return (axis.output + beyond) * axis.stride < limit && axis.extent() < limit &&
           (axis.output + beyond) * axis.stride + axis.extent() + axis.begin < limit;
  });
}

bool vulkan_takes_convolution(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == (spec.op == "conv2d"_op ? "oihw" : "iohw");
}

bool vulkan_takes_tiles(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const Shape& y = spec.outputs[0].shape;
  std::uint64_t rows = 0, inner = 0, columns = 0;
  if (spec.op == "conv2d"_op) {
    if (!vulkan_takes_convolution(spec) || !vulkan_positions_are_narrow(spec)) return false;
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

bool vulkan_takes_depthwise(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  return vulkan_takes_convolution(spec) && call.shape(1)[1] == 1 && vulkan_positions_are_narrow(spec);
}

bool vulkan_takes_attention(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  constexpr std::uint32_t most_features = 256;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const auto features = [&](std::size_t operand, std::string_view permutation) {
    return call.shape(operand)[call.u32_list(permutation).back()];
  };
  return features(0, "queryPermutation") <= most_features && features(2, "valuePermutation") <= most_features;
}

}  // namespace webnn::schema
