// Products of few rows or columns (GEMV), shaders/products/few_rows.comp.
#include <algorithm>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"
#include "runtime/vulkan/kernels/products/matrix_table.hpp"
#include "runtime/vulkan/kernels/products/tiles.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

Dispatches multiply(const KernelSpec& spec, const MatrixProduct& product, const Target& target) {
  const ProductSize& size = product.size;
  const BlockLoad a = product.load_a(), b = product.load_b();
  // Lanes that are adjacent load what is adjacent: 256 bytes and more of a line of b, since memory is slow where many
  // lines are read at the same time. Where the lines are along the inner axis, a workgroup has whole ones of some columns.
  const std::uint32_t lanes = b.along_inner && size.rows <= 4 ? 256 : 128, width = b.along_inner ? lanes / 32 : 32;
  constexpr std::uint32_t together = 4;
  const Tile tile = tile_of_few_rows(size, !b.along_inner && b.vectors ? width * together : width,
                                     lanes / width * together, b.along_inner ? 1 : groups_that_load);
  const TiledProduct tiled(tile, size, target);
  const auto make = [&](const ShaderCode& shader, std::uint32_t group, bool completes) {
    return split_table(spec, product, shader, group, tiled, completes);
  };
  DispatchMaker parts = make(shaders::few_rows(), lanes, false);
  tiled.specialize_few_rows(parts, width);
  specialize_loads(parts, a, b);
  constexpr std::uint64_t of_sums = 200;
  constexpr std::uint64_t least_sums = 16 << 10;
  parts.shared(std::max(least_sums, tile.rows * std::uint64_t{together} * lanes * sizeof(float)));
  parts.turns(tiled.part / tile.depth + 1, of_sums).work(tiled.products());
  return with_sums(tiled, parts.over_groups(tile.groups(size) * tiled.splits), shaders::sum_splits_matmul(), make);
}

Dispatches multiply_few_rows(const KernelSpec& spec, const Target& target) {
  return multiply(spec, matrix_product(spec), target);
}
Dispatches multiply_few_columns(const KernelSpec& spec, const Target& target) {
  return multiply(spec, mirrored(matrix_product(spec)), target);
}

consteval KernelRow few_columns_row(std::string_view name) {
  return product_row(name, has_few_columns, 1, scale_of_few_rows);
}

}  // namespace

constexpr GpuKernel few_rows_list[] = {
    {.row = product_row("gemm.few_rows", has_few_rows, 1, scale_of_few_rows), .dispatches = multiply_few_rows},
    {.row = few_columns_row("gemm.few_columns"), .dispatches = multiply_few_columns},
    {.row = product_row("matmul.few_rows", has_few_rows, 1, scale_of_few_rows), .dispatches = multiply_few_rows},
    {.row = few_columns_row("matmul.few_columns"), .dispatches = multiply_few_columns},
    {.row = few_columns_row("conv2d.few_columns"), .dispatches = multiply_few_columns},
};
extern constexpr GpuKernels few_rows_kernels(few_rows_list);

}  // namespace webnn::runtime::vulkan
