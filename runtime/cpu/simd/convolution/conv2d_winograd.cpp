// conv2d with 3x3 windows and stride 1 on channels-last float32, by Winograd's method. Patches of the input and the
// filters are transformed (sums and differences only), multiplied element by element over all channels (one matrix
// product for each element of a patch), and transformed back into tiles of the output. A 2x2 tile takes 16 products
// instead of 36 and has smaller rounding errors than the direct sum; a 4x4 tile takes 36 products instead of 144 and
// has about twice the rounding errors.
//
//   Winograd, Arithmetic Complexity of Computations (1980); Lavin and Gray, Fast Algorithms for Convolutional Neural
//   Networks (2016).
//
// As with any transform of the input, an infinity or a NaN reaches all pixels of the tiles that it is under.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/convolution/conv2d_winograd.inl.hpp"
#include "runtime/cpu/simd/convolution/conv2d_winograd.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/core_caches.hpp"
#include "runtime/cpu/simd/convolution/window_shapes.hpp"
#include "runtime/cpu/simd/epilogue.hpp"
#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/threads/parallel.hpp"

namespace webnn::runtime::simd {
namespace {

/// Bytes of transformed patches that are in the L2 cache at a time.
std::size_t patch_bytes() { return core_caches().l2 / 4 * 3; }

std::string form_name(std::size_t tile) { return "winograd" + std::to_string(tile) + ":"; }

/// Estimates the cost of a convolution in multiplications for each pair of an input and an output channel, with
/// Winograd tiles of `tile` x `tile` pixels (1: direct convolution). Each tile takes (tile + 2)^2 multiplications.
/// Reading the filter costs as much as 16 more tiles. A transform is shared by all channels of the other side, so its
/// cost is divided by their number.
double cost_of_tiles(const Shape& filter, const Shape& output, std::uint32_t tile) {
  const auto along = [&](unsigned axis) { return double((output[axis] + tile - 1) / tile); };
  const double tiles = output[0] * along(2) * along(3), elements = (tile + 2.0) * (tile + 2.0);
  const double transforms = tile == 1 ? 0 : 8.0 / filter[0] + 8.0 / filter[1];
  return elements * (tiles + 16) * (1 + transforms);
}

double cost_of_tiles(const KernelSpec& spec, std::uint32_t tile) {
  return cost_of_tiles(spec.inputs[1]->shape, spec.outputs[0].shape, tile);
}

/// The tile size with the lower cost; for a packed filter the one that it is packed for.
std::uint32_t tile_of(const KernelSpec& spec) {
  const std::string_view form = spec.input_form(1);
  for (const std::uint32_t tile : {2u, 4u})
    if (form.starts_with(form_name(tile))) return tile;
  return cost_of_tiles(spec, 4) < cost_of_tiles(spec, 2) ? 4 : 2;
}

WinogradSizes sizes_of(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
  const auto padding = call.u32_list("padding");
  WinogradSizes sizes;
  sizes.tile = tile_of(spec);
  sizes.images = input[0];
  sizes.channels = input[1];
  sizes.height = input[2];
  sizes.width = input[3];
  sizes.output_channels = output[1];
  sizes.output_height = output[2];
  sizes.output_width = output[3];
  sizes.top = padding[0];
  sizes.left = padding[2];
  return sizes;
}

/// Rows of the matrix G, which maps three weights to the elements of a patch.
constexpr double filter_of_tile_2[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
constexpr double a = winograd_a, b = winograd_b, at_a = 1 / (2 * a * a * (a * a - b * b)),
                 at_b = 1 / (2 * b * b * (b * b - a * a));
constexpr double filter_of_tile_4[6][3] = {{1 / (a * a * b * b), 0, 0},  {at_a, at_a* a, at_a* a* a},
                                           {at_a, -at_a* a, at_a* a* a}, {at_b, at_b* b, at_b* b* b},
                                           {at_b, -at_b* b, at_b* b* b}, {0, 0, 1}};

/// Element [i, j] of G w G^T.
double transformed(const double (*g)[3], std::size_t i, std::size_t j, const float* weights) {
  double sum = 0;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) sum += g[i][row] * g[j][column] * weights[row * 3 + column];
  return sum;
}

/// From [output channels, channels, 3, 3] to [panels][elements][channels][columns].
Packing<float> packing_of(const WinogradSizes& sizes, std::size_t columns) {
  const std::size_t panels = (sizes.output_channels + columns - 1) / columns;
  Packing<float> packing;
  packing.form = form_name(sizes.tile) + std::to_string(sizes.output_channels) + "x" + std::to_string(sizes.channels) +
                 ":" + std::to_string(columns);
  packing.elements = panels * sizes.elements() * sizes.channels * columns;
  packing.write = [sizes, columns, panels](const float* from, float* to) {
    const double(*g)[3] = sizes.tile == 2 ? filter_of_tile_2 : filter_of_tile_4;
    for (std::size_t panel = 0; panel < panels; ++panel)
      for (std::size_t i = 0; i < sizes.patch(); ++i)
        for (std::size_t j = 0; j < sizes.patch(); ++j)
          for (std::size_t channel = 0; channel < sizes.channels; ++channel)
            for (std::size_t column = 0; column < columns; ++column) {
              const std::size_t output = panel * columns + column;
              *to++ = output < sizes.output_channels
                          ? float(transformed(g, i, j, from + (output * sizes.channels + channel) * 9))
                          : 0.0f;
            }
  };
  return packing;
}

WinogradFunctions functions(std::size_t tile, Isa isa) { return VECTOR_CODE(isa, winograd::functions)(tile); }

}  // namespace

Kernel prepare_conv2d_winograd(const KernelSpec& spec, Constants constants, Isa isa) {
  const WinogradSizes sizes = sizes_of(spec);
  const WinogradFunctions code = functions(sizes.tile, isa);
  const OutputLimits limits = limits_of_first_post_op(spec);
  const std::size_t panels = (sizes.output_channels + code.columns - 1) / code.columns;
  const std::size_t bytes_of_tile = sizes.elements() * sizes.channels * sizeof(float);
  // As many equal portions as needed for the patches to fit in the cache.
  const std::size_t portions = std::clamp<std::size_t>(sizes.tiles() * bytes_of_tile / patch_bytes(), 1, sizes.tiles());
  const std::size_t portion = (sizes.tiles() + portions - 1) / portions;
  ScratchLayout scratch;
  const std::size_t patches_at = scratch.add(portion * bytes_of_tile);
  const PackedOperand filters(packing_of(sizes, code.columns), spec, 1, constants, scratch);
  const auto zeros = std::make_shared<const std::vector<float>>(std::max(sizes.channels, panels * code.columns));
  const std::size_t work_of_tile = sizes.elements() * sizes.channels * sizes.output_channels;

  const auto convolve = [=](const KernelArguments& arguments) {
    const auto* bias = reinterpret_cast<const float*>(arguments.inputs[2]);
    WinogradRun run;
    run.sizes = sizes;
    run.x = reinterpret_cast<const float*>(arguments.inputs[0]);
    run.filters = filters.in(arguments);
    run.zeros = zeros->data();
    run.bias = bias != nullptr ? bias : zeros->data();
    run.low = limits.low;
    run.high = limits.high;
    run.patches = reinterpret_cast<float*>(arguments.scratch + patches_at);
    run.y = reinterpret_cast<float*>(arguments.outputs[0]);
    for (; run.first < sizes.tiles(); run.first += run.count) {
      run.count = std::min(portion, sizes.tiles() - run.first);
      parallel_for(run.count, 1 + 100'000 / bytes_of_tile, [&](std::size_t begin, std::size_t end) {
        code.transform(run, run.first + begin, run.first + end);
      });
      if (run.count >= code.rows * team_size()) {  // each thread multiplies the tiles that are in its own cache
        const std::size_t blocks = (run.count + code.rows - 1) / code.rows;
        parallel_for(blocks, 1 + 200'000 / (work_of_tile * code.rows), [&](std::size_t begin, std::size_t end) {
          code.multiply(run, run.first + begin * code.rows, run.first + std::min(end * code.rows, run.count), 0,
                        panels);
        });
      } else {
        parallel_for(panels, 1 + 200'000 / (work_of_tile * run.count / panels),
                     [&](std::size_t begin, std::size_t end) {
                       code.multiply(run, run.first, run.first + run.count, begin, end);
                     });
      }
    }
  };
  return with_post_ops({convolve, scratch.bytes()}, spec, constants, isa, limits.post_ops);
}

std::optional<PackedConstant> pack_conv2d_winograd(const KernelSpec& spec, std::size_t,
                                                   std::span<const std::byte> bytes, Isa isa) {
  const WinogradSizes sizes = sizes_of(spec);
  return packing_of(sizes, functions(sizes.tile, isa).columns).pack(bytes);
}

namespace {

/// conv2d with 3x3 windows, stride 1, and channels that fill vectors.
bool takes_winograd(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const SpecCall call(spec);
  constexpr std::uint32_t vector = 16;  // channels
  constexpr std::uint32_t growth = 8;   // maximum growth of the filter: 36 elements for 9, and channels padded to 32
  const Shape& filter = call.shape(1);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == "oihw" && call.u32("groups") == 1 &&
         filter[2] == 3 && filter[3] == 3 && all_are(call, "strides", 1) && all_are(call, "dilations", 1) &&
         filter[0] % vector == 0 && filter[1] % vector == 0 &&
         byte_length(*spec.inputs[1]) <= max_tensor_bytes / growth;
}

/// Compared with a direct convolution.
double tiles_to_direct(const KernelSpec& spec, const Target&) {
  return cost_of_tiles(spec, tile_of(spec)) / cost_of_tiles(spec, 1);
}

}  // namespace

constexpr SimdKernel conv2d_winograd_list[] = {
    {.row = {.name = "conv2d.winograd",
             .op = "conv2d",
             .types = {DataType::float32},
             .layouts = LayoutRule::channels_last,
             .packs = 0b10,
             .can = takes_winograd,
             .can_apply = elementwise_post_ops,
             .factor = direct_factor,
             .scale = tiles_to_direct},
     .prepare = prepare_conv2d_winograd,
     .pack = pack_conv2d_winograd},
};
extern constexpr SimdKernels conv2d_winograd_kernels(conv2d_winograd_list);

}  // namespace webnn::runtime::simd
