// Conditions of the simd rows that work along axes (normalisation, resampling, pooling), and of recurrent networks and
// matrix products.
#include <algorithm>
#include <bit>

#include "schema/kernels/kernel_conditions.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::schema {
namespace {

OperatorCall call_of(const KernelSpec& spec, std::span<const OperandDescriptor* const> operands) {
  return {spec.op, operands, spec.attributes};
}

/// Whether the set bits are adjacent.
bool are_neighbours(unsigned bits) {
  const unsigned shifted = bits >> std::countr_zero(bits);
  return (shifted & (shifted + 1)) == 0;
}

}  // namespace

bool simd_takes_layer_normalization(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call = call_of(spec, operands);
  unsigned in_row_major = 0, in_channels_last = 0;
  for (const std::uint32_t axis : call.u32_list("axes")) {
    constexpr unsigned place_in_nhwc[] = {0, 3, 1, 2};
    in_row_major |= 1u << axis;
    if (call.shape(0).rank() == 4) in_channels_last |= 1u << place_in_nhwc[axis];
  }
  if (in_row_major == 0) return false;
  return are_neighbours(in_row_major) && (in_channels_last == 0 || are_neighbours(in_channels_last));
}

bool simd_takes_nchw(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  return call_of(spec, operands).text("layout") == "nchw";
}

bool simd_arg_keeps_order(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call = call_of(spec, operands);
  constexpr std::uint32_t channels = 1;
  return call.shape(0).rank() == 4 && (call.u32("axis") == channels || call.boolean("keepDimensions"));
}

bool simd_resamples_height_and_width(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const auto axes = call_of(spec, operands).u32_list("axes");
  return axes[0] + axes[1] == 5;  // 2 and 3 in either order, of four axes
}

bool simd_resamples_neighbours(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const auto axes = call_of(spec, operands).u32_list("axes");
  return axes[0] + 1 == axes[1] || axes[1] + 1 == axes[0];
}

bool simd_resamples_nearest(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  return call_of(spec, operands).text("mode") == "nearest-neighbor" && simd_resamples_height_and_width(spec);
}

bool simd_takes_recurrent(const KernelSpec& spec) {
  const std::uint64_t hidden = spec.inputs[2]->shape[spec.inputs[2]->shape.rank() - 1];
  const auto fits = [&](const OperandDescriptor& weights) {
    return byte_length(weights) / hidden * ((hidden + 15) / 16 * 16) <= max_tensor_bytes;
  };
  return fits(*spec.inputs[1]) && fits(*spec.inputs[2]);
}

bool simd_takes_few_rows(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const OperandDescriptor& b = *spec.inputs[1];
  const bool is_half = b.type == DataType::float16;
  const std::uint64_t widest_panel = 32, most_rows = is_half ? 12 : 8;
  const Shape& output = spec.outputs[0].shape;
  const std::uint64_t columns = output[output.rank() - 1], depth = element_count(b.shape) / columns;
  const std::uint64_t in_panels = (columns + widest_panel - 1) / widest_panel * widest_panel;
  const std::uint64_t matrix = std::uint64_t{b.shape[b.shape.rank() - 2]} * b.shape[b.shape.rank() - 1];
  return element_count(b.shape) == matrix && element_count(output) / columns <= most_rows &&
         (is_half ? in_panels <= 2 * columns : 4 * in_panels <= 5 * columns) &&
         in_panels * depth * (bits_of(b.type) / 8) <= max_tensor_bytes;
}

bool simd_takes_block_quantized_matmul(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call = call_of(spec, operands);
  const unsigned inner_axis = call.boolean("bTranspose") ? 1 : 0;
  const Shape &b = call.shape(1), &scale = call.shape(2);
  const std::uint64_t widest_panel = 32, numbers_in_word = 32 / bits_of(call.operand(1).type);
  const std::uint64_t depth = b[inner_axis], columns = b[1 - inner_axis], blocks = scale[inner_axis];
  const std::uint64_t block = depth / blocks;
  const auto rounded_up = [](std::uint64_t count, std::uint64_t unit) { return (count + unit - 1) / unit * unit; };
  const std::uint64_t in_panels = rounded_up(columns, widest_panel);
  const std::uint64_t in_words = blocks * rounded_up(block, numbers_in_word);
  return 4 * in_panels <= 5 * columns && 4 * in_words <= 5 * depth &&
         in_panels * in_words / numbers_in_word * 4 <= max_tensor_bytes &&
         in_panels * blocks * sizeof(float) <= max_tensor_bytes;
}

bool simd_takes_conv_transpose(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const auto operands = spec.root_operands();
  const OperatorCall call = call_of(spec, operands);
  if (call.text("inputLayout") != "nchw" || call.text("filterLayout") != "iohw" || call.u32("groups") != 1)
    return false;
  const auto side_by_side = [](const SlidingWindow& axis) {
    return axis.stride == axis.window && (axis.dilation == 1 || axis.window == 1) && axis.begin == 0 && axis.end == 0 &&
           axis.output == axis.input * axis.stride;
  };
  const Shape& filter = call.shape(1);
  constexpr std::uint32_t few = 8;  // output channels; more of them fill oneDNN's vectors
  return std::ranges::all_of(sliding_windows(call, spec.outputs[0].shape), side_by_side) && filter[1] < few &&
         filter[0] <= spread_most_channels && std::uint64_t{filter[1]} * filter[2] * filter[3] <= spread_most_results;
}

bool simd_takes_quantized_average(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call = call_of(spec, operands);
  const auto [vertical, horizontal] = sliding_windows(call);
  constexpr std::int64_t most_elements = 1 << 23;  // 2^23 * 255 < 2^31
  return std::min(vertical.window, vertical.input) * std::min(horizontal.window, horizontal.input) <= most_elements;
}

bool simd_takes_global_pool(const KernelSpec& spec) {
  if (!simd_takes_nchw(spec)) return false;
  const auto operands = spec.root_operands();
  const OperatorCall call = call_of(spec, operands);
  return std::ranges::all_of(sliding_windows(call, spec.outputs[0].shape), [](const SlidingWindow& axis) {
    return axis.window == axis.input && axis.output == 1 && axis.dilation == 1 && axis.begin == 0 && axis.end == 0;
  });
}

bool simd_takes_attention(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call = call_of(spec, operands);
  const auto features = [&](std::size_t operand, std::string_view permutation) {
    return call.shape(operand)[call.u32_list(permutation).back()];
  };
  return features(0, "queryPermutation") <= attention_most_features &&
         features(2, "valuePermutation") <= attention_most_features;
}

}  // namespace webnn::schema
