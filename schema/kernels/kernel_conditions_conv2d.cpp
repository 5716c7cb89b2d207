// Our own convolutions: depthwise, pointwise, and Winograd's.
#include <algorithm>

#include "schema/kernels/kernel_conditions.hpp"

namespace webnn::schema {
namespace {

/// What a convolution takes with tiles of `tile` x `tile` pixels (1: without a transform), in products of two numbers
/// for each pair of channels: they are multiplied for every tile, and the filter is read once, for which a core could
/// do about 16 more. The transforms are done once for all channels of the other side.
double cost_of_tiles(const Shape& filter, const Shape& output, std::uint32_t tile) {
  const auto along = [&](unsigned axis) { return double((output[axis] + tile - 1) / tile); };
  const double tiles = output[0] * along(2) * along(3), elements = (tile + 2.0) * (tile + 2.0);
  const double transforms = tile == 1 ? 0 : 8.0 / filter[0] + 8.0 / filter[1];
  return elements * (tiles + 16) * (1 + transforms);
}

/// A window of 3 or 5 columns for each channel, which moves by 1 or 2 columns.
bool is_depthwise(const OperatorCall& call) {
  const Shape &input = call.shape(0), &filter = call.shape(1);
  const std::uint32_t columns = filter[3], stride = call.u32_list("strides")[1];
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == "oihw" && call.u32("groups") == input[1] &&
         filter[0] == input[1] && (columns == 3 || columns == 5) && (stride == 1 || stride == 2) &&
         call.u32_list("dilations")[1] == 1;
}

bool all_are(const OperatorCall& call, std::string_view attribute, std::uint32_t value) {
  return std::ranges::all_of(call.u32_list(attribute), [=](std::uint32_t item) { return item == value; });
}

}  // namespace

std::uint32_t winograd_tile(const KernelSpec& spec) {
  const Shape &filter = spec.inputs[1]->shape, &output = spec.outputs[0].shape;
  std::uint32_t best = 1;
  for (const std::uint32_t tile : {2u, 4u})
    if (cost_of_tiles(filter, output, tile) < cost_of_tiles(filter, output, best)) best = tile;
  return best;
}

bool simd_takes_depthwise(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  constexpr std::uint32_t growth = 16;  // of the filter, at most: channels are filled up to a vector
  return is_depthwise(call) && byte_length(*spec.inputs[1]) <= max_tensor_bytes / growth;
}

bool simd_takes_quantized_depthwise(const KernelSpec& spec) {
  if (spec.outputs.empty() || spec.outputs[0].type == DataType::float32) return false;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  return is_depthwise(call) && call.shape(1)[2] == call.shape(1)[3];
}

bool simd_takes_quantized_pointwise(const KernelSpec& spec) {
  if (spec.outputs.empty() || spec.outputs[0].type == DataType::float32) return false;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  constexpr std::uint32_t vector = 32, together = 4, most_inputs = 16384;  // so many products fit into an int32
  constexpr std::uint64_t fewest_pixels = 16;                              // which read the weights together
  const Shape& filter = call.shape(1);
  return call.u32("groups") == 1 && filter[2] == 1 && filter[3] == 1 && all_are(call, "strides", 1) &&
         all_are(call, "padding", 0) && element_count(call.shape(0)) / filter[1] >= fewest_pixels &&
         filter[1] % together == 0 && filter[1] <= most_inputs && filter[0] >= vector;
}

bool simd_takes_pointwise(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  constexpr std::uint32_t growth = 16;  // of the filter, at most: channels are filled up to a vector
  const Shape& filter = call.shape(1);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == "oihw" && call.u32("groups") == 1 &&
         filter[2] == 1 && filter[3] == 1 && all_are(call, "padding", 0) &&
         byte_length(*spec.inputs[1]) <= max_tensor_bytes / growth;
}

bool simd_takes_winograd(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  constexpr std::uint32_t vector = 16;  // channels
  constexpr std::uint32_t growth = 8;   // of the filter, at most: 36 elements for 9, and channels are filled up to 32
  const Shape& filter = call.shape(1);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == "oihw" && call.u32("groups") == 1 &&
         filter[2] == 3 && filter[3] == 3 && all_are(call, "strides", 1) && all_are(call, "dilations", 1) &&
         filter[0] % vector == 0 && filter[1] % vector == 0 &&
         byte_length(*spec.inputs[1]) <= max_tensor_bytes / growth && winograd_tile(spec) != 1;
}

}  // namespace webnn::schema
