// Tiles: how workgroups share out a product, and how large products of all operators are.
#pragma once

#include "runtime/kernel_conditions.hpp"
#include "runtime/vulkan/fragments.hpp"

namespace webnn::runtime::vulkan {

/// A product as tiles cut it.
struct ProductSize {
  std::uint64_t rows = 0, inner = 0, columns = 0, batches = 1;
};
ProductSize product_size(const KernelSpec& spec);

/// How a workgroup computes a product in shared memory (shaders/products/tiled.glsl).
struct Tile {
  std::uint32_t rows, columns, depth;     // of a workgroup; depth: elements of the inner axis at a time
  std::uint32_t row_quads, column_quads;  // of a lane: each is four rows or columns
  bool splits = false;                    // workgroups share out the inner axis
  std::uint64_t least_part = 64;          // of it for each of them: less is mostly loading and storing
  std::uint32_t groups_of_unit = 2;       // as few workgroups hide little of the latency of memory
  // How many subgroups multiply parts of the tile with matrix units; 0: the lanes do.
  std::uint32_t subgroups = 0;
  std::uint32_t parts_down = 2;  // these parts, below each other
  std::uint32_t ahead = 1;       // so many depths are loaded before they are multiplied
  constexpr std::uint32_t parts_across() const { return subgroups / parts_down; }
  constexpr std::uint32_t sums_of_lane() const { return 16 * row_quads * column_quads; }
  constexpr std::uint32_t lanes() const {
    constexpr std::uint32_t usual_subgroup = 32;
    return subgroups != 0 ? subgroups * usual_subgroup : rows / (4 * row_quads) * (columns / (4 * column_quads));
  }
  /// Workgroups for the whole inner axis.
  std::uint64_t groups(const ProductSize& size) const;
  /// How many elements of the inner axis a workgroup takes, so that the target's units have enough workgroups.
  std::uint64_t part(const ProductSize& size, const Target& target) const;
};
/// Two stages of a tile's elements are in shared memory, of which most devices have 48 KiB. A tile that is not made of
/// whole fragments, whichever the device has, does not compile.
consteval Tile tile_of_units(std::uint32_t rows, std::uint32_t columns, std::uint32_t depth, std::uint32_t ahead,
                             std::uint32_t subgroups, std::uint32_t parts_down) {
  if (rows % (parts_down * side_of_part) != 0 || subgroups % parts_down != 0 ||
      columns % (subgroups / parts_down * side_of_part) != 0)
    throw "parts are multiples of side_of_part";
  if (depth % largest_fragment.inner != 0) throw "the depth is a multiple of the fragments'";
  return {.rows = rows,
          .columns = columns,
          .depth = depth,
          .row_quads = 0,
          .column_quads = 0,
          .least_part = 128,
          .subgroups = subgroups,
          .parts_down = parts_down,
          .ahead = ahead};
}
constexpr Tile splitting(Tile tile) {
  tile.splits = true;
  return tile;
}
namespace tiles {
#define WEBNN_TILE(name, ...) inline constexpr Tile name = __VA_ARGS__;
#include "runtime/vulkan/kernels/products/tiles.def"
#undef WEBNN_TILE
}  // namespace tiles

/// Products of few rows (GEMV), whose workgroups compute all rows of some columns.
inline constexpr std::uint32_t few_rows_lanes = 128;
inline constexpr std::uint32_t groups_that_load = 8;  // of a unit, small ones: they keep enough loads on their way
/// A workgroup's columns, the elements of the inner axis that its lanes take at a time, and how many workgroups keep a
/// unit's loads on their way.
Tile tile_of_few_rows(const ProductSize& size, std::uint32_t columns, std::uint32_t depth,
                      std::uint32_t groups_of_unit);

}  // namespace webnn::runtime::vulkan
