#include "runtime/vulkan/kernels/tiles.hpp"

#include "schema/elements/half.hpp"

namespace webnn::runtime::vulkan {

BlockLoad block_load(std::uint64_t stride, std::uint64_t inner_stride, std::uint64_t count, std::uint64_t inner) {
  const bool along_inner = inner_stride == 1;
  const std::uint64_t line = along_inner ? stride : inner_stride, length = along_inner ? inner : count;
  const bool vectors = (along_inner ? inner_stride : stride) == 1 && line % 4 == 0 && length % 4 == 0;
  return {vectors, along_inner};
}

TiledProduct::TiledProduct(const Tile& tile, const ProductSize& size, const Target& target)
    : tile(tile),
      size(size),
      part(tile.part(size, target)),
      splits(part == 0 ? 1 : (size.inner + part - 1) / part),
      sum_bytes(splits == 1 ? 0 : splits * size.rows * size.columns * size.batches * sizeof(float)) {}

std::uint64_t TiledProduct::products() const { return size.rows * size.inner * size.columns * size.batches; }

void TiledProduct::sums(DispatchMaker& maker, bool completes) const {
  if (splits == 1)
    maker.absent();
  else
    maker.scratch(0, sum_bytes, completes, !completes);
}

Dispatch TiledProduct::over(DispatchMaker& maker, BlockLoad a, BlockLoad b, const Target& target) const {
  maker.specialize(16, a.code()).specialize(17, b.code());
  return over(maker, tile.depth, target);
}

Dispatch TiledProduct::over(DispatchMaker& maker, std::uint32_t lines, const Target& target) const {
  // Drivers that run on the CPU take long to compile unrolled loops, and gain nothing.
  const std::uint32_t unrolled = includes(target.features, Feature::shared_memory) ? 4 : 1;
  maker.specialize(5, tile.rows).specialize(6, tile.columns).specialize(7, tile.depth);
  maker.specialize(14, splits != 1);
  const std::uint64_t slices = (std::min(part, size.inner) + tile.depth - 1) / tile.depth;
  std::uint64_t of_slice = 1 + lines / unrolled;
  if (tile.subgroups != 0) {
    constexpr std::uint64_t of_lines = 4 * sizeof(Half), padding = 2, most_side = 16;  // shaders/products/units.glsl
    maker.specialize(8, tile.parts_down).specialize(9, tile.parts_across());
    maker.shared(of_lines * lines * (tile.rows / 4 + padding + tile.columns / 4 + padding) +
                 most_side * tile.columns * sizeof(float));
    of_slice = 1 + lines / 4;  // fragments take four elements of the inner axis at least
  } else {
    constexpr std::uint64_t quad = 4 * sizeof(float);
    maker.specialize(8, tile.row_quads).specialize(9, tile.column_quads).specialize(15, unrolled);
    maker.shared(quad * lines * (tile.rows / 4 + 1 + tile.columns / 4 + 1));
  }
  constexpr std::uint64_t of_storing = 400;
  maker.turns((slices + 1) * of_slice, of_storing).work(products());
  Dispatch dispatch = maker.over_groups(tile.groups(size) * splits);
  dispatch.subgroups = tile.subgroups;
  return dispatch;
}

Dispatch TiledProduct::over_elements(DispatchMaker& maker) const {
  return maker.turns(splits).over(size.rows * size.columns * size.batches);
}

}  // namespace webnn::runtime::vulkan
