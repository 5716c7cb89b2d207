// Products of matrices.
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"
#include "runtime/vulkan/kernels/products/matrix_table.hpp"
#include "runtime/vulkan/kernels/products/tiles.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {
namespace {

/// One float32 for each element of the result.
std::uint64_t carry_bytes(const KernelSpec& spec) { return element_count(spec.outputs[0].shape) * sizeof(float); }

constexpr TiledShader by_tiles{shaders::tiled_matmul, shaders::units_matmul, shaders::sum_splits_matmul};

/// Writes the table up to the part of the inner axis; `carry` adds its address.
template <typename Carry>
DispatchMaker begin_table(const KernelSpec& spec, const ShaderCode& shader, bool has_c, std::uint32_t lanes,
                          const LoopPart& part, Carry carry) {
  DispatchMaker maker(shader, {code(spec.inputs[0]->type), has_c}, lanes);
  maker.input(spec, 0).input(spec, 1);
  has_c ? maker.input(spec, 2) : maker.absent();
  maker.output(spec);
  carry(maker);
  maker.word(part.first).word(part.end);
  return maker;
}

MatrixStrides gemm_strides(const SpecCall& call) {
  const bool a_transposed = call.boolean("aTranspose"), b_transposed = call.boolean("bTranspose");
  const std::uint64_t a = call.shape(0)[1], b = call.shape(1)[1];
  return {a_transposed ? 1 : a, a_transposed ? a : 1, b_transposed ? 1 : b, b_transposed ? b : 1};
}

void end_gemm_table(DispatchMaker& maker, const KernelSpec& spec, const ProductSize& size) {
  const SpecCall call(spec);
  write_sizes(maker, size, gemm_strides(call));
  const Strides c = call.has_operand(2) ? broadcast_strides(call.shape(2), spec.outputs[0].shape) : Strides{};
  maker.word(std::uint64_t(c[0])).word(std::uint64_t(c[1]));
  maker.real(parameter(call, "alpha")).real(parameter(call, "beta"));
  maker.word(0).shape({}).strides({}).strides({}).epilogue(spec);
}

MatrixStrides matmul_strides(const ProductSize& size) { return {size.inner, 1, size.columns, 1}; }

void end_matmul_table(DispatchMaker& maker, const KernelSpec& spec, const ProductSize& size) {
  write_sizes(maker, size, matmul_strides(size));
  const Shape &a = spec.inputs[0]->shape, &b = spec.inputs[1]->shape, &y = spec.outputs[0].shape;
  write_plain(maker);
  if (size.batches == 1) {
    maker.word(0).shape({}).strides({}).strides({});
  } else {
    const Shape batches(y.sizes().first(y.rank() - 2));
    maker.word(batches.rank()).shape(batches).strides(matrix_strides(a, batches)).strides(matrix_strides(b, batches));
  }
  maker.epilogue(spec);
}

MatrixStrides strides_of(const KernelSpec& spec, const ProductSize& size) {
  return spec.op == "gemm"_op ? gemm_strides(SpecCall(spec)) : matmul_strides(size);
}

bool has_c(const KernelSpec& spec) { return spec.op == "gemm"_op && SpecCall(spec).has_operand(2); }
void end_table(DispatchMaker& maker, const KernelSpec& spec, const ProductSize& size) {
  spec.op == "gemm"_op ? end_gemm_table(maker, spec, size) : end_matmul_table(maker, spec, size);
}

/// Each invocation computes 4 x 4 elements of the result.
Dispatches multiply_untiled(const KernelSpec& spec) {
  const ProductSize size = product_size(spec);
  constexpr std::uint64_t side = 4;
  Dispatches list;
  for (const LoopPart& part : cut_loop(size.inner, most_turns_of_part)) {
    if (!part.is_all()) list.scratch_bytes = carry_bytes(spec);
    DispatchMaker maker = begin_table(spec, shaders::matmul(), has_c(spec), DispatchMaker::usual_group, part,
                                      [&](DispatchMaker& table) { table.carry(part, carry_bytes(spec)); });
    end_table(maker, spec, size);
    list.dispatches.push_back(
        maker.turns(part.end - part.first).over(div_up(size.rows, side) * div_up(size.columns, side) * size.batches));
  }
  return list;
}

/// The table of a product whose inner axis is shared out.
DispatchMaker split_table(const KernelSpec& spec, const ShaderCode& shader, std::uint32_t lanes,
                          const TiledProduct& product, bool completes) {
  DispatchMaker maker = begin_table(spec, shader, has_c(spec), lanes, {0, product.part},
                                    [&](DispatchMaker& table) { product.sums(table, completes); });
  end_table(maker, spec, product.size);
  return maker;
}

template <const Tile& tile>
Dispatches multiply_tiles(const KernelSpec& spec, const Target& target) {
  const ProductSize size = product_size(spec);
  const MatrixStrides strides = strides_of(spec, size);
  const TiledProduct tiled(tile, size, target);
  return tiled_product(tiled, by_tiles, block_load(strides.a_row, strides.a_inner, size.rows, size.inner),
                       block_load(strides.b_column, strides.b_inner, size.columns, size.inner), target,
                       [&](const ShaderCode& shader, std::uint32_t lanes, bool completes) {
                         return split_table(spec, shader, lanes, tiled, completes);
                       });
}

// Products of few rows (GEMV), shaders/products/few_rows.comp.
Dispatches multiply_few_rows(const KernelSpec& spec, const Target& target) {
  const ProductSize size = product_size(spec);
  const MatrixStrides strides = strides_of(spec, size);
  const BlockLoad a = block_load(strides.a_row, strides.a_inner, size.rows, size.inner),
                  b = block_load(strides.b_column, strides.b_inner, size.columns, size.inner);
  // Lanes that are adjacent load what is adjacent: 256 bytes and more of a line of b, since memory is slow where many
  // lines are read at the same time. Where the lines are along the inner axis, a workgroup has whole ones of some columns.
  const std::uint32_t lanes = b.along_inner && size.rows <= 4 ? 256 : 128, width = b.along_inner ? lanes / 32 : 32;
  constexpr std::uint32_t together = 4;
  const Tile tile = tile_of_few_rows(size, !b.along_inner && b.vectors ? width * together : width,
                                     lanes / width * together, b.along_inner ? 1 : groups_that_load);
  const TiledProduct product(tile, size, target);
  const auto make = [&](const ShaderCode& shader, std::uint32_t group, bool completes) {
    return split_table(spec, shader, group, product, completes);
  };
  DispatchMaker parts = make(shaders::few_rows(), lanes, false);
  product.specialize_few_rows(parts, width);
  specialize_loads(parts, a, b);
  constexpr std::uint64_t of_sums = 200;
  constexpr std::uint64_t least_sums = 16 << 10;
  parts.shared(std::max(least_sums, tile.rows * std::uint64_t{together} * lanes * sizeof(float)));
  parts.turns(product.part / tile.depth + 1, of_sums).work(product.products());
  return with_sums(product, parts.over_groups(tile.groups(size) * product.splits), shaders::sum_splits_matmul(), make);
}

}  // namespace

constexpr GpuKernel matrix_list[] = {
    {.row = product_row("gemm.few_rows", has_few_rows, 1, scale_of_few_rows), .dispatches = multiply_few_rows},
#define WEBNN_TILE(name, ...) {.row = tile_row<tiles::name>("gemm." #name), .dispatches = multiply_tiles<tiles::name>},
#include "runtime/vulkan/kernels/products/tiles.def"
#undef WEBNN_TILE
    {.row = product_row("gemm"), .dispatches = multiply_untiled},
    {.row = product_row("matmul.few_rows", has_few_rows, 1, scale_of_few_rows), .dispatches = multiply_few_rows},
#define WEBNN_TILE(name, ...) \
  {.row = tile_row<tiles::name>("matmul." #name), .dispatches = multiply_tiles<tiles::name>},
#include "runtime/vulkan/kernels/products/tiles.def"
#undef WEBNN_TILE
    {.row = product_row("matmul"), .dispatches = multiply_untiled},
};
extern constexpr GpuKernels matrix_kernels(matrix_list);

}  // namespace webnn::runtime::vulkan
