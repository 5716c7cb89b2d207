#include "runtime/vulkan/kernels/tiles.hpp"

#include "schema/elements/half.hpp"

namespace webnn::runtime::vulkan {

BlockLoad block_load(std::uint64_t stride, std::uint64_t inner_stride, std::uint64_t count, std::uint64_t inner) {
  const bool along_inner = inner_stride == 1;
  const std::uint64_t line = along_inner ? stride : inner_stride, length = along_inner ? inner : count;
  const auto fills = [&](unsigned count_of) {
    return (along_inner ? inner_stride : stride) == 1 && line % count_of == 0 && length % count_of == 0;
  };
  return {fills(4), along_inner, fills(8)};
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
  if (tile.subgroups == 0) {
    // A CPU's caches answer at once.
    maker.specialize(19, includes(target.features, Feature::shared_memory) ? tile.ahead : 1);
    return over(maker, tile.depth, target);
  }
  // shaders/products/units.glsl
  const auto bytes_of = [&](std::uint32_t side, BlockLoad how) {
    constexpr std::uint64_t of_eight = 8 * sizeof(Half);
    const std::uint32_t eights = (how.along_inner ? tile.depth : side) / 8;
    return of_eight * (how.along_inner ? side : tile.depth) * (eights + 1);
  };
  constexpr std::uint64_t stages = 2, most_rows = largest_fragment.rows;
  maker.shared(std::max(stages * (bytes_of(tile.rows, a) + bytes_of(tile.columns, b)),
                        most_rows * tile.columns * sizeof(float)));
  maker.specialize(8, tile.parts_down).specialize(9, tile.parts_across()).specialize(15, tile.ahead);
  return complete(maker, 1);
}

Dispatch TiledProduct::over(DispatchMaker& maker, std::uint32_t lines, const Target& target) const {
  // Drivers that run on the CPU take long to compile unrolled loops, and gain nothing.
  const std::uint32_t unrolled = includes(target.features, Feature::shared_memory) ? 4 : 1;
  constexpr std::uint64_t quad = 4 * sizeof(float);
  maker.specialize(8, tile.row_quads).specialize(9, tile.column_quads).specialize(15, unrolled);
  maker.shared(quad * lines * (tile.rows / 4 + 1 + tile.columns / 4 + 1));
  return complete(maker, 1 + lines / unrolled);
}

Dispatch TiledProduct::complete(DispatchMaker& maker, std::uint64_t turns_of_slice) const {
  maker.specialize(5, tile.rows).specialize(6, tile.columns).specialize(7, tile.depth);
  maker.specialize(14, splits != 1);
  const std::uint64_t slices = (std::min(part, size.inner) + tile.depth - 1) / tile.depth;
  constexpr std::uint64_t of_storing = 400;
  maker.turns((slices + 1) * turns_of_slice, of_storing).work(products());
  Dispatch dispatch = maker.over_groups(tile.groups(size) * splits);
  dispatch.subgroups = tile.subgroups;
  return dispatch;
}

Dispatch TiledProduct::over_elements(DispatchMaker& maker) const {
  return maker.turns(splits).over(size.rows * size.columns * size.batches);
}

}  // namespace webnn::runtime::vulkan
