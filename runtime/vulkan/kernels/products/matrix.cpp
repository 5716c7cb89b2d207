// Products of matrices: by single invocations, and by tiles.
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"
#include "runtime/vulkan/kernels/products/matrix_table.hpp"
#include "runtime/vulkan/kernels/products/tiles.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr TiledShader by_tiles{shaders::tiled_matmul, shaders::units_matmul, shaders::sum_splits_matmul};

/// Each invocation computes 4 x 4 elements of the result.
Dispatches multiply_untiled(const KernelSpec& spec) {
  const MatrixProduct product = matrix_product(spec);
  const ProductSize& size = product.size;
  constexpr std::uint64_t side = 4;
  const std::uint64_t carry_bytes = element_count(spec.outputs[0].shape) * sizeof(float);
  Dispatches list;
  for (const LoopPart& part : cut_loop(size.inner, most_turns_of_part)) {
    if (!part.is_all()) list.scratch_bytes = carry_bytes;
    DispatchMaker maker = begin_matrix_table(spec, product, shaders::matmul(), DispatchMaker::usual_group);
    maker.carry(part, carry_bytes).word(part.first).word(part.end);
    end_matrix_table(maker, spec, product);
    list.dispatches.push_back(
        maker.turns(part.end - part.first).over(div_up(size.rows, side) * div_up(size.columns, side) * size.batches));
  }
  return list;
}

template <const Tile& tile>
Dispatches multiply_tiles(const KernelSpec& spec, const Target& target) {
  const MatrixProduct product = matrix_product(spec);
  const TiledProduct tiled(tile, product.size, target);
  return tiled_product(tiled, by_tiles, product.load_a(), product.load_b(), target,
                       [&](const ShaderCode& shader, std::uint32_t lanes, bool completes) {
                         return split_table(spec, product, shader, lanes, tiled, completes);
                       });
}

}  // namespace

constexpr GpuKernel matrix_list[] = {
#define WEBNN_TILE(name, ...) {.row = tile_row<tiles::name>("gemm." #name), .dispatches = multiply_tiles<tiles::name>},
#include "runtime/vulkan/kernels/products/tiles.def"
#undef WEBNN_TILE
    {.row = product_row("gemm"), .dispatches = multiply_untiled},
#define WEBNN_TILE(name, ...) \
  {.row = tile_row<tiles::name>("matmul." #name), .dispatches = multiply_tiles<tiles::name>},
#include "runtime/vulkan/kernels/products/tiles.def"
#undef WEBNN_TILE
    {.row = product_row("matmul"), .dispatches = multiply_untiled},
};
extern constexpr GpuKernels matrix_kernels(matrix_list);

}  // namespace webnn::runtime::vulkan
