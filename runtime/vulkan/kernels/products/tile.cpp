#include "runtime/vulkan/kernels/products/tile.hpp"

#include <algorithm>
#include <bit>

#include "runtime/vulkan/kernels/estimates.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

ProductSize product_size(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape& y = spec.outputs[0].shape;
  if (spec.op == "conv2d"_op) {
    const Shape& filter = call.shape(1);
    const std::uint64_t groups = call.u32("groups");
    return {y[1] / groups, std::uint64_t(filter[1]) * filter[2] * filter[3], std::uint64_t(y[0]) * y[2] * y[3], groups};
  }
  if (spec.op == "@quantizedConv2d"_op) {
    // The channels of each tap are filled up to words of four bytes.
    const Shape& filter = call.shape(1);
    return {y[1], std::uint64_t(round_up(filter[1], 4)) * filter[2] * filter[3], std::uint64_t(y[0]) * y[2] * y[3]};
  }
  const Shape& a = call.shape(0);
  // All batches have the same second matrix.
  if (spec.op == "@blockQuantizedMatmul"_op)
    return {element_count(y) / std::max(1u, y[y.rank() - 1]), a[a.rank() - 1], y[y.rank() - 1], 1};
  const std::uint64_t inner = a[a.rank() - (spec.op == "gemm"_op && call.boolean("aTranspose") ? 2 : 1)];
  const std::uint64_t rows = y[y.rank() - 2], columns = y[y.rank() - 1];
  const std::uint64_t batches = element_count(Shape(y.sizes().first(y.rank() - 2)));
  // The batches of one second matrix are rows of one product, which loads it once.
  if (spec.op == "matmul"_op && element_count(call.shape(1)) == inner * columns &&
      element_count(a) == batches * rows * inner)
    return {batches * rows, inner, columns, 1};
  return {rows, inner, columns, batches};
}

std::uint64_t Tile::groups(const ProductSize& size) const {
  return div_up(size.rows, rows) * div_up(size.columns, columns) * size.batches;
}

std::uint64_t Tile::part(const ProductSize& size, const Target& target) const {
  const std::uint64_t all = groups(size), wanted = compute_units_of(target) * groups_of_unit;
  if (!splits || size.inner == 0 || 4 * all >= 3 * wanted) return size.inner;  // nearly enough
  const std::uint64_t shortest = div_up(least_part, depth) * depth;
  const std::uint64_t wanted_part = size.inner / div_up(wanted, all) / depth * depth;
  // The whole axis may be shorter than that.
  return std::min(std::max(wanted_part, shortest), div_up(size.inner, depth) * depth);
}

Tile tile_of_few_rows(const ProductSize& size, std::uint32_t columns, std::uint32_t depth,
                      std::uint32_t groups_of_unit) {
  constexpr std::uint64_t shortest_part = 256;  // of the inner axis: shorter ones mostly add their sums
  return {.rows = std::uint32_t(std::bit_ceil(std::max<std::uint64_t>(size.rows, 1))),
          .columns = columns,
          .depth = depth,
          .row_quads = 0,
          .column_quads = 0,
          .splits = true,
          .least_part = shortest_part,
          .groups_of_unit = groups_of_unit};
}

}  // namespace webnn::runtime::vulkan
