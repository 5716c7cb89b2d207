// conv2d with filters of 3 x 3 by Winograd's F(2 x 2, 3 x 3): a step before and one behind 16 matrix products, which
// have 4 multiplications for each result and input channel, where the convolution has 9
// (shaders/products/winograd_input.comp).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"
#include "runtime/vulkan/kernels/products/matrix_table.hpp"
#include "runtime/vulkan/kernels/products/tiles.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/elements/half.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr std::size_t filter_operand = 1;
constexpr std::uint64_t matrices = 16;
/// Of what lies between the steps, and of filters: more would mostly be moved.
constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;

/// A call as blocks of 2 x 2 results.
struct Blocks {
  explicit Blocks(const KernelSpec& spec)
      : windows(sliding_windows(SpecCall(spec), spec.outputs[0].shape)),
        inputs(spec.inputs[0]->shape[1]),
        outputs(spec.outputs[0].shape[1]),
        rows(std::uint64_t(windows[0].output + 1) / 2),
        columns(std::uint64_t(windows[1].output + 1) / 2),
        count(spec.outputs[0].shape[0] * rows * columns),
        line(round_up(count, 4)) {}

  ProductSize product() const { return {outputs, inputs, line, matrices}; }
  std::uint64_t filter_bytes() const { return matrices * outputs * inputs * sizeof(float); }
  std::uint64_t patch_bytes() const { return matrices * inputs * line * sizeof(float); }
  std::uint64_t sum_bytes() const { return matrices * outputs * line * sizeof(float); }

  std::array<SlidingWindow, 2> windows;
  std::uint64_t inputs, outputs;  // channels
  std::uint64_t rows, columns;    // blocks of an image
  std::uint64_t count, line;      // blocks of all images; columns of a matrix: 4, 8, ..., so that vectors are loaded
};

bool takes_winograd(const KernelSpec& spec) {
  if (!takes_tiles(spec) || SpecCall(spec).u32("groups") != 1) return false;
  const Blocks blocks(spec);
  if (blocks.patch_bytes() + blocks.sum_bytes() > most_bytes || blocks.filter_bytes() > most_bytes) return false;
  return std::ranges::all_of(blocks.windows, [](const SlidingWindow& axis) {
    return axis.window == 3 && axis.stride == 1 && axis.dilation == 1;
  });
}

/// The tile that takes the least time.
const Tile& tile_of(const ProductSize& size, const Target& target) {
  static constexpr const Tile* on_gpu[] = {&tiles::tiled, &tiles::tiled_32, &tiles::tiled_128};
  if (!includes(target.features, Feature::shared_memory)) return tiles::tiled_large_lanes;
  return **std::ranges::min_element(on_gpu, {}, [&](const Tile* tile) { return clocks_of_tile(*tile, size, target); });
}

double scale_of_winograd(const KernelSpec& spec, const Target& target) {
  const Blocks blocks(spec);
  const ProductSize size = blocks.product();
  // What the steps before and behind the product write and read, and the filters.
  const std::uint64_t moved = 2 * (blocks.patch_bytes() + blocks.sum_bytes()) + blocks.filter_bytes();
  return scale_of_steps(tile_of(size, target), size, 2, moved, spec, target);
}

/// As shaders/products/winograd_filter.comp computes it.
void pack_filters(const KernelSpec& spec, std::span<const std::byte> from, std::span<std::byte> to) {
  const bool is_half = spec.inputs[filter_operand]->type == DataType::float16;
  const auto element = [&]<typename Element>(std::size_t i, Element number) {
    std::memcpy(&number, from.data() + i * sizeof number, sizeof number);
    return number;
  };
  const auto load = [&](std::size_t i) {
    return is_half ? schema::half_value(element(i, std::uint16_t{0})) : element(i, 0.0f);
  };
  const std::size_t count = Blocks(spec).filter_bytes() / (matrices * sizeof(float));
  for (std::size_t i = 0; i < count; ++i) {
    float t[4][3];
    for (std::size_t x = 0; x < 3; ++x) {
      const float a = load(i * 9 + x), b = load(i * 9 + 3 + x), c = load(i * 9 + 6 + x);
      t[0][x] = a;
      t[1][x] = 0.5f * (a + b + c);
      t[2][x] = 0.5f * (a - b + c);
      t[3][x] = c;
    }
    for (std::size_t y = 0; y < 4; ++y) {
      const float sum = t[y][0] + t[y][2];
      const float line[4] = {t[y][0], 0.5f * (sum + t[y][1]), 0.5f * (sum - t[y][1]), t[y][2]};
      for (std::size_t x = 0; x < 4; ++x)
        std::memcpy(to.data() + ((y * 4 + x) * count + i) * sizeof(float), &line[x], sizeof(float));
    }
  }
}

constexpr GpuPacking winograd_filters{"vulkan.winograd_filters",
                                      [](const KernelSpec& spec) { return Blocks(spec).filter_bytes(); }, pack_filters};

DispatchMaker& write_blocks(DispatchMaker& maker, std::uint64_t channels, const Blocks& blocks) {
  return maker.word(channels).word(blocks.count).word(blocks.line);
}

Dispatches dispatch_winograd(const KernelSpec& spec, const Target& target) {
  const SpecCall call(spec);
  const Blocks blocks(spec);
  const std::uint32_t type = code(call.operand(0).type);
  const bool packed = is_packed(spec, filter_operand), has_bias = call.has_operand(2);
  const std::uint64_t sums_at = blocks.patch_bytes(), filters_at = sums_at + blocks.sum_bytes();
  const auto& [height, width] = blocks.windows;
  Dispatches list;
  list.scratch_bytes = filters_at + (packed ? 0 : blocks.filter_bytes());

  const std::uint64_t pairs = blocks.inputs * blocks.outputs;
  if (!packed)
    list.dispatches.push_back(DispatchMaker(shaders::winograd_filter(), {type})
                                  .input(spec, filter_operand)
                                  .scratch(filters_at, blocks.filter_bytes(), false, true)
                                  .word(pairs)
                                  .work(matrices * pairs)
                                  .over(pairs));

  DispatchMaker patches(shaders::winograd_input(), {type});
  patches.input(spec, 0).scratch(0, blocks.patch_bytes(), false, true);
  write_blocks(patches, blocks.inputs, blocks).word(std::uint64_t(height.input)).word(std::uint64_t(width.input));
  patches.word(blocks.rows).word(blocks.columns);
  patches.word(std::uint64_t(height.begin)).word(std::uint64_t(width.begin));
  list.dispatches.push_back(patches.work(matrices * blocks.inputs * blocks.line).over(blocks.inputs * blocks.line));

  const ProductSize size = blocks.product();
  const TiledProduct tiled(tile_of(size, target), size, target);
  DispatchMaker product(shaders::tiled_matmul(), {code(DataType::float32), false}, tiled.tile.lanes());
  packed ? product.packed(spec, filter_operand, winograd_filters)
         : product.scratch(filters_at, blocks.filter_bytes(), true, false);
  product.scratch(0, blocks.patch_bytes(), true, false).absent();
  product.scratch(sums_at, blocks.sum_bytes(), false, true);
  tiled.sums(product, false);
  product.word(0).word(tiled.part);
  write_sizes(product, size, {blocks.inputs, 1, blocks.line, 1, size.columns, 1});
  write_plain(product);
  const std::int64_t a_batch[] = {std::int64_t(pairs)}, b_batch[] = {std::int64_t(blocks.inputs * blocks.line)};
  product.word(1).shape({std::uint32_t(matrices)}).strides(a_batch).strides(b_batch);
  list.dispatches.push_back(tiled.over(product, block_load(blocks.inputs, 1, blocks.outputs, blocks.inputs),
                                       block_load(1, blocks.line, blocks.line, blocks.inputs), target));

  DispatchMaker results(shaders::winograd_output(), {type, has_bias});
  results.scratch(sums_at, blocks.sum_bytes(), true, false);
  has_bias ? results.input(spec, 2) : results.absent();
  results.output(spec);
  write_blocks(results, blocks.outputs, blocks).word(std::uint64_t(height.output)).word(std::uint64_t(width.output));
  results.word(blocks.rows).word(blocks.columns).epilogue(spec);
  list.dispatches.push_back(results.work(matrices * blocks.outputs * blocks.count).over(blocks.outputs * blocks.count));
  return list;
}

consteval KernelRow winograd_row() {
  KernelRow row = product_row("conv2d.winograd", takes_winograd, 1, scale_of_winograd);
  row.arithmetic = 16.0 / 36;  // a tile of 2x2 pixels multiplies a patch of 4x4, in place of 9 for each pixel
  row.packs = 1u << filter_operand;
  return row;
}

}  // namespace

constexpr GpuKernel winograd_list[] = {
    {.row = winograd_row(), .dispatches = dispatch_winograd, .packing = &winograd_filters},
};
extern constexpr GpuKernels winograd_kernels(winograd_list);

}  // namespace webnn::runtime::vulkan
