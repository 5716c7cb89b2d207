// Pointwise @quantizedConv2d of channels-last bytes: a matrix product of bytes. With few input channels the products
// take less time than turning their sums back into bytes, for which oneDNN needs more instructions.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/quantized/quantized_pointwise.inl.hpp"
#include "runtime/cpu/simd/quantized/quantized_pointwise.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/cpu/simd/convolution/window_shapes.hpp"
#include "runtime/cpu/simd/for_byte_products.hpp"
#include "runtime/cpu/simd/quantized/byte_factors.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// Everything that does not change between runs.
class PointwiseOfBytes {
 public:
  PointwiseOfBytes(const KernelSpec& spec, Constants constants, Isa isa)
      : code_(VECTOR_CODE(isa, byte_pointwise::functions)()),
        pixels_(element_count(spec.inputs[0]->shape) / spec.inputs[0]->shape[1]),
        inputs_(spec.inputs[0]->shape[1]),
        outputs_(spec.outputs[0].shape[1]),
        band_(BytePixels::together * (1 + band_bytes() / (BytePixels::together * (inputs_ + outputs_)))),
        blocks_(byte_blocks(outputs_)),
        factors_(spec, constants, blocks_),
        weights_(lanes_of(blocks_) * inputs_) {
    std::byte* to = weights_.data();
    for (const ByteBlock& block : blocks_)
      for (std::size_t input = 0; input < inputs_; input += 4)
        for (std::size_t lane = 0; lane < block.bytes; ++lane, to += 4)
          std::copy_n(&constants[1][(block.first + block.channel_of(lane)) * inputs_ + input], 4, to);
  }

  void run(const KernelArguments& arguments) const {
    const auto* x = reinterpret_cast<const std::uint8_t*>(arguments.inputs[0]);
    auto* y = reinterpret_cast<std::uint8_t*>(arguments.outputs[0]);
    constexpr std::size_t together = BytePixels::together;
    const std::size_t grain = 1 + 400'000 / (together * inputs_ * outputs_);
    parallel_for(div_up(pixels_, together), grain, [&](std::size_t begin, std::size_t end) {
      const std::size_t last = std::min(pixels_, end * together);
      for (std::size_t first = begin * together; first < last; first += band_)
        convolve_pixels(x, y, first, std::min(band_, last - first));
    });
  }

 private:
  void convolve_pixels(const std::uint8_t* x, std::uint8_t* y, std::size_t first, std::size_t count) const {
    BytePixels work;
    work.x = x + first * inputs_;
    work.pixels = count;
    work.channels = inputs_;
    work.flip_x = factors_.flip_x;
    work.flip_y = factors_.flip_y;
    work.y_step = outputs_;
    for (const ByteBlock& block : blocks_) {
      work.weights = reinterpret_cast<const std::uint8_t*>(weights_.data()) + block.lanes_at * inputs_;
      work.start = factors_.start(block);
      work.scale = factors_.scale(block);
      work.offset = factors_.offset(block);
      work.y = y + first * outputs_ + block.first;
      (block.bytes == 64 ? code_.full64 : code_.full32)(work);
    }
  }

  BytePixelFunctions code_;
  std::size_t pixels_, inputs_, outputs_;
  std::size_t band_;  // pixels that are computed for one block of channels after another
  std::vector<ByteBlock> blocks_;
  ByteFactors factors_;
  AlignedBytes weights_;
};

}  // namespace

Kernel prepare_quantized_pointwise(const KernelSpec& spec, Constants constants, Isa isa) {
  return {[convolution = std::make_shared<const PointwiseOfBytes>(spec, constants, isa)](
              const KernelArguments& arguments) { convolution->run(arguments); }};
}

namespace {

/// Pointwise @quantizedConv2d with int8 or uint8 results, a multiple of 4 input channels, and a block of output channels
/// at least.
bool takes_quantized_pointwise(const KernelSpec& spec) {
  if (spec.outputs.empty() || spec.outputs[0].type == DataType::float32) return false;
  const SpecCall call(spec);
  constexpr std::uint32_t block = 32, together = 4, most_inputs = 16384;  // this many products fit in an int32
  const Shape& filter = call.shape(1);
  return call.u32("groups") == 1 && filter[2] == 1 && filter[3] == 1 && all_are(call, "strides", 1) &&
         all_are(call, "padding", 0) && filter[1] % together == 0 && filter[1] <= most_inputs && filter[0] >= block;
}

/// The kernel pays when several pixels share one read of the weights.
double scale_of_pointwise_bytes(const KernelSpec& spec, const Target&) {
  constexpr std::uint64_t fewest_pixels = 16;
  const std::uint64_t pixels = element_count(spec.inputs[0]->shape) / spec.inputs[1]->shape[1];
  return pixels >= fewest_pixels ? 1 : slower_than_libraries;
}

}  // namespace

constexpr SimdKernel quantized_pointwise_list[] = {
    {.row = {.name = "quantizedConv2d.pointwise",
             .op = "@quantizedConv2d",
             .types = int8_or_uint8,
             .layouts = LayoutRule::channels_last,
             .constants = 0b1110,
             .can = takes_quantized_pointwise,
             .factor = 0.9,
             .scale = scale_of_pointwise_bytes},
     .needs = Needs::byte_products,
     .prepare = prepare_quantized_pointwise},
};
extern constexpr SimdKernels quantized_pointwise_kernels(quantized_pointwise_list);

}  // namespace webnn::runtime::simd
