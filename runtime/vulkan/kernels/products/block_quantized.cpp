// Products of few rows with weights of few bits, which are read as they are (shaders/products/block_few_rows.comp).
#include "runtime/vulkan/kernels/products/conditions.hpp"
#include "runtime/vulkan/kernels/products/tiles.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

/// How the second matrix is stored and read.
struct BlockMatrix {
  explicit BlockMatrix(const KernelSpec& spec)
      : numbers(*spec.inputs[1]),
        scale(*spec.inputs[2]),
        along_inner(SpecCall(spec).boolean("bTranspose")),
        inner_axis(along_inner ? 1 : 0) {
    const std::uint32_t in_word = 32 / bits_of(numbers.type);
    // The lines of the matrix; blocks matter where they cut words.
    words = numbers.shape[1] % in_word == 0 && (!along_inner || block(inner_axis) % in_word == 0);
    step = words ? in_word : 1;
  }
  std::uint32_t block(unsigned axis) const { return numbers.shape[axis] / scale.shape[axis]; }

  const OperandDescriptor &numbers, &scale;
  bool along_inner, words;
  unsigned inner_axis;
  std::uint32_t step;  // numbers that a lane loads at once
};

/// Numbers that do not fill words are better dequantised before. On a CPU that runs shaders the kernel pays, too.
double scale_of_blocks(const KernelSpec& spec, const Target&) { return BlockMatrix(spec).words ? 1 : slow; }

Dispatches multiply_blocks(const KernelSpec& spec, const Target& target) {
  const BlockMatrix matrix(spec);
  const ProductSize size = product_size(spec);
  // A workgroup loads pieces of 64 bytes or more.
  const std::uint32_t width = matrix.along_inner ? 4 : 16, lines = few_rows_lanes / width;
  const Tile tile = tile_of_few_rows(size, width * (matrix.along_inner ? 1 : matrix.step),
                                     lines * (matrix.along_inner ? matrix.step : 1), groups_that_load);
  const TiledProduct product(tile, size, target);
  const auto make = [&](const ShaderCode& shader, std::uint32_t lanes, bool completes) {
    DispatchMaker maker(shader,
                        {code(matrix.numbers.type), code(matrix.scale.type), matrix.along_inner, matrix.words,
                         code(spec.inputs[0]->type)},
                        lanes);
    product.specialize_few_rows(maker, width);
    // Drivers that run on the CPU take long to compile unrolled loops, and gain nothing.
    maker.specialize(Constant::unrolled, includes(target.features, Feature::shared_memory) ? 4 : 1);
    maker.input(spec, 0).input(spec, 1).input(spec, 2).input(spec, 3).output(spec);
    product.sums(maker, completes);
    maker.word(size.rows).word(size.inner).word(size.columns).word(product.part);
    for (const unsigned axis : {matrix.inner_axis, 1 - matrix.inner_axis}) maker.word(matrix.block(axis));
    for (const unsigned axis : {matrix.inner_axis, 1 - matrix.inner_axis}) maker.word(matrix.scale.shape[axis]);
    maker.epilogue(spec);
    return maker;
  };
  DispatchMaker parts = make(shaders::block_few_rows(), few_rows_lanes, false);
  const std::uint64_t of_sums = size.rows * 40;
  parts.turns((product.part / tile.depth + 1) * (matrix.words ? 4 : 1), of_sums).work(product.products());
  return with_sums(product, parts.over_groups(tile.groups(size) * product.splits), shaders::sum_splits_block_few_rows(),
                   make);
}

}  // namespace

constexpr GpuKernel block_quantized_list[] = {
    {.row = {.name = "blockQuantizedMatmul.few_rows",
             .op = "@blockQuantizedMatmul",
             .types = {DataType::float32, DataType::float16},
             .in_place = 0b1111'0000,
             .can = has_few_rows,
             .can_apply = elementwise_expression,
             .scale = scale_of_blocks},
     .dispatches = multiply_blocks},
};
extern constexpr GpuKernels block_quantized_kernels(block_quantized_list);

}  // namespace webnn::runtime::vulkan
