// Depthwise @quantizedConv2d of channels-last bytes: sums of products of bytes, some window rows at a time, and one
// multiply-add that turns each sum back into a byte.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/quantized/quantized_depthwise.inl.hpp"
#include "runtime/cpu/simd/quantized/quantized_depthwise.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "runtime/cpu/simd/convolution/window_shapes.hpp"
// All instruction sets with exact products of bytes, of four or of two rows.
#define COMPILED_ISAS(ISA, ...) BYTE_PRODUCT_ISAS(ISA, __VA_ARGS__) PAIR_PRODUCT_ISAS(ISA, __VA_ARGS__)
#include "runtime/cpu/simd/compile_isas.hpp"
#include "runtime/cpu/simd/quantized/byte_factors.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::simd {
namespace {

/// Everything that does not change between runs.
class DepthwiseOfBytes {
 public:
  DepthwiseOfBytes(const KernelSpec& spec, Constants constants, Isa isa);
  void run(const KernelArguments& arguments) const;

 private:
  void write_weights(const std::byte* filter);
  void convolve_rows(const std::uint8_t* x, std::uint8_t* y, std::size_t begin, std::size_t end) const;
  void convolve_row(const std::uint8_t* x, std::uint8_t* y, const WindowPart& seen, const ByteBlock& block) const;

  std::size_t images_, channels_, height_, width_, output_height_, output_width_;
  std::size_t left_, row_stride_, row_dilation_;
  std::size_t band_;  // output rows that are computed for one block of channels after another
  ByteWindow window_;
  ByteWindowFunctions code_;
  SlidingWindow rows_;  // which input rows each output row sees
  std::vector<ByteBlock> blocks_;
  ByteFactors factors_;
  AlignedBytes weights_, padding_{64};  // weights of all blocks; one vector of padding bytes
};

ByteWindowFunctions code_for(const KernelSpec& spec, Isa isa) {
  const SpecCall call(spec);
  return VECTOR_CODE(isa, byte_depthwise::functions)(call.shape(1)[2], call.u32_list("strides")[1]);
}

DepthwiseOfBytes::DepthwiseOfBytes(const KernelSpec& spec, Constants constants, Isa isa)
    : code_(code_for(spec, isa)),
      blocks_(byte_blocks(spec.outputs[0].shape[1], code_.blocks)),
      factors_(spec, constants, blocks_),
      weights_(0) {
  const SpecCall call(spec);
  const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
  const auto [vertical, horizontal] = sliding_windows(call, output);
  images_ = input[0];
  channels_ = input[1];
  height_ = input[2];
  width_ = input[3];
  output_height_ = output[2];
  output_width_ = output[3];
  left_ = std::size_t(horizontal.begin);
  row_stride_ = std::size_t(vertical.stride);
  row_dilation_ = std::size_t(vertical.dilation);
  band_ = 1 + band_bytes() / (row_stride_ * width_ * channels_);
  window_ = {call.shape(1)[2], code_.rows_of_group};
  rows_ = vertical;
  write_weights(constants[1].data());
  std::memset(padding_.data(), factors_.zero, padding_.view().size());
}

void DepthwiseOfBytes::write_weights(const std::byte* filter) {
  const std::size_t taps = window_.size * window_.size;
  weights_ = AlignedBytes(lanes_of(blocks_) * window_.bytes_of_lane());
  std::byte* to = weights_.data();
  for (const ByteBlock& block : blocks_)
    for (std::size_t column = 0; column < window_.size; ++column)
      for (std::size_t group = 0; group < window_.groups(); ++group)
        for (std::size_t lane = 0; lane < block.bytes; ++lane, to += 4)
          for (std::size_t i = 0; i < window_.rows_of_group; ++i) {
            const std::size_t row = group * window_.rows_of_group + i, channel = block.channel_of(lane);
            if (row >= window_.size || channel >= block.channels) continue;
            const std::byte weight = filter[(block.first + channel) * taps + row * window_.size + column];
            const std::int16_t wide = std::int8_t(weight);
            // The bytes of a group are 4 int8 or 2 int16.
            std::memcpy(to + i * 4 / window_.rows_of_group, &wide, 4 / window_.rows_of_group);
          }
}

void DepthwiseOfBytes::run(const KernelArguments& arguments) const {
  const auto* x = reinterpret_cast<const std::uint8_t*>(arguments.inputs[0]);
  auto* y = reinterpret_cast<std::uint8_t*>(arguments.outputs[0]);
  const std::size_t grain = 1 + 100'000 / (window_.size * window_.size * output_width_ * channels_);
  // Threads divide the output rows, as the convolutions before and after do, so a thread reads what it has written
  // itself. That is worth more than what starting a thread costs.
  parallel_for(images_ * output_height_, grain, [&](std::size_t begin, std::size_t end) {
    for (; begin < end; begin += band_) convolve_rows(x, y, begin, std::min(begin + band_, end));
  });
}

/// Computes rows of all images. Rows below each other are consecutive, because they share input rows.
void DepthwiseOfBytes::convolve_rows(const std::uint8_t* x, std::uint8_t* y, std::size_t begin, std::size_t end) const {
  for (const ByteBlock& block : blocks_)
    for (std::size_t row = begin; row < end; ++row)
      convolve_row(x + row / output_height_ * height_ * width_ * channels_, y + row * output_width_ * channels_,
                   rows_.part(std::int64_t(row % output_height_)), block);
}

void DepthwiseOfBytes::convolve_row(const std::uint8_t* x, std::uint8_t* y, const WindowPart& seen,
                                    const ByteBlock& block) const {
  ByteRow row;
  for (std::size_t i = 0; i < window_.size; ++i) {
    const std::int64_t inside = std::int64_t(i) - seen.tap;
    if (inside < 0 || inside >= seen.count) {
      row.rows[i] = {reinterpret_cast<const std::uint8_t*>(padding_.data()), 0};
    } else {
      const std::size_t line = std::size_t(seen.first) + std::size_t(inside) * row_dilation_;
      row.rows[i] = {x + line * width_ * channels_ + block.first, channels_};
    }
  }
  row.width = width_;
  row.left = left_;
  row.pixels = output_width_;
  row.pixel_step = channels_;
  row.channels = block.channels;
  row.weights = reinterpret_cast<const std::uint8_t*>(weights_.data()) + block.lanes_at * window_.bytes_of_lane();
  row.start = factors_.start(block);
  row.scale = factors_.scale(block);
  row.offset = factors_.offset(block);
  row.fill = std::uint8_t(factors_.zero ^ factors_.flip_x);
  row.flip_x = factors_.flip_x;
  row.flip_y = factors_.flip_y;
  row.y = y + block.first;
  if (!block.is_full()) return code_.part(row);
  (block.bytes == code_.blocks.wide ? code_.wide : code_.narrow)(row);
}

}  // namespace

Kernel prepare_quantized_depthwise(const KernelSpec& spec, Constants constants, Isa isa) {
  return {[convolution = std::make_shared<const DepthwiseOfBytes>(spec, constants, isa)](
              const KernelArguments& arguments) { convolution->run(arguments); }};
}

namespace {

/// Depthwise @quantizedConv2d with int8 or uint8 results, windows of 3x3 or 5x5, and a horizontal stride of 1 or 2.
bool takes_quantized_depthwise(const KernelSpec& spec) {
  if (spec.outputs.empty() || spec.outputs[0].type == DataType::float32) return false;
  const SpecCall call(spec);
  return is_depthwise(call) && call.shape(1)[2] == call.shape(1)[3];
}

}  // namespace

constexpr KernelRow quantized_depthwise_row = {.name = "quantizedConv2d.depthwise",
                                               .op = "@quantizedConv2d",
                                               .types = int8_or_uint8,
                                               .layouts = LayoutRule::channels_last,
                                               .constants = 0b1110,
                                               .can = takes_quantized_depthwise,
                                               .factor = 0.9};
constexpr SimdKernel quantized_depthwise_list[] = {
    {.row = quantized_depthwise_row, .needs = Needs::byte_products, .prepare = prepare_quantized_depthwise},
    {.row = quantized_depthwise_row, .needs = Needs::pair_products, .prepare = prepare_quantized_depthwise},
};
extern constexpr SimdKernels quantized_depthwise_kernels(quantized_depthwise_list);

}  // namespace webnn::runtime::simd
