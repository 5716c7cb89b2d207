// @quantizedConv2d on channels-last bytes (shaders/quantized/quantized_conv2d.glsl): by tiles, depthwise, or of few
// positions.
#include <algorithm>
#include <bit>

#include "runtime/kernel_conditions.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"
#include "runtime/vulkan/kernels/products/tiles.hpp"
#include "runtime/vulkan/kernels/quantized/packed_filters.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr std::size_t filter_operand = 1, bias_operand = 2, scale_operand = 3;

bool fills_words(const KernelSpec& spec) { return spec.inputs[0]->shape[1] % 4 == 0; }

/// The zero point of the input's bytes as the tiles' instructions take them
/// (shaders/quantized/tiled_quantized_conv2d.comp).
std::int32_t signed_zero_point(const SpecCall& call) {
  return call.i32("inputZeroPoint") - (call.operand(0).type == DataType::uint8 ? 128 : 0);
}

/// The dispatch of a convolution, except for its size. `tiles`: null, or how the inner axis is shared out.
DispatchMaker byte_convolution(const KernelSpec& spec, const ShaderCode& shader, const GpuPacking& packing,
                               std::uint32_t lanes = DispatchMaker::usual_group, const TiledProduct* tiles = nullptr,
                               bool completes = false) {
  const SpecCall call(spec);
  const Shape& result = spec.outputs[0].shape;
  const bool rounds = spec.outputs[0].type != DataType::float32;
  DispatchMaker maker(shader,
                      {code(call.operand(0).type), code(spec.outputs[0].type), call.has_operand(bias_operand),
                       is_packed(spec, filter_operand)},
                      lanes);
  maker.input(spec, 0).packed(spec, filter_operand, packing).input(spec, bias_operand).input(spec, scale_operand);
  maker.output(spec);
  if (tiles)
    tiles->sums(maker, completes);
  else
    maker.absent();
  maker.word(tiles ? tiles->part / 4 : 0);
  maker.word(result[0]).word(call.shape(0)[1]).word(result[1]);
  write_geometry(maker, call, result);
  maker.word(std::uint32_t(call.i32("inputZeroPoint"))).word(rounds ? std::uint32_t(call.i32("outputZeroPoint")) : 0);
  maker.real(call.real("inputScale")).real(rounds ? call.real("outputScale") : 1);
  return maker;
}

// ---- by tiles

/// Sums of more products of bytes may not fit in an int32.
constexpr std::uint64_t most_products = 1u << 16;

bool takes_byte_tiles(const KernelSpec& spec) {
  return !spec.outputs.empty() && SpecCall(spec).u32("groups") == 1 && positions_are_narrow(spec) &&
         product_size(spec).inner <= most_products;
}

template <const Tile& tile, bool dots>
Dispatches convolve_tiles(const KernelSpec& spec, const Target& target) {
  const TiledProduct tiled(tile, product_size(spec), target);
  const auto windows = sliding_windows(SpecCall(spec), spec.outputs[0].shape);
  const bool pointwise = is_pointwise(windows);
  const auto make = [&](const ShaderCode& shader, std::uint32_t lanes, bool completes) {
    return byte_convolution(spec, shader, words_of_inputs, lanes, &tiled, completes);
  };
  DispatchMaker maker = make(dots ? shaders::dots_conv2d() : shaders::tiled_quantized_conv2d(), tile.lanes(), false);
  maker.specialize(Constant::words_of_channels, fills_words(spec));
  maker.specialize(Constant::has_zero, dots && signed_zero_point(SpecCall(spec)) != 0);
  maker.specialize(Constant::pointwise, pointwise);
  // Lines of quads in shared memory: a line of words or four of floats for each word of the inner axis.
  const std::uint32_t lines = dots ? tile.depth / 4 : tile.depth;
  Dispatches list = with_sums(tiled, tiled.over(maker, lines, target), shaders::sum_quantized_conv2d(), make);
  if (tiled.splits == 1) return list;
  const std::uint64_t quads = div_up(tiled.size.rows, 4) * tiled.size.columns;
  list.dispatches[1].groups = div_up(quads, DispatchMaker::usual_group);
  return list;
}

constexpr Tile dots_128{128, 128, 32, 2, 2}, dots_64{64, 64, 32, 2, 2}, dots_32{32, 32, 32, 1, 1},
    dots_32_split{32, 32, 32, 1, 1, true};

template <const Tile& tile, bool dots>
double scale_of_bytes(const KernelSpec& spec, const Target& target) {
  return scale_of_byte_tile(tile, dots, spec, target);
}

template <const Tile& tile, bool dots>
constexpr GpuKernel byte_tiles(std::string_view name) {
  return {.row = {.name = name,
                  .op = "@quantizedConv2d",
                  .types = int8_or_uint8,
                  .features = Feature::memory_8bit,
                  .layouts = LayoutRule::channels_last,
                  .packs = 1u << filter_operand,
                  .can = takes_byte_tiles,
                  .scale = scale_of_bytes<tile, dots>},
          .dispatches = convolve_tiles<tile, dots>,
          .packing = &words_of_inputs};
}

// ---- depthwise

/// Sums of as many products of bytes are exact in float32.
constexpr std::uint64_t most_exact = 512;

bool takes_depthwise_bytes(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const Shape& filter = spec.inputs[filter_operand]->shape;
  return filter[1] == 1 && filter[0] == spec.inputs[0]->shape[1] && positions_are_narrow(spec) &&
         std::uint64_t(filter[2]) * filter[3] <= most_exact;
}

Dispatches convolve_depthwise(const KernelSpec& spec) {
  const Shape &y = spec.outputs[0].shape, &filter = spec.inputs[filter_operand]->shape;
  return byte_convolution(spec, shaders::depthwise_quantized_conv2d(), words_of_outputs)
      .turns(std::uint64_t(filter[2]) * (1 + std::uint64_t(filter[3])))
      .over(std::uint64_t(y[0]) * y[2] * div_up(y[1], 4) * div_up(y[3], 4));
}

// ---- few positions

bool has_few_positions(const KernelSpec& spec) {
  constexpr std::uint64_t most = 8;
  if (!takes_byte_tiles(spec) || product_size(spec).columns > most) return false;
  const auto windows = sliding_windows(SpecCall(spec), spec.outputs[0].shape);
  return std::ranges::all_of(windows, [](const SlidingWindow& axis) {
    return axis.window == 1 && axis.begin == 0 && axis.input == axis.output && (axis.stride == 1 || axis.output == 1);
  });
}

Dispatches convolve_few_positions(const KernelSpec& spec) {
  constexpr std::uint32_t width = 4, lanes_of_channel = few_rows_lanes / width;
  const ProductSize size = product_size(spec);
  DispatchMaker maker = byte_convolution(spec, shaders::few_rows_quantized_conv2d(), words_of_inputs, few_rows_lanes);
  maker.specialize(Constant::tile_rows, std::uint32_t(std::bit_ceil(size.columns)))
      .specialize(Constant::few_rows_width, width)
      .specialize(Constant::words_of_channels, fills_words(spec));
  constexpr std::uint64_t of_sums = 80;
  return maker.turns(size.inner / 4 / lanes_of_channel, of_sums).over_groups(div_up(size.rows, width));
}

/// No other kernel computes less outside of the result.
double scale_of_few_positions(const KernelSpec&, const Target&) { return 1.0 / 64; }

}  // namespace

constexpr GpuKernel quantized_convolution_list[] = {
    byte_tiles<dots_128, true>("quantizedConv2d.tiled_dots_128"),
    byte_tiles<dots_64, true>("quantizedConv2d.tiled_dots_64"),
    byte_tiles<dots_32, true>("quantizedConv2d.tiled_dots_32"),
    byte_tiles<dots_32_split, true>("quantizedConv2d.tiled_dots_32_split"),
    byte_tiles<tiles::tiled_large_lanes, false>("quantizedConv2d.tiled_large_lanes"),
    byte_tiles<tiles::tiled_128, false>("quantizedConv2d.tiled_128"),
    byte_tiles<tiles::tiled, false>("quantizedConv2d.tiled_64"),
    byte_tiles<tiles::tiled_32, false>("quantizedConv2d.tiled_32"),
    byte_tiles<tiles::tiled_32_split, false>("quantizedConv2d.tiled_32_split"),
    {.row = {.name = "quantizedConv2d.depthwise",
             .op = "@quantizedConv2d",
             .types = int8_or_uint8,
             .features = Feature::memory_8bit,
             .layouts = LayoutRule::channels_last,
             .packs = 1u << filter_operand,
             .can = takes_depthwise_bytes,
             .factor = 0.01},
     .dispatches = convolve_depthwise,
     .packing = &words_of_outputs},
    {.row = {.name = "quantizedConv2d.few_rows",
             .op = "@quantizedConv2d",
             .types = int8_or_uint8,
             .features = Feature::memory_8bit,
             .layouts = LayoutRule::channels_last,
             .packs = 1u << filter_operand,
             .can = has_few_positions,
             .scale = scale_of_few_positions},
     .dispatches = convolve_few_positions,
     .packing = &words_of_inputs},
};
extern constexpr GpuKernels quantized_convolution_kernels(quantized_convolution_list);

}  // namespace webnn::runtime::vulkan
