#include "runtime/vulkan/kernels/products/tiles.hpp"

#include "schema/elements/half.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

BlockLoad block_load(std::uint64_t stride, std::uint64_t inner_stride, std::uint64_t count, std::uint64_t inner) {
  const bool along_inner = inner_stride == 1;
  const std::uint64_t line = along_inner ? stride : inner_stride, length = along_inner ? inner : count;
  const auto fills = [&](unsigned count_of) {
    return (along_inner ? inner_stride : stride) == 1 && line % count_of == 0 && length % count_of == 0;
  };
  return {fills(4), along_inner, fills(8)};
}

void specialize_loads(DispatchMaker& maker, BlockLoad a, BlockLoad b) {
  maker.specialize(Constant::load_a, a.code()).specialize(Constant::load_b, b.code());
}

TiledProduct::TiledProduct(const Tile& tile, const ProductSize& size, const Target& target)
    : tile(tile),
      size(size),
      part(tile.part(size, target)),
      splits(part == 0 ? 1 : div_up(size.inner, part)),
      sum_bytes(splits == 1 ? 0 : splits * size.rows * size.columns * size.batches * sizeof(float)) {}

std::uint64_t TiledProduct::products() const { return size.rows * size.inner * size.columns * size.batches; }

void TiledProduct::sums(DispatchMaker& maker, bool completes) const {
  if (splits == 1)
    maker.absent();
  else
    maker.scratch(0, sum_bytes, completes, !completes);
}

void TiledProduct::specialize_few_rows(DispatchMaker& maker, std::uint32_t width) const {
  maker.specialize(Constant::tile_rows, tile.rows)
      .specialize(Constant::few_rows_width, width)
      .specialize(Constant::split, splits != 1);
}

Dispatch TiledProduct::over(DispatchMaker& maker, BlockLoad a, BlockLoad b, const Target& target) const {
  specialize_loads(maker, a, b);
  if (tile.subgroups == 0) {
    // A CPU's caches answer at once.
    maker.specialize(Constant::ahead, includes(target.features, Feature::shared_memory) ? tile.ahead : 1);
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
  maker.specialize(Constant::parts_down, tile.parts_down)
      .specialize(Constant::parts_across, tile.parts_across())
      .specialize(Constant::ahead, tile.ahead);
  return complete(maker, 1);
}

Dispatch TiledProduct::over(DispatchMaker& maker, std::uint32_t lines, const Target& target) const {
  // Drivers that run on the CPU take long to compile unrolled loops, and gain nothing.
  const std::uint32_t unrolled = includes(target.features, Feature::shared_memory) ? 4 : 1;
  constexpr std::uint64_t quad = 4 * sizeof(float);
  maker.specialize(Constant::row_quads, tile.row_quads)
      .specialize(Constant::column_quads, tile.column_quads)
      .specialize(Constant::unrolled, unrolled);
  maker.shared(quad * lines * (tile.rows / 4 + 1 + tile.columns / 4 + 1));
  return complete(maker, 1 + lines / unrolled);
}

Dispatch TiledProduct::complete(DispatchMaker& maker, std::uint64_t turns_of_slice) const {
  maker.specialize(Constant::tile_rows, tile.rows)
      .specialize(Constant::tile_columns, tile.columns)
      .specialize(Constant::tile_depth, tile.depth)
      .specialize(Constant::split, splits != 1);
  const std::uint64_t slices = div_up(std::min(part, size.inner), tile.depth);
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
