// Shared by the int8 kernels of @quantizedConv2d: the order in which output channels fill their vectors, and how int32
// sums become results. The vector code for it is byte_products.inl.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/kernel.hpp"
#include "runtime/machine/core_caches.hpp"
#include "schema/elements/aligned_bytes.hpp"

namespace webnn::runtime::simd {

/// The output channels whose results fill one vector of 32 or 64 bytes. Their sums are four such vectors; lane `i`,
/// counted over all four, is the sum of channel `first + channel_of(i)`.
struct ByteBlock {
  std::size_t first = 0;      // first output channel
  std::size_t bytes = 64;     // size of the vector
  std::size_t channels = 64;  // channels in the vector
  std::size_t lanes_at = 0;   // number of lanes in the blocks before

  bool is_full() const { return channels == bytes; }
  /// The permutation of interleaved bytes: each quarter of the vector holds four out of every 16 neighbours.
  std::size_t channel_of(std::size_t lane) const {
    const std::size_t quarter = lane / (bytes / 4), place = lane % (bytes / 4);
    return place / 4 * 16 + quarter * 4 + place % 4;
  }
};

/// Covers all channels with as few blocks as possible. The last block overlaps the one before it instead of being
/// partly empty; fewer than 32 channels are one partial block.
std::vector<ByteBlock> byte_blocks(std::size_t channels);
inline std::size_t lanes_of(const std::vector<ByteBlock>& blocks) {
  return blocks.back().lanes_at + blocks.back().bytes;
}

/// The bytes that a band of the input reads, and writes, roughly: they stay in the L2 cache for the next channels.
inline std::size_t band_bytes() { return core_caches().l2 / 4; }

/// Factors that turn int32 sums into results. The instructions multiply uint8 of the input by int8 of the filter and
/// give int8 results. For int8 inputs and uint8 results 128 is added to each byte, by flipping its highest bit.
class ByteFactors {
 public:
  /// For a call whose filter, bias and scales are constants.
  ByteFactors(const KernelSpec& spec, Constants constants, const std::vector<ByteBlock>& blocks);

  /// For the lanes of a block: result = round((start + sum) * scale + offset), saturated, then flipped. `sum` is the
  /// sum of products of flipped bytes over a whole window, padding included. Aligned to vectors.
  const std::int32_t* start(const ByteBlock& block) const { return of<std::int32_t>(start_) + block.lanes_at; }
  const float* scale(const ByteBlock& block) const { return of<float>(scale_) + block.lanes_at; }
  const float* offset(const ByteBlock& block) const { return of<float>(offset_) + block.lanes_at; }

  std::uint8_t flip_x = 0, flip_y = 0;  // XORed with each byte of the input and of the result
  std::uint8_t zero = 0;                // the input byte that stands for 0

 private:
  template <typename T>
  static T* of(const AlignedBytes& bytes) {
    return reinterpret_cast<T*>(bytes.data());
  }

  AlignedBytes start_, scale_, offset_;
};

}  // namespace webnn::runtime::simd
