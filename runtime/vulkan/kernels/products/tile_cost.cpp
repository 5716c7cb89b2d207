#include "runtime/vulkan/kernels/products/tile_cost.hpp"

#include <algorithm>

#include "runtime/vulkan/kernels/estimates.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

namespace {

// A model of a GPU's compute unit, in its clocks. It multiplies and adds `rate` times in a clock if `busy_lanes`
// invocations are resident; fewer leave it idle in part. So does a workgroup alone, when it waits at its barriers.
constexpr double rate = 64, busy_lanes = 256, groups_that_hide = 2;
constexpr double shared_bytes = 64, cache_bytes = 25;  // of a clock: from shared memory, from the cache of all units
constexpr double memory_bytes = 8;                     // likewise, from memory
constexpr double of_dispatch = 3000;                   // a second dispatch, with its barrier

/// The clocks for `groups` workgroups, each with this many lanes and clocks of a unit that is busy.
double clocks_of_groups(std::uint64_t groups, double lanes, double clocks, std::uint64_t units) {
  const auto rounds = double(div_up(groups, units));
  return rounds * clocks / std::min({1.0, rounds * lanes / busy_lanes, rounds / groups_that_hide});
}

/// What elements along the inner axis cost.
struct ElementWork {
  double products = 1;                 // as a multiple of `rate`
  double shared_bytes = 4, bytes = 4;  // in shared memory and elsewhere
};

/// How many elements a workgroup reads from shared memory for each step along the inner axis, if a lane's quad counts as
/// one: the lanes that read the same share it.
double loads_of_step(const Tile& tile) {
  if (tile.subgroups == 0) return tile.lanes() * double(tile.row_quads + tile.column_quads);
  return tile.subgroups * (double(tile.rows) / tile.parts_down + double(tile.columns) / tile.parts_across());
}

/// What the workgroup loads comes from the cache.
double clocks_of_tile(const Tile& tile, const ProductSize& size, const Target& target, const ElementWork& work) {
  const std::uint64_t units = compute_units_of(target), part = tile.part(size, target);
  const std::uint64_t splits = part == 0 ? 1 : div_up(size.inner, part);
  const double results = double(tile.rows) * tile.columns;
  const double multiplying = results / (rate * work.products);
  const double sharing = work.shared_bytes * loads_of_step(tile) / shared_bytes;
  const double loading = work.bytes * (tile.rows + tile.columns) / cache_bytes;
  const double inner = double(div_up(std::min(part, size.inner), tile.depth)) * tile.depth;
  const double storing = 4 * results / cache_bytes;
  // More sums leave room for fewer workgroups, and do not stay in registers at all.
  constexpr std::uint32_t usual_sums = 64, most_sums = 128;
  const double spilling = tile.sums_of_lane() > most_sums ? 4 : tile.sums_of_lane() > usual_sums ? 2 : 1;
  const double group = inner * (std::max(multiplying, sharing) * spilling + loading) + storing;
  const double all = clocks_of_groups(tile.groups(size) * splits, tile.lanes(), group, units);
  if (!tile.splits) return all;
  const double sums = double(size.rows) * size.columns * size.batches * splits;
  return all + of_dispatch + 4 * sums / (cache_bytes * units);
}

/// A single invocation computes 4 x 4 elements and loads 8 elements for them, which takes three times as long as
/// multiplying them.
double clocks_without_tiles(const ProductSize& size, const Target& target) {
  constexpr double lanes = 64;
  const std::uint64_t blocks = div_up(size.rows, 4) * div_up(size.columns, 4) * size.batches;
  return clocks_of_groups(div_up(blocks, 64), lanes, lanes * 16 * 3 * double(size.inner) / rate,
                          compute_units_of(target));
}

/// Whether the product is large enough for tiles.
bool fills_tiles(const ProductSize& size) {
  // Shorter sides have kernels of their own (few_rows.cpp).
  constexpr std::uint64_t least_side = 9, least_inner = 16, least_elements = 64 * 64 / 4;
  return size.rows >= least_side && size.columns >= least_side && size.inner >= least_inner &&
         size.rows * size.columns >= least_elements;
}

/// On a driver that runs shaders on the CPU: what `benchmark-gpu` measured on llvmpipe, as a share of the time without
/// tiles. Nothing is won there by filling units; what counts is how few loads there are, each of which is made lane by
/// lane, and how many results lie outside of the product.
double share_on_cpu(const Tile& tile, const KernelSpec& spec, const ProductSize& size) {
  const bool is_convolution = row(spec.op).family == Family::convolution;
  const auto padded = [](std::uint64_t count, std::uint64_t by) {
    return double(div_up(count, by) * by) / double(count);
  };
  struct Share {
    std::uint32_t rows, sums;  // of the tile, and of its lanes
    double of_product, of_convolution;
  };
  constexpr Share shares[]{{128, 256, 0.43, 0.34}, {128, 0, 0.60, 0.48}, {64, 0, 0.85, 0.52}, {0, 0, 1.2, 1.0}};
  const Share& share = *std::ranges::find_if(
      shares, [&](const Share& each) { return tile.rows >= each.rows && tile.sums_of_lane() >= each.sums; });
  const double whole = is_convolution ? share.of_convolution : share.of_product;
  const double storing = (tile.rows >= 128 ? 50.0 : 16.0) / double(size.inner);
  const double without = is_convolution ? padded(spec.outputs[0].shape[3], 4) : 1;
  return (whole + storing + (tile.splits ? 0.01 : 0.0)) * padded(size.rows, tile.rows) *
         padded(size.columns, tile.columns) / without;
}

/// What tells tiles apart that the models take for equal: no two rows cost the same. Lanes that load ahead, which no GPU
/// has measured, come after those that do not.
double share_of_ties(const Tile& tile) {
  constexpr double of_unmeasured = 0.03, unit = 1e-6;
  const double lanes = tile.subgroups == 0 ? tile.sums_of_lane() + 0.5 : tile.subgroups + 0.25;
  return (tile.subgroups == 0 && tile.ahead > 1 ? of_unmeasured : 0) +
         unit * (tile.rows + tile.columns / 1.5 + tile.depth / 7.0 + lanes / 30.0 + tile.ahead / 100.0);
}

double scale_without_ties(const Tile& tile, const KernelSpec& spec, const Target& target) {
  const ProductSize size = product_size(spec);
  if (!includes(target.features, Feature::shared_memory) && fills_tiles(size) && tile.subgroups == 0)
    return share_on_cpu(tile, spec, size);
  // The smaller ones, and those that do not split, are the lesser evil: no two rows cost the same.
  if (!includes(target.features, Feature::shared_memory) || !fills_tiles(size))
    return does_not_pay + tile.rows / 1024.0 + tile.sums_of_lane() / 65536.0 + (tile.splits ? 0.01 : 0.0);
  constexpr ElementWork in_lanes, in_units{8, 2, 2};
  return clocks_of_tile(tile, size, target, tile.subgroups != 0 ? in_units : in_lanes) /
         clocks_without_tiles(size, target);
}

}  // namespace

double scale_of_tile(const Tile& tile, const KernelSpec& spec, const Target& target) {
  return scale_without_ties(tile, spec, target) * (1 + share_of_ties(tile));
}

double clocks_of_tile(const Tile& tile, const ProductSize& size, const Target& target) {
  return clocks_of_tile(tile, size, target, ElementWork{});
}

double scale_of_steps(const Tile& tile, const ProductSize& size, unsigned steps, std::uint64_t bytes,
                      const KernelSpec& spec, const Target& target) {
  const ProductSize own = product_size(spec);
  if (!includes(target.features, Feature::shared_memory) || !fills_tiles(size) || !fills_tiles(own))
    return does_not_pay + 0.2;
  const double moving = double(bytes) / (memory_bytes * double(compute_units_of(target)));
  return (clocks_of_tile(tile, size, target) + moving + steps * of_dispatch) / clocks_without_tiles(own, target);
}

double scale_of_byte_tile(const Tile& tile, bool dots, const KernelSpec& spec, const Target& target) {
  const ProductSize size = product_size(spec);
  const double last = does_not_pay + tile.rows / 1024.0 + tile.sums_of_lane() / 65536.0 + (tile.splits ? 0.01 : 0.0) +
                      (dots ? 0.02 : 0.0);
  if (!fills_tiles(size)) return last;
  if (!includes(target.features, Feature::shared_memory)) {
    constexpr double of_dots = 0.4;  // a quarter of the loads
    return share_on_cpu(tile, spec, size) * (dots ? of_dots : 1);
  }
  const ElementWork work = dots ? ElementWork{4, 1, 1} : ElementWork{1, 4, 1};
  // Small products may take longer than without tiles, but there are no other kernels for them.
  return std::min(clocks_of_tile(tile, size, target, work) / clocks_without_tiles(size, target), last);
}

double scale_of_few_rows(const KernelSpec&, const Target& target) {
  constexpr double preferred = 1.0 / 64, last = 2 * does_not_pay;
  return includes(target.features, Feature::shared_memory) ? preferred : last;
}

}  // namespace webnn::runtime::vulkan
