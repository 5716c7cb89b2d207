#include "runtime/cpu/simd/quantized/byte_factors.hpp"

#include <algorithm>

#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {

std::vector<ByteBlock> byte_blocks(std::size_t channels) {
  std::vector<ByteBlock> blocks;
  std::size_t lanes = 0;
  for (std::size_t done = 0; done < channels;) {
    const std::size_t bytes = channels >= 64 && channels - done > 32 ? 64 : 32;
    const std::size_t first = std::min(done, std::max(channels, bytes) - bytes);
    blocks.push_back({first, bytes, std::min(bytes, channels - first), lanes});
    lanes += bytes;
    done = first + bytes;
  }
  return blocks;
}

ByteFactors::ByteFactors(const KernelSpec& spec, Constants constants, const std::vector<ByteBlock>& blocks)
    : start_(lanes_of(blocks) * sizeof(std::int32_t)),
      scale_(lanes_of(blocks) * sizeof(float)),
      offset_(lanes_of(blocks) * sizeof(float)) {
  constexpr std::uint8_t highest_bit = 0x80;
  const SpecCall call(spec);
  const std::span<const std::byte> filter = constants[1];
  const auto* bias = call.has_operand(2) ? reinterpret_cast<const float*>(constants[2].data()) : nullptr;
  const auto* filter_scale = reinterpret_cast<const float*>(constants[3].data());
  const std::size_t weights = filter.size() / call.shape(1)[0];
  const bool x_is_unsigned = call.operand(0).type == DataType::uint8;
  const bool y_is_unsigned = spec.outputs[0].type == DataType::uint8;
  const double input_scale = call.real("inputScale"), output_scale = call.real("outputScale");
  flip_x = x_is_unsigned ? 0 : highest_bit;
  flip_y = y_is_unsigned ? highest_bit : 0;
  zero = std::uint8_t(call.i32("inputZeroPoint"));
  const std::int32_t zero_of_x = zero ^ flip_x;
  const double zero_of_y = double(call.i32("outputZeroPoint")) - flip_y;
  for (const ByteBlock& block : blocks)
    for (std::size_t lane = 0; lane < block.bytes; ++lane) {
      if (block.channel_of(lane) >= block.channels) continue;
      const std::size_t channel = block.first + block.channel_of(lane);
      std::int32_t weight_sum = 0;
      for (const std::byte weight : filter.subspan(channel * weights, weights)) weight_sum += std::int8_t(weight);
      const double scale = input_scale * filter_scale[channel] / output_scale;
      const double constant = bias == nullptr ? 0 : bias[channel] / output_scale;
      of<std::int32_t>(start_)[block.lanes_at + lane] = -zero_of_x * weight_sum;
      of<float>(scale_)[block.lanes_at + lane] = float(scale);
      of<float>(offset_)[block.lanes_at + lane] = float(zero_of_y + constant);
    }
}

}  // namespace webnn::runtime::simd
