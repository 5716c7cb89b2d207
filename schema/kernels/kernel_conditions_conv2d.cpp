// Conditions of our own conv2d kernels: depthwise, pointwise and Winograd, and the first two on bytes.
#include <algorithm>

#include "schema/kernels/kernel_conditions.hpp"

namespace webnn::schema {
namespace {

/// Estimates the cost of a convolution in multiplications for each pair of an input and an output channel, with
/// Winograd tiles of `tile` x `tile` pixels (1: direct convolution). Each tile takes (tile + 2)^2 multiplications.
/// Reading the filter costs as much as 16 more tiles. A transform is shared by all channels of the other side, so its
/// cost is divided by their number.
double cost_of_tiles(const Shape& filter, const Shape& output, std::uint32_t tile) {
  const auto along = [&](unsigned axis) { return double((output[axis] + tile - 1) / tile); };
  const double tiles = output[0] * along(2) * along(3), elements = (tile + 2.0) * (tile + 2.0);
  const double transforms = tile == 1 ? 0 : 8.0 / filter[0] + 8.0 / filter[1];
  return elements * (tiles + 16) * (1 + transforms);
}

/// Depthwise, with windows of 3 or 5 columns and a horizontal stride of 1 or 2.
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
  constexpr std::uint32_t growth = 16;  // maximum growth of the filter when channels are padded to a vector
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
  constexpr std::uint32_t vector = 32, together = 4, most_inputs = 16384;  // this many products fit in an int32
  constexpr std::uint64_t fewest_pixels = 16;                              // they share one read of the weights
  const Shape& filter = call.shape(1);
  return call.u32("groups") == 1 && filter[2] == 1 && filter[3] == 1 && all_are(call, "strides", 1) &&
         all_are(call, "padding", 0) && element_count(call.shape(0)) / filter[1] >= fewest_pixels &&
         filter[1] % together == 0 && filter[1] <= most_inputs && filter[0] >= vector;
}

bool simd_takes_pointwise(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  constexpr std::uint32_t growth = 16;  // maximum growth of the filter when channels are padded to a vector
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
  constexpr std::uint32_t growth = 8;   // maximum growth of the filter: 36 elements for 9, and channels padded to 32
  const Shape& filter = call.shape(1);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == "oihw" && call.u32("groups") == 1 &&
         filter[2] == 3 && filter[3] == 3 && all_are(call, "strides", 1) && all_are(call, "dilations", 1) &&
         filter[0] % vector == 0 && filter[1] % vector == 0 &&
         byte_length(*spec.inputs[1]) <= max_tensor_bytes / growth && winograd_tile(spec) != 1;
}

}  // namespace webnn::schema
