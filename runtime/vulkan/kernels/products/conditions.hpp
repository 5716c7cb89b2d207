// Kernel rows of products and convolutions, and conditions of rows that several files of kernels share.
#pragma once

#include <span>

#include "runtime/kernel_conditions.hpp"
#include "runtime/vulkan/fragments.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::vulkan {

/// nchw tensors and oihw filters (convTranspose2d: iohw), as canonicalize writes convolutions.
bool takes_convolution(const KernelSpec& spec);
/// Window operators whose positions, inside and outside of the input, fit in 31 bits.
bool positions_are_narrow(const KernelSpec& spec);
/// Windows of one element, all inside of the input.
bool is_pointwise(std::span<const SlidingWindow> windows);

/// Convolutions on which tiles of products work; products always do.
bool takes_tiles(const KernelSpec& spec);
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
          .least_part = 256,
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
bool has_few_rows(const KernelSpec& spec);
/// A workgroup's columns, the elements of the inner axis that its lanes take at a time, and how many workgroups keep a
/// unit's loads on their way.
Tile tile_of_few_rows(const ProductSize& size, std::uint32_t columns, std::uint32_t depth,
                      std::uint32_t groups_of_unit);
/// Before tiles and blocks where shared memory pays off, after them where a CPU runs shaders.
double scale_of_few_rows(const KernelSpec& spec, const Target& target);

/// Factor of kernels that compute tiles in shared memory; high where the target is not faster in it.
double scale_of_tile(const Tile& tile, const KernelSpec& spec, const Target& target);
template <const Tile& tile>
double scale_of_tile(const KernelSpec& spec, const Target& target) {
  return scale_of_tile(tile, spec, target);
}
/// Clocks of a GPU for a product by tiles in float32.
double clocks_of_tile(const Tile& tile, const ProductSize& size, const Target& target);
/// Factor of kernels whose product is not the call's own: `steps` further dispatches move `bytes` bytes, all of them
/// from and to memory, because few GPUs have caches for what lies between dispatches.
double scale_of_steps(const Tile& tile, const ProductSize& size, unsigned steps, std::uint64_t bytes,
                      const KernelSpec& spec, const Target& target);
/// Likewise for tiles of @quantizedConv2d, which read bytes; `dots`: four products and their sum are one instruction.
double scale_of_byte_tile(const Tile& tile, bool dots, const KernelSpec& spec, const Target& target);

/// The row of a product or convolution with post-ops. `name` begins with its operator. The operands of its post-ops are
/// read before the result is written.
consteval KernelRow product_row(std::string_view name, bool (*can)(const KernelSpec&) = nullptr, double factor = 1,
                                double (*scale)(const KernelSpec&, const Target&) = nullptr,
                                DataTypes types = any_type) {
  const std::string_view op = name.substr(0, name.find('.'));
  return {.name = name,
          .op = op,
          .types = types,
          .in_place = std::uint8_t(op == "matmul" ? 0b1111'1100 : 0b1111'1000),
          .can = can,
          .can_apply = elementwise_expression,
          .factor = factor,
          .scale = scale};
}
/// Matrix units multiply float16 only.
template <const Tile& tile>
consteval KernelRow tile_row(std::string_view name) {
  return product_row(name, takes_tiles, 1, scale_of_tile<tile>,
                     tile.subgroups != 0 ? DataTypes{DataType::float16} : any_type);
}

}  // namespace webnn::runtime::vulkan
