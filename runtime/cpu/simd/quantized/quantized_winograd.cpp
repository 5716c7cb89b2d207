// @quantizedConv2d of channels-last bytes with 3x3 windows and stride 1, by Winograd's method with tiles of 2x2 pixels
// (convolution/conv2d_winograd.cpp explains it): 16 products instead of 36. It is exact. Filters are multiplied by 4, so
// that their transform has no halves and gives at most 9 * 128; the input's gives at most 4 * 255. Both fit in 16 bits,
// and 4 times the sum of a window in 32 bits, up to `most_channels`; what is added up before may exceed them, which
// changes nothing modulo 2^32.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/quantized/quantized_winograd.inl.hpp"
#include "runtime/cpu/simd/quantized/quantized_winograd.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/cpu/simd/convolution/winograd_tiles.hpp"
#include "runtime/cpu/simd/for_pair_products.hpp"
#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "runtime/cpu/simd/quantized/byte_factors.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/kernel.hpp"
#include "runtime/threads/parallel.hpp"

namespace webnn::runtime::simd {
namespace {

ByteTilesFunctions functions(Isa isa) { return VECTOR_CODE(isa, byte_winograd::functions)(); }

/// The lines of 4 G w G^T for G = {{1, 0, 0}, {1/2, 1/2, 1/2}, {1/2, -1/2, 1/2}, {0, 0, 1}}, see `transform_filter`.
constexpr auto along = [](int a, int b, int c, int* result, std::size_t stride) {
  result[0] = 2 * a;
  result[stride] = a + b + c;
  result[2 * stride] = a - b + c;
  result[3 * stride] = 2 * c;
};

/// From [output channels, channels, 3, 3] to [panels][elements][pairs of channels][columns][2], int16.
Packing<std::uint8_t> packing_of(const WinogradSizes& sizes, std::size_t columns) {
  Packing<std::uint8_t> packing;
  packing.form = "byte_winograd2:" + std::to_string(sizes.output_channels) + "x" + std::to_string(sizes.channels) +
                 ":" + std::to_string(columns);
  packing.elements = winograd_elements * sizes.output_channels * sizes.channels * sizeof(std::int16_t);
  packing.write = [sizes, columns](const std::uint8_t* from, std::uint8_t* to) {
    const auto* const filter = reinterpret_cast<const std::int8_t*>(from);
    auto* const packed = reinterpret_cast<std::int16_t*>(to);
    const std::size_t channels = sizes.channels, step = channels * columns;
    parallel_for(sizes.output_channels, 1 + 2'000 / channels, [=](std::size_t begin, std::size_t end) {
      for (std::size_t output = begin; output < end; ++output)
        for (std::size_t channel = 0; channel < channels; ++channel)
          transform_filter<int>(filter + (output * channels + channel) * 9,
                                packed + output / columns * winograd_elements * step +
                                    (channel / 2 * columns + output % columns) * 2 + channel % 2,
                                step, along);
    });
  };
  return packing;
}

}  // namespace

Kernel prepare_quantized_winograd(const KernelSpec& spec, Constants constants, Isa isa) {
  const WinogradSizes sizes = winograd_sizes(spec);
  const ByteTilesFunctions code = functions(isa);
  ScratchLayout scratch;
  const PackedOperand filters(packing_of(sizes, code.columns), spec, 1, constants, scratch);
  const TileTasks tasks(sizes, code.columns, sizeof(std::int16_t), false, scratch);
  const auto factors = std::make_shared<ResultFactors>(spec, constants);
  for (float& scale : factors->scale) scale /= 4;
  const UnsignedInput input{SpecCall(spec)};

  ByteTiles common;
  common.sizes = sizes;
  common.flip_x = input.flip;
  common.zero = input.zero;
  common.element_step = tasks.element_step();
  common.scale = factors->scale.data();
  common.offset = factors->offset.data();
  common.flip_y = factors->flip_y;
  const auto convolve = [=](const KernelArguments& arguments) {
    ByteTiles run = common;
    run.x = reinterpret_cast<const std::uint8_t*>(arguments.inputs[0]);
    run.filters = reinterpret_cast<const std::int16_t*>(filters.in(arguments));
    run.y = reinterpret_cast<std::uint8_t*>(arguments.outputs[0]);
    tasks.run(run, code, arguments.scratch, [](std::size_t, std::size_t) {});
  };
  return kernel_of([convolve, factors](const KernelArguments& arguments) { convolve(arguments); }, scratch);
}

std::optional<PackedConstant> pack_quantized_winograd(const KernelSpec& spec, std::size_t,
                                                      std::span<const std::byte> bytes, Isa isa) {
  return packing_of(winograd_sizes(spec), functions(isa).columns).pack(bytes);
}

namespace {

/// The most channels for which 4 times the sum of a window fits in an int32.
constexpr std::uint32_t most_channels = 1824;

bool takes_quantized_winograd(const KernelSpec& spec) {
  constexpr std::uint32_t growth = 4;  // of the filter: 16 int16 for 9 bytes
  return has_winograd_windows(spec) && spec.outputs[0].type != DataType::float32 &&
         spec.inputs[1]->shape[1] <= most_channels && may_be_packed(spec, 1, growth);
}

/// Compared with `quantizedConv2d.direct`. Few tiles do not pay for filters that are larger in memory.
double scale_of_byte_tiles(const KernelSpec& spec, const Target& target) {
  constexpr std::size_t fewest_tiles = 32;
  const bool pays = !includes(target.features, Feature::avx512) && winograd_sizes(spec).tiles() >= fewest_tiles;
  return tiles_to_direct(spec, target) * (pays ? 1 : slower_than_libraries);
}

}  // namespace

constexpr SimdKernel quantized_winograd_list[] = {
    {.row = {.name = "quantizedConv2d.winograd",
             .op = "@quantizedConv2d",
             .types = int8_or_uint8,
             .layouts = LayoutRule::channels_last,
             .packs = 0b10,
             .constants = 0b1110,
             .can = takes_quantized_winograd,
             .factor = 0.9,
             .scale = scale_of_byte_tiles,
             .arithmetic = winograd_arithmetic},
     .needs = Needs::pair_products,
     .prepare = prepare_quantized_winograd,
     .pack = pack_quantized_winograd},
};
extern constexpr SimdKernels quantized_winograd_kernels(quantized_winograd_list);

}  // namespace webnn::runtime::simd
