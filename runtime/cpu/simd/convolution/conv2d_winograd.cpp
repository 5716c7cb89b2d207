// conv2d with 3x3 windows and stride 1 on channels-last float32, by Winograd's method. Patches of the input and the
// filters are transformed (sums and differences only), multiplied element by element over all channels (one matrix
// product for each element of a patch), and transformed back into tiles of the output. A tile of 2x2 pixels takes 16
// products instead of 36.
//
// Larger tiles would take fewer products, but lose digits: with the most exact points for them (0, 3/4, -3/4, 3/2, -3/2
// and infinity) tiles of 4x4 have three times the rounding errors of tiles of 2x2, which are as exact as direct sums in
// blocks.
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

#include "runtime/cpu/simd/epilogue.hpp"
#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// The lines of G w G^T for the matrix G = {{1, 0, 0}, {1/2, 1/2, 1/2}, {1/2, -1/2, 1/2}, {0, 0, 1}}, see `transform_filter`.
constexpr auto along = [](double a, double b, double c, double* result, std::size_t stride) {
  const double half = (a + c) / 2;
  result[0] = a;
  result[stride] = half + b / 2;
  result[2 * stride] = half - b / 2;
  result[3 * stride] = c;
};

/// From [output channels, channels, 3, 3] to [panels][elements][channels][columns]. A last panel that is not filled has
/// one vector of columns and pairs of channels: [elements][channels / 2][columns][2].
Packing<float> packing_of(const WinogradSizes& sizes, std::size_t columns) {
  const std::size_t panels = div_up(sizes.output_channels, columns);
  Packing<float> packing;
  packing.form = "winograd2:" + std::to_string(sizes.output_channels) + "x" + std::to_string(sizes.channels) + ":" +
                 std::to_string(columns) + (sizes.output_channels % columns != 0 ? "+2" : "");
  packing.elements = winograd_elements * sizes.channels * sizes.output_channels;
  packing.write = [sizes, columns, panels](const float* from, float* to) {
    const std::size_t grain = 1 + 2'000 / columns;  // channels of a panel
    parallel_for(panels * sizes.channels, grain, [=](std::size_t begin, std::size_t end) {
      for (std::size_t at = begin; at < end; ++at) {
        const std::size_t panel = at / sizes.channels, channel = at % sizes.channels, first = panel * columns;
        const std::size_t filled = std::min(columns, sizes.output_channels - first);
        const std::size_t together = filled < columns ? 2 : 1;
        float* const line = to + first * winograd_elements * sizes.channels + channel / together * together * filled +
                            channel % together;
        for (std::size_t column = 0; column < filled; ++column)
          transform_filter<double>(from + ((first + column) * sizes.channels + channel) * 9, line + column * together,
                                   sizes.channels * filled, along);
      }
    });
  };
  return packing;
}

WinogradFunctions functions(Isa isa) { return VECTOR_CODE(isa, winograd::functions)(); }

}  // namespace

Kernel prepare_conv2d_winograd(const KernelSpec& spec, Constants constants, Isa isa) {
  const WinogradSizes sizes = winograd_sizes(spec);
  const WinogradFunctions code = functions(isa);
  const OutputLimits limits = limits_of_first_post_op(spec);
  const Epilogue epilogue = Epilogue::of(spec, constants, isa, limits.post_ops);
  const std::size_t panels = div_up(sizes.output_channels, code.columns);
  ScratchLayout scratch;
  const PackedOperand filters(packing_of(sizes, code.columns), spec, 1, constants, scratch);
  const TileTasks tasks(sizes, code.columns, sizeof(float), !epilogue.is_empty(), scratch);
  const auto zeros = std::make_shared<const std::vector<float>>(std::max(sizes.channels, panels * code.columns));

  const std::size_t line = sizes.output_width * sizes.output_channels;
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
    run.element_step = tasks.element_step();
    run.y = reinterpret_cast<float*>(arguments.outputs[0]);
    tasks.run(run, code, arguments.scratch, [&](std::size_t begin, std::size_t end) {
      if (!epilogue.is_empty()) epilogue.run_part(arguments, begin * line, end * line);
    });
    if (!epilogue.is_empty() && !tasks.computes_lines()) epilogue.run(arguments);
  };
  return kernel_of(convolve, scratch);
}

std::optional<PackedConstant> pack_conv2d_winograd(const KernelSpec& spec, std::size_t,
                                                   std::span<const std::byte> bytes, Isa isa) {
  const WinogradSizes sizes = winograd_sizes(spec);
  return packing_of(sizes, functions(isa).columns).pack(bytes);
}

namespace {

/// conv2d with 3x3 windows, stride 1, and channels that fill vectors.
bool takes_winograd(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  constexpr std::uint32_t growth = 2;  // of the filter: 16 elements for 9
  return has_winograd_windows(spec) && may_be_packed(spec, 1, growth);
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
             .scale = tiles_to_direct,
             .arithmetic = winograd_arithmetic},
     .drops_subnormals = true,
     .prepare = prepare_conv2d_winograd,
     .pack = pack_conv2d_winograd},
};
extern constexpr SimdKernels conv2d_winograd_kernels(conv2d_winograd_list);

}  // namespace webnn::runtime::simd
