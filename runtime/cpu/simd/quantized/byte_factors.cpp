#include "runtime/cpu/simd/quantized/byte_factors.hpp"

#include <algorithm>

#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {

std::vector<ByteBlock> byte_blocks(std::size_t channels, ByteBlockSizes sizes) {
  std::vector<ByteBlock> blocks;
  std::size_t lanes = 0;
  for (std::size_t done = 0; done < channels;) {
    const bool is_wide = channels >= sizes.wide && channels - done > sizes.narrow;
    const std::size_t bytes = is_wide ? sizes.wide : sizes.narrow;
    const std::size_t first = std::min(done, std::max(channels, bytes) - bytes);
    blocks.push_back({first, bytes, sizes.vectors, std::min(bytes, channels - first), lanes});
    lanes += bytes;
    done = first + bytes;
  }
  return blocks;
}

namespace {

constexpr std::uint8_t highest_bit = 0x80;

}  // namespace

UnsignedInput::UnsignedInput(const OperatorCall& call)
    : flip(call.operand(0).type == DataType::uint8 ? 0 : highest_bit),
      zero(std::uint8_t(call.i32("inputZeroPoint")) ^ flip) {}

ResultFactors::ResultFactors(const KernelSpec& spec, Constants constants)
    : flip_y(spec.outputs[0].type == DataType::uint8 ? highest_bit : 0),
      scale(spec.outputs[0].shape[1]),
      offset(scale.size()) {
  const SpecCall call(spec);
  const auto* bias = call.has_operand(2) ? reinterpret_cast<const float*>(constants[2].data()) : nullptr;
  const auto* filter_scale = reinterpret_cast<const float*>(constants[3].data());
  const double input_scale = call.real("inputScale"), output_scale = call.real("outputScale");
  const double zero_of_y = double(call.i32("outputZeroPoint")) - flip_y;
  for (std::size_t channel = 0; channel < scale.size(); ++channel) {
    scale[channel] = float(input_scale * filter_scale[channel] / output_scale);
    offset[channel] = float(zero_of_y + (bias == nullptr ? 0 : bias[channel] / output_scale));
  }
}

ByteFactors::ByteFactors(const KernelSpec& spec, Constants constants, const std::vector<ByteBlock>& blocks)
    : start_(lanes_of(blocks) * sizeof(std::int32_t)),
      scale_(lanes_of(blocks) * sizeof(float)),
      offset_(lanes_of(blocks) * sizeof(float)) {
  const SpecCall call(spec);
  const ResultFactors factors(spec, constants);
  const std::span<const std::byte> filter = constants[1];
  const std::size_t weights = filter.size() / call.shape(1)[0];
  const UnsignedInput input(call);
  flip_x = input.flip;
  flip_y = factors.flip_y;
  zero = input.zero ^ input.flip;
  for (const ByteBlock& block : blocks)
    for (std::size_t lane = 0; lane < block.bytes; ++lane) {
      if (block.channel_of(lane) >= block.channels) continue;
      const std::size_t channel = block.first + block.channel_of(lane);
      std::int32_t weight_sum = 0;
      for (const std::byte weight : filter.subspan(channel * weights, weights)) weight_sum += std::int8_t(weight);
      of<std::int32_t>(start_)[block.lanes_at + lane] = -std::int32_t{input.zero} * weight_sum;
      of<float>(scale_)[block.lanes_at + lane] = factors.scale[channel];
      of<float>(offset_)[block.lanes_at + lane] = factors.offset[channel];
    }
}

}  // namespace webnn::runtime::simd
