// Windows on nchw: pooling and convolutions.
#include <algorithm>

#include "runtime/kernel_conditions.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"
#include "runtime/vulkan/kernels/products/tiles.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {
namespace {

constexpr OperatorId pools[] = {"averagePool2d"_op, "l2Pool2d"_op, "maxPool2d"_op};
constexpr Variants pool2d{shaders::pool2d_real, shaders::pool2d_signed, shaders::pool2d_unsigned};

std::uint64_t blocks(std::uint64_t count) { return div_up(count, 4); }

/// A part of the loops over the filter's rows and the group's input channels.
struct ConvolutionPart {
  LoopPart rows, channels;
  bool is_first() const { return rows.is_first && channels.is_first; }
  bool is_last() const { return rows.is_last && channels.is_last; }
};

/// The dispatch of a convolution, except for its size. Tiles cut the inner axis of the product instead of the loops.
DispatchMaker convolution(const KernelSpec& spec, const ShaderCode& shader, bool transposed,
                          const ConvolutionPart* part = nullptr, const TiledProduct* tiles = nullptr,
                          bool completes = false, std::uint32_t lanes = DispatchMaker::usual_group) {
  const SpecCall call(spec);
  const Shape& result = spec.outputs[0].shape;
  const std::uint32_t groups = call.u32("groups");
  const std::uint32_t group_inputs = call.shape(0)[1] / groups, group_outputs = result[1] / groups;
  DispatchMaker maker(
      shader, {code(call.operand(0).type), call.has_operand(2), transposed, !positions_are_narrow(spec)}, lanes);
  maker.input(spec, 0).input(spec, 1);
  call.has_operand(2) ? maker.input(spec, 2) : maker.absent();
  maker.output(spec);
  const LoopPart of_all{0, 0, part == nullptr || part->is_first(), part == nullptr || part->is_last()};
  if (tiles)
    tiles->sums(maker, completes);
  else
    maker.carry(of_all, element_count(result) * sizeof(float));
  const LoopPart of_tiles{0, tiles ? tiles->part : 0};
  for (const LoopPart& cut : {part ? part->rows : of_all, part ? part->channels : of_tiles})
    maker.word(cut.first).word(cut.end);
  maker.word(of_all.is_first).word(of_all.is_last);
  maker.word(result[0]).word(groups).word(group_inputs).word(group_outputs);
  write_geometry(maker, call, result);
  maker.epilogue(spec);
  return maker;
}

/// An invocation computes four channels at four neighbouring columns.
Dispatches dispatch_convolution(const KernelSpec& spec, bool transposed) {
  const SpecCall call(spec);
  const Shape &result = spec.outputs[0].shape, &filter = call.shape(1);
  const std::uint32_t groups = call.u32("groups");
  constexpr std::uint64_t of_tap = 5;  // iterations besides the channels
  const std::uint64_t width = filter[3], least_row = 1 + width * (of_tap + 1);
  const std::uint64_t rows = std::clamp<std::uint64_t>(most_turns_of_part / least_row, 1, filter[2]);
  const std::uint64_t taps = rows * width, of_taps = rows + taps * of_tap;
  const std::uint64_t channels = of_taps < most_turns_of_part ? (most_turns_of_part - of_taps) / taps : 1;
  Dispatches list;
  for (const LoopPart& row_part : cut_loop(filter[2], rows))
    for (const LoopPart& channel_part : cut_loop(call.shape(0)[1] / groups, std::max<std::uint64_t>(channels, 1))) {
      const ConvolutionPart part{row_part, channel_part};
      if (!part.is_first()) list.scratch_bytes = element_count(result) * sizeof(float);
      list.dispatches.push_back(
          convolution(spec, shaders::conv2d(), transposed, &part)
              .turns(of_taps + taps * (channel_part.end - channel_part.first))
              .over(std::uint64_t(result[0]) * groups * blocks(result[1] / groups) * result[2] * blocks(result[3])));
    }
  return list;
}

}  // namespace

Dispatches dispatch_pool2d(const KernelSpec& spec) {
  const SpecCall call(spec);
  const DataType type = call.operand(0).type;
  const std::size_t count = element_count(spec.outputs[0].shape);
  const bool channels_last = common_layout(spec) == Layout::channels_last;
  // Only the taps inside of the input are visited.
  const auto [y, x] = sliding_windows(call, spec.outputs[0].shape);
  const auto rows = std::uint64_t(std::min(y.window, y.input)), columns = std::uint64_t(std::min(x.window, x.input));
  const CountedVector<LoopPart> column_parts = cut_loop(columns, most_turns_of_part - 1);
  const std::uint64_t of_row = 1 + column_parts[0].end;
  Dispatches list;
  for (const LoopPart& row_part : cut_loop(rows, std::max<std::uint64_t>(most_turns_of_part / of_row, 1)))
    for (const LoopPart& column_part : column_parts) {
      const LoopPart part{0, 0, row_part.is_first && column_part.is_first, row_part.is_last && column_part.is_last};
      const std::uint64_t carry_bytes = count * sizeof(std::uint64_t);
      if (!part.is_all()) list.scratch_bytes = carry_bytes;
      DispatchMaker maker(pool2d.of(type), {code(type), number_in(pools, spec.op), channels_last});
      maker.input(spec, 0).output(spec).carry(part, carry_bytes).word(count);
      for (const LoopPart& cut : {row_part, column_part}) maker.word(cut.first).word(cut.end);
      maker.word(part.is_first).word(part.is_last);
      write_geometry(maker, call, spec.outputs[0].shape);
      maker.word(call.shape(0)[1]);
      list.dispatches.push_back(maker.turns((row_part.end - row_part.first) * of_row).over(count));
    }
  return list;
}

Dispatches dispatch_conv2d(const KernelSpec& spec) { return dispatch_convolution(spec, false); }
Dispatches dispatch_conv_transpose2d(const KernelSpec& spec) { return dispatch_convolution(spec, true); }

namespace {

constexpr TiledShader conv2d_by_tiles{shaders::tiled_conv2d, shaders::units_conv2d, shaders::sum_splits_conv2d};

template <const Tile& tile>
Dispatches dispatch_tiles(const KernelSpec& spec, const Target& target) {
  const ProductSize size = product_size(spec);
  const TiledProduct tiled(tile, size, target);
  const auto make = [&](const ShaderCode& shader, std::uint32_t lanes, bool completes) {
    return convolution(spec, shader, false, nullptr, &tiled, completes, lanes);
  };
  const auto windows = sliding_windows(SpecCall(spec), spec.outputs[0].shape);
  const bool pointwise = is_pointwise(windows);
  // Positions of a plane are adjacent if none is left out. Four of them are in the same image.
  const bool adjacent =
      std::ranges::all_of(windows, [](const SlidingWindow& axis) { return axis.input == axis.output; });
  const std::uint64_t positions = std::uint64_t(windows[0].output) * std::uint64_t(windows[1].output);
  const BlockLoad filters = block_load(size.inner, 1, size.rows, size.inner);
  Dispatches list = tiled_product(
      tiled, conv2d_by_tiles, filters,
      {.vectors = pointwise && adjacent && positions % 4 == 0, .eights = pointwise && adjacent && positions % 8 == 0},
      target, make);
  list.dispatches[0].specialization.set(Constant::pointwise, pointwise);
  return list;
}

/// An invocation computes eight adjacent elements.
Dispatches dispatch_depthwise_conv2d(const KernelSpec& spec) {
  const Shape &y = spec.outputs[0].shape, &filter = spec.inputs[1]->shape;
  return convolution(spec, shaders::depthwise_conv2d(), false)
      .turns(std::uint64_t(filter[2]) * (1 + std::uint64_t(filter[3])))
      .over(std::uint64_t(y[0]) * y[1] * y[2] * div_up(std::uint64_t(y[3]), 8));
}

/// Such conv2d with one input channel per group.
bool takes_depthwise(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const SpecCall call(spec);
  return takes_convolution(spec) && call.shape(1)[1] == 1 && positions_are_narrow(spec);
}

}  // namespace

constexpr GpuKernel window_list[] = {
    {.row = {.name = "pool2d", .family = Family::window, .layouts = LayoutRule::uniform, .can = is_nchw},
     .dispatches = dispatch_pool2d},
    {.row = product_row("conv2d.depthwise", takes_depthwise, 0.2), .dispatches = dispatch_depthwise_conv2d},
#define WEBNN_TILE(name, ...) \
  {.row = tile_row<tiles::name>("conv2d." #name), .dispatches = dispatch_tiles<tiles::name>},
#include "runtime/vulkan/kernels/products/tiles.def"
#undef WEBNN_TILE
    {.row = product_row("conv2d", takes_convolution), .dispatches = dispatch_conv2d},
    {.row = product_row("convTranspose2d", takes_convolution), .dispatches = dispatch_conv_transpose2d},
};
extern constexpr GpuKernels window_kernels(window_list);

}  // namespace webnn::runtime::vulkan
