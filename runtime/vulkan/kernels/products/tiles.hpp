// Dispatches of products in shared memory (shaders/products/tiled.glsl).
#pragma once

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"

namespace webnn::runtime::vulkan {

/// How blocks of an operand are loaded (shaders/products/blocks.glsl).
struct BlockLoad {
  bool vectors = false, along_inner = false, eights = false;
  constexpr std::uint32_t code() const {
    return std::uint32_t(vectors) | std::uint32_t(along_inner) << 1 | std::uint32_t(eights) << 2;
  }
};
/// For an operand with one element adjacent along the rows or columns (`stride` 1) or along the inner axis. Vectors need
/// places that are multiples of four, and all their elements inside of the operand; eights likewise.
BlockLoad block_load(std::uint64_t stride, std::uint64_t inner_stride, std::uint64_t count, std::uint64_t inner);
void specialize_loads(DispatchMaker& maker, BlockLoad a, BlockLoad b);

/// The shaders of a tiled product.
struct TiledShader {
  ShaderCode (*lanes)();
  ShaderCode (*units)();  // with matrix units
  ShaderCode (*sum_splits)();
};

/// A product cut into tiles, and its inner axis into `splits` parts, whose sums lie in scratch memory if there are several.
struct TiledProduct {
  const Tile& tile;
  ProductSize size;
  std::uint64_t part, splits, sum_bytes;
  TiledProduct(const Tile& tile, const ProductSize& size, const Target& target);
  /// Multiplications of elements.
  std::uint64_t products() const;
  /// Adds the address of the sums to a table that it is made for; `completes`: for the dispatch that adds them.
  void sums(DispatchMaker& maker, bool completes) const;
  /// For shaders of few rows: `width` lanes are adjacent in a line of the second matrix.
  void specialize_few_rows(DispatchMaker& maker, std::uint32_t width) const;
  /// Completes a dispatch whose table has been written.
  Dispatch over(DispatchMaker& maker, BlockLoad a, BlockLoad b, const Target& target) const;
  /// The same for a shader whose slices of the tile's depth are `lines` lines of quads in shared memory.
  Dispatch over(DispatchMaker& maker, std::uint32_t lines, const Target& target) const;
  Dispatch over_elements(DispatchMaker& maker) const;

 private:
  Dispatch complete(DispatchMaker& maker, std::uint64_t turns_of_slice) const;
};

/// The dispatches of a product whose first one is given: a second one adds the sums of several parts.
/// `make(shader, lanes, completes)` returns a maker with a written table.
template <typename Make>
Dispatches with_sums(const TiledProduct& product, Dispatch of_parts, const ShaderCode& sum_splits, Make make) {
  Dispatches list(std::move(of_parts));
  if (product.splits == 1) return list;
  list.scratch_bytes = product.sum_bytes;
  DispatchMaker sums = make(sum_splits, DispatchMaker::usual_group, true);
  list.dispatches.push_back(product.over_elements(sums));
  return list;
}

template <typename Make>
Dispatches tiled_product(const TiledProduct& product, const TiledShader& shader, BlockLoad a, BlockLoad b,
                         const Target& target, Make make) {
  DispatchMaker tiles =
      make((product.tile.subgroups != 0 ? shader.units : shader.lanes)(), product.tile.lanes(), false);
  return with_sums(product, product.over(tiles, a, b, target), shader.sum_splits(), make);
}

}  // namespace webnn::runtime::vulkan
