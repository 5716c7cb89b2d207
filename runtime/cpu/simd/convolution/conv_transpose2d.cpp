// convTranspose2d of channels-last float32 with windows that do not overlap and few output channels. Each input pixel
// becomes a window of the output, whose elements are products of the pixel's channels with their own weights. The
// pixels of a row fill the vectors. Post-ops are an elementwise chain over the output.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/convolution/conv_transpose2d.inl.hpp"
#include "runtime/cpu/simd/convolution/conv_transpose2d.hpp"

#include <algorithm>

#include "runtime/cpu/simd/epilogue.hpp"
#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::simd {
namespace {

SpreadSizes sizes_of(const KernelSpec& spec) {
  const Shape &input = spec.inputs[0]->shape, &filter = spec.inputs[1]->shape;
  return {input[3], input[1], filter[2], std::size_t{filter[3]} * filter[1]};
}

/// From [channels, outputs, rows, columns] to groups of four of the results [rows, columns, outputs].
void write_weights(const SpreadSizes& sizes, const Shape& filter, const float* from, float* to) {
  const std::size_t outputs = filter[1], columns = filter[3], window = sizes.window_height * columns;
  std::fill_n(to, sizes.weight_count(), 0.0f);
  for (std::size_t channel = 0; channel < sizes.channels; ++channel)
    for (std::size_t output = 0; output < outputs; ++output)
      for (std::size_t at = 0; at < window; ++at) {
        const std::size_t result = at * outputs + output;
        to[(result / 4 * sizes.channels + channel) * 4 + result % 4] = *from++;
      }
}

}  // namespace

Kernel prepare_conv_transpose2d(const KernelSpec& spec, Constants constants, Isa isa) {
  const auto spread = VECTOR_CODE(isa, spread_row);
  const SpreadSizes sizes = sizes_of(spec);
  const Shape filter = spec.inputs[1]->shape;
  const std::size_t lines = std::size_t{spec.inputs[0]->shape[0]} * spec.inputs[0]->shape[2];
  const std::size_t input_line = sizes.width * sizes.channels, output_line = sizes.width * sizes.results();
  const std::size_t grain = 1 + 50'000 / (sizes.width * sizes.weight_count());

  ScratchLayout scratch;
  Packing<float> packing;
  packing.elements = sizes.weight_count();
  packing.write = [sizes, filter](const float* from, float* to) { write_weights(sizes, filter, from, to); };
  const PackedOperand packed(packing, spec, 1, constants, scratch);

  const auto convolve = [=](const KernelArguments& arguments) {
    const auto* x = reinterpret_cast<const float*>(arguments.inputs[0]);
    auto* y = reinterpret_cast<float*>(arguments.outputs[0]);
    const float* weights = packed.in(arguments);
    float bias[SpreadSizes::most_results] = {};
    if (const auto* given = reinterpret_cast<const float*>(arguments.inputs[2]); given != nullptr)
      for (std::size_t i = 0; i < sizes.results(); ++i) bias[i] = given[i % filter[1]];
    parallel_for(lines, grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t line = begin; line < end; ++line)
        spread(sizes, x + line * input_line, weights, bias, y + line * output_line);
    });
  };
  return with_post_ops({convolve, scratch.bytes()}, spec, constants, isa);
}

namespace {

/// convTranspose2d whose windows neither overlap nor leave gaps.
bool takes_conv_transpose(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const SpecCall call(spec);
  if (call.text("inputLayout") != "nchw" || call.text("filterLayout") != "iohw" || call.u32("groups") != 1)
    return false;
  const auto side_by_side = [](const SlidingWindow& axis) {
    return axis.stride == axis.window && (axis.dilation == 1 || axis.window == 1) && axis.begin == 0 && axis.end == 0 &&
           axis.output == axis.input * axis.stride;
  };
  const Shape& filter = call.shape(1);
  return std::ranges::all_of(sliding_windows(call, spec.outputs[0].shape), side_by_side) &&
         filter[0] <= SpreadSizes::most_channels &&
         std::uint64_t{filter[1]} * filter[2] * filter[3] <= SpreadSizes::most_results;
}

double scale_of_spread(const KernelSpec& spec, const Target&) {
  constexpr std::uint32_t few = 8;  // output channels; more of them fill oneDNN's vectors
  return spec.inputs[1]->shape[1] < few ? 1 : slower_than_libraries;
}

}  // namespace

constexpr SimdKernel conv_transpose2d_list[] = {
    {.row = {.name = "convTranspose2d",
             .op = "convTranspose2d",
             .types = {DataType::float32},
             .layouts = LayoutRule::channels_last,
             .can = takes_conv_transpose,
             .can_apply = elementwise_post_ops,
             .factor = 0.9,
             .scale = scale_of_spread},
     .drops_subnormals = true,
     .prepare = prepare_conv_transpose2d},
};
extern constexpr SimdKernels conv_transpose2d_kernels(conv_transpose2d_list);

}  // namespace webnn::runtime::simd
