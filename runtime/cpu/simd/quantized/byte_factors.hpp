// What kernels of @quantizedConv2d that multiply bytes have in common: in which order the output channels fill their
// vectors, and how the sums of products become results. The vector code for it is byte_products.inl.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/kernel.hpp"
#include "schema/elements/aligned_bytes.hpp"

namespace webnn::runtime::simd {

/// The output channels whose results fill one vector of 32 or 64 bytes. Their sums are four such vectors: lane `i` of
/// all four, counted one after the other, is the sum of channel `first + channel_of(i)`.
struct ByteBlock {
  std::size_t first = 0;
  std::size_t bytes = 64;     // of the vector
  std::size_t channels = 64;  // in it
  std::size_t lanes_at = 0;   // lanes of the blocks before

  bool is_full() const { return channels == bytes; }
  /// As interleaving takes the elements of a vector: each quarter of it has four of each 16 neighbours.
  std::size_t channel_of(std::size_t lane) const {
    const std::size_t quarter = lane / (bytes / 4), place = lane % (bytes / 4);
    return place / 4 * 16 + quarter * 4 + place % 4;
  }
};

/// All channels in as few vectors as there can be. The last one overlaps those before rather than being partly empty;
/// fewer than 32 channels are one that is.
std::vector<ByteBlock> byte_blocks(std::size_t channels);
inline std::size_t lanes_of(const std::vector<ByteBlock>& blocks) {
  return blocks.back().lanes_at + blocks.back().bytes;
}

/// The instructions multiply uint8 of the input by int8 of the filter and give int8. Where the input is int8 or the
/// result uint8, 128 is added to each byte, which flips its highest bit.
class ByteFactors {
 public:
  /// Of a call whose filter, bias and scales are constants.
  ByteFactors(const KernelSpec& spec, Constants constants, const std::vector<ByteBlock>& blocks);

  /// For the lanes of a block: result = round((start + sum) * scale + offset), where the sum is of products of flipped
  /// bytes over a whole window, padding included; saturated, then flipped. Aligned as vectors are.
  const std::int32_t* start(const ByteBlock& block) const { return of<std::int32_t>(start_) + block.lanes_at; }
  const float* scale(const ByteBlock& block) const { return of<float>(scale_) + block.lanes_at; }
  const float* offset(const ByteBlock& block) const { return of<float>(offset_) + block.lanes_at; }

  std::uint8_t flip_x = 0, flip_y = 0;  // exclusive-or with each byte of the input and of the result
  std::uint8_t zero = 0;                // the byte of the input that stands for 0

 private:
  template <typename T>
  static T* of(const AlignedBytes& bytes) {
    return reinterpret_cast<T*>(bytes.data());
  }

  AlignedBytes start_, scale_, offset_;
};

}  // namespace webnn::runtime::simd
