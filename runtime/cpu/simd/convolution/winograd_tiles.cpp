#include "runtime/cpu/simd/convolution/winograd_tiles.hpp"

#include "runtime/cpu/simd/convolution/window_shapes.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// Tiles whose transformed patches fill most of the L2 cache. With fewer than 60, more time would go into reading the filters
/// than it takes to read patches from beyond that cache. So a group may have up to twice as many.
std::size_t usual_tiles_of_group(std::size_t bytes_of_tile) {
  return std::max<std::size_t>(core_caches().l2 / 4 * 3 / bytes_of_tile, 60);
}

/// Multiplications of a task that are worth a thread's claim.
constexpr double fewest_products = 200'000;

/// How `tiles_to_direct` counts: reading a filter takes as long as its products with so many tiles, and the transforms of
/// a number as long as so many products.
constexpr double tiles_of_read = 16, products_of_transform = 8;

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
  const auto along = [&](unsigned axis) { return double(div_up(output[axis], winograd_tile)); };
  const double tiles = output[0] * along(2) * along(3), pixels = double(output[0]) * output[2] * output[3];
  const double transforms = products_of_transform / filter[0] + products_of_transform / filter[1];
  return 16.0 * (tiles + tiles_of_read) * (1 + transforms) / (9.0 * (pixels + tiles_of_read));
}

TileTasks::TileTasks(const WinogradSizes& sizes, std::size_t columns, std::size_t bytes_of_number, bool in_lines,
                     ScratchLayout& scratch)
    : sizes_(sizes), panels_(div_up(sizes.output_channels, columns)) {
  const std::size_t usual_tiles = usual_tiles_of_group(winograd_elements * sizes.channels * bytes_of_number);
  tiles_of_unit_ = in_lines && sizes.tile_columns() <= usual_tiles ? sizes.tile_columns() : 1;
  units_ = sizes.tiles() / tiles_of_unit_;
  const auto threads = std::size_t(team_size());
  const auto tiles_of_group = [&](std::size_t groups) { return div_up(units_, groups) * tiles_of_unit_; };
  // The products of an element of one task. Its thread may have to transform the group for it alone.
  const auto products_of_task = [&](std::size_t groups, std::size_t parts) {
    const auto tiles = double(tiles_of_group(groups));
    const auto outputs = double(std::min(div_up(panels_, parts) * columns, sizes.output_channels));
    const auto inputs = double(sizes.channels);
    return outputs * inputs * (tiles + tiles_of_read) + products_of_transform * tiles * (inputs + outputs);
  };
  // Tasks of which a thread has several in a row are divided more evenly when one of the threads is disturbed.
  const auto cost = [&](std::size_t groups, std::size_t parts) {
    const std::size_t in_a_row = div_up(groups * parts, threads);
    return products_of_task(groups, parts) * double(in_a_row) * (1 + 0.06 / double(in_a_row));
  };
  const std::size_t fewest = std::clamp<std::size_t>(sizes.tiles() / usual_tiles, 1, units_);
  groups_ = fewest;
  for (std::size_t parts = 1; threads > 1; parts = std::min(2 * parts, panels_)) {
    for (std::size_t groups = fewest; groups <= std::min(fewest + 4 * threads, units_); ++groups)
      if (winograd_elements * products_of_task(groups, parts) >= fewest_products &&
          cost(groups, parts) < cost(groups_, parts_))
        groups_ = groups, parts_ = parts;
    if (parts == panels_) break;
  }
  constexpr double worth_waking = 8 * fewest_products;
  wakes_ = double(winograd_elements * sizes.tiles()) * double(sizes.channels) * double(sizes.output_channels) >=
           worth_waking;
  // An odd number of cache lines: all elements of a patch are written together, and would compete for the same places of
  // the cache if they were a power of two apart.
  const std::size_t line = 64 / bytes_of_number;
  element_step_ = (div_up(tiles_of_group(groups_) * sizes.channels, line) | 1) * line;
  patches_ = scratch.add_places(unsigned(std::min(threads, groups_ * parts_)),
                                winograd_elements * element_step_ * bytes_of_number);
}

}  // namespace webnn::runtime::simd
