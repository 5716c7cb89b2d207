// Depthwise conv2d of channels-last float32. A vector holds the channels of a pixel; a block of pixels of a row is
// summed up together, so that each input pixel is read once for all windows of the row that see it.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/convolution/conv2d_depthwise.inl.hpp"
#include "runtime/cpu/simd/convolution/conv2d_depthwise.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/cpu/simd/convolution/window_shapes.hpp"
#include "runtime/cpu/simd/epilogue.hpp"
#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/machine/core_caches.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// The maximum number of channels computed together; a multiple of every vector length.
constexpr std::size_t most_channels = 128;
/// What a strip of pixels reads for a row and writes, at most: it stays in the L1 cache for the next output row.
std::size_t strip_bytes() { return core_caches().l1 / 4 * 3; }

struct Sizes {
  std::size_t images = 1, channels = 1, height = 1, width = 1;  // of the input
  std::size_t output_height = 1, output_width = 1;
  std::size_t window_height = 1, window_width = 1;
  std::size_t horizontal_stride = 1, vertical_dilation = 1;
  std::size_t left = 0;     // padding
  SlidingWindow rows = {};  // which input rows each output row sees
};

Sizes sizes_of(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape &input = call.shape(0), &filter = call.shape(1), &output = spec.outputs[0].shape;
  const auto [vertical, horizontal] = sliding_windows(call, output);
  Sizes sizes{input[0], input[1], input[2], input[3], output[2], output[3], filter[2], filter[3]};
  sizes.horizontal_stride = std::size_t(horizontal.stride);
  sizes.vertical_dilation = std::size_t(vertical.dilation);
  sizes.left = std::size_t(horizontal.begin);
  sizes.rows = vertical;
  return sizes;
}

/// From [channels, 1, rows, columns] to [vectors][rows][columns][lanes].
Packing<float> packing_of(const Sizes& sizes, std::size_t lanes) {
  const std::size_t vectors = div_up(sizes.channels, lanes), taps = sizes.window_height * sizes.window_width;
  Packing<float> packing;
  packing.form =
      "depthwise:" + std::to_string(sizes.channels) + "x" + std::to_string(taps) + ":" + std::to_string(lanes);
  packing.elements = vectors * taps * lanes;
  packing.write = [=, channels = sizes.channels](const float* from, float* to) {
    for (std::size_t vector = 0; vector < vectors; ++vector)
      for (std::size_t tap = 0; tap < taps; ++tap)
        for (std::size_t channel = vector * lanes; channel < (vector + 1) * lanes; ++channel)
          *to++ = channel < channels ? from[channel * taps + tap] : 0.0f;
  };
  return packing;
}

/// Divides units into as few parts as possible, of nearly equal size. Where the parts begin, and the end.
std::vector<std::size_t> divided(std::size_t units, std::size_t most) {
  const std::size_t parts = div_up(units, most);
  std::vector<std::size_t> begins;
  for (std::size_t part = 0; part <= parts; ++part) begins.push_back(units * part / parts);
  return begins;
}

DepthwiseFunctions functions(const Sizes& sizes, Isa isa) {
  return VECTOR_CODE(isa, depthwise::functions)(sizes.window_width, sizes.horizontal_stride);
}

}  // namespace

Kernel prepare_conv2d_depthwise(const KernelSpec& spec, Constants constants, Isa isa) {
  const Sizes sizes = sizes_of(spec);
  const DepthwiseFunctions code = functions(sizes, isa);
  const OutputLimits limits = limits_of_first_post_op(spec);
  const std::size_t taps = sizes.window_height * sizes.window_width, row_step = sizes.width * sizes.channels;
  std::vector<std::size_t> channels = divided(div_up(sizes.channels, code.lanes), most_channels / code.lanes);
  for (std::size_t& channel : channels) channel = std::min(channel * code.lanes, sizes.channels);
  // Strips of whole blocks of pixels.
  const std::size_t bytes_of_block = (sizes.window_height * sizes.horizontal_stride + 1) * code.pixels *
                                     std::min(most_channels, sizes.channels) * sizeof(float);
  const std::size_t blocks = div_up(sizes.output_width, code.pixels);
  std::vector<std::size_t> pixels = divided(blocks, std::max<std::size_t>(1, strip_bytes() / bytes_of_block));
  for (std::size_t& pixel : pixels) pixel = sizes.output_width * pixel / blocks;
  const bool finite_weights = are_finite(constants[1]);
  ScratchLayout scratch;
  const PackedOperand filters(packing_of(sizes, code.lanes), spec, 1, constants, scratch);

  const auto convolve = [=](const KernelArguments& arguments, std::size_t first_line, std::size_t last_line) {
    const auto* x = reinterpret_cast<const float*>(arguments.inputs[0]);
    const auto* bias = reinterpret_cast<const float*>(arguments.inputs[2]);
    auto* y = reinterpret_cast<float*>(arguments.outputs[0]);
    const float* weights = filters.in(arguments);
    const auto run_row = [&](std::size_t image, std::size_t part, std::size_t strip, std::size_t row) {
      const std::size_t channel = channels[part];
      const WindowPart seen = sizes.rows.part(std::int64_t(row));
      DepthwiseStrip work;
      work.rows = std::size_t(seen.count);
      work.x = x + channel + (image * sizes.height + std::size_t(seen.first)) * row_step;
      work.row_step = sizes.vertical_dilation * row_step;
      work.width = sizes.width;
      work.left = sizes.left;
      work.pixel_step = sizes.channels;
      work.channels = channels[part + 1] - channel;
      work.weights = weights + channel * taps + std::size_t(seen.tap) * sizes.window_width * code.lanes;
      work.vector_step = taps * code.lanes;
      work.finite_weights = finite_weights;
      work.bias = bias != nullptr ? bias + channel : nullptr;
      work.low = limits.low;
      work.high = limits.high;
      work.y = y + channel + (image * sizes.output_height + row) * sizes.output_width * sizes.channels;
      work.first = pixels[strip];
      work.pixels = pixels[strip + 1] - work.first;
      code.convolve(work);
    };
    // Threads divide the output rows, as the convolutions before and after do, so a thread reads what it has written
    // itself. Rows of the same columns are computed one after another, because they share input rows.
    const std::size_t height = sizes.output_height;
    const auto run_rows = [&](std::size_t begin, std::size_t end) {
      for (std::size_t image = begin / height; image * height < end; ++image) {
        const std::size_t first = std::max(begin, image * height), last = std::min(end, (image + 1) * height);
        for (std::size_t part = 0; part + 1 < channels.size(); ++part)
          for (std::size_t strip = 0; strip + 1 < pixels.size(); ++strip)
            for (std::size_t row = first; row < last; ++row) run_row(image, part, strip, row - image * height);
      }
    };
    parallel_for(last_line - first_line, 1 + 40'000 / (taps * sizes.output_width * sizes.channels),
                 [&](std::size_t begin, std::size_t end) { run_rows(first_line + begin, first_line + end); });
  };
  return with_post_ops(kernel_of_lines(convolve, sizes.images * sizes.output_height, scratch), spec, constants, isa,
                       limits.post_ops);
}

std::optional<PackedConstant> pack_conv2d_depthwise(const KernelSpec& spec, std::size_t,
                                                    std::span<const std::byte> bytes, Isa isa) {
  const Sizes sizes = sizes_of(spec);
  return packing_of(sizes, functions(sizes, isa).lanes).pack(bytes);
}

namespace {

/// Whether every window sees a column of the image.
bool sees_image(const SlidingWindow& columns) {
  return columns.begin < columns.window && (columns.output - 1) * columns.stride - columns.begin < columns.input;
}

/// Depthwise conv2d with windows of 3 or 5 columns and a horizontal stride of 1 or 2.
bool takes_depthwise(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const SpecCall call(spec);
  return is_depthwise(call) && may_be_packed(spec, 1) && sees_image(sliding_windows(call, spec.outputs[0].shape)[1]);
}

}  // namespace

constexpr SimdKernel conv2d_depthwise_list[] = {
    {.row = {.name = "conv2d.depthwise",
             .op = "conv2d",
             .types = {DataType::float32},
             .layouts = LayoutRule::channels_last,
             .packs = 0b10,
             .can = takes_depthwise,
             .can_apply = elementwise_post_ops,
             .by_lines = has_constant_filter,
             .factor = 0.9},
     .drops_subnormals = true,
     .prepare = prepare_conv2d_depthwise,
     .pack = pack_conv2d_depthwise},
};
extern constexpr SimdKernels conv2d_depthwise_kernels(conv2d_depthwise_list);

}  // namespace webnn::runtime::simd
