#include "runtime/cpu/simd/convolution/winograd_tiles.hpp"

#include "runtime/cpu/simd/convolution/window_shapes.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

/// Bytes of transformed patches that are in the L2 cache at a time.
std::size_t patch_bytes() { return core_caches().l2 / 4 * 3; }

}  // namespace

WinogradSizes winograd_sizes(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
  const auto padding = call.u32_list("padding");
  WinogradSizes sizes;
  sizes.images = input[0];
  sizes.channels = input[1];
  sizes.height = input[2];
  sizes.width = input[3];
  sizes.output_channels = output[1];
  sizes.output_height = output[2];
  sizes.output_width = output[3];
  sizes.top = padding[0];
  sizes.left = padding[2];
  return sizes;
}

bool has_winograd_windows(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  constexpr std::uint32_t vector = 16;
  const SpecCall call(spec);
  const Shape& filter = call.shape(1);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == "oihw" && call.u32("groups") == 1 &&
         filter[2] == 3 && filter[3] == 3 && all_are(call, "strides", 1) && all_are(call, "dilations", 1) &&
         filter[0] % vector == 0 && filter[1] % vector == 0;
}

double tiles_to_direct(const KernelSpec& spec, const Target&) {
  const Shape &filter = spec.inputs[1]->shape, &output = spec.outputs[0].shape;
  const auto along = [&](unsigned axis) { return double((output[axis] + winograd_tile - 1) / winograd_tile); };
  const double tiles = output[0] * along(2) * along(3), pixels = double(output[0]) * output[2] * output[3];
  return 16.0 * (tiles + 16) * (1 + 8.0 / filter[0] + 8.0 / filter[1]) / (9.0 * (pixels + 16));
}

TilePortions::TilePortions(const WinogradSizes& sizes, std::size_t bytes_of_number)
    : bytes_of_tile(winograd_elements * sizes.channels * bytes_of_number) {
  const std::size_t all = sizes.tiles(),
                    portions = std::clamp<std::size_t>(all * bytes_of_tile / patch_bytes(), 1, all);
  tiles = (all + portions - 1) / portions;
  // An odd number of cache lines: all elements of a patch are written together, and would compete for the same places of
  // the cache if they were a power of two apart.
  const std::size_t line = 64 / bytes_of_number;
  element_step = ((tiles * sizes.channels + line - 1) / line | 1) * line;
}

}  // namespace webnn::runtime::simd
