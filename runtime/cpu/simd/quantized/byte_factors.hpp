// Shared by the int8 kernels of @quantizedConv2d: the order in which output channels fill their vectors, and how int32
// sums become results. The vector code for it is byte_products.inl.hpp and pair_products.inl.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/kernel.hpp"
#include "runtime/machine/core_caches.hpp"
#include "schema/elements/aligned_bytes.hpp"

namespace webnn::runtime::simd {

/// The output channels whose results fill one vector of bytes, as vector code computes them for an instruction set.
struct ByteBlockSizes {
  std::size_t wide = 64, narrow = 32;  // bytes
  std::size_t vectors = 4;             // of the int32 sums of a block
};

/// A block of output channels. Lane `i` of its sums, counted over all their vectors, is the sum of channel `first +
/// channel_of(i)`.
struct ByteBlock {
  std::size_t first = 0;      // first output channel
  std::size_t bytes = 64;     // size of the vector of bytes
  std::size_t vectors = 4;    // of sums
  std::size_t channels = 64;  // channels in the vector
  std::size_t lanes_at = 0;   // number of lanes in the blocks before

  bool is_full() const { return channels == bytes; }
  /// The permutation of interleaved rows: each vector of sums takes turns with the others, four channels at a time.
  std::size_t channel_of(std::size_t lane) const {
    const std::size_t vector = lane / (bytes / vectors), place = lane % (bytes / vectors);
    return place / 4 * 4 * vectors + vector * 4 + place % 4;
  }
};

/// Covers all channels with as few blocks as possible. The last block overlaps the one before it instead of being
/// partly empty; fewer channels than a narrow block has are one partial block.
std::vector<ByteBlock> byte_blocks(std::size_t channels, ByteBlockSizes sizes = {});
inline std::size_t lanes_of(const std::vector<ByteBlock>& blocks) {
  return blocks.back().lanes_at + blocks.back().bytes;
}

/// The bytes that a band of the input reads, and writes, roughly: they stay in the L2 cache for the next channels.
inline std::size_t band_bytes() { return core_caches().l2 / 4; }

/// The input as unsigned bytes, for which int8 is XORed with `flip`.
struct UnsignedInput {
  std::uint8_t flip = 0, zero = 0;  // `zero`: the flipped byte that stands for 0

  explicit UnsignedInput(const OperatorCall& call);
};

/// What turns the int32 sums of (input - zero point) * weight into bytes: round(sum * scale + offset), saturated to int8,
/// then XORed with `flip_y`.
struct ResultFactors {
  std::uint8_t flip_y = 0;           // the highest bit for uint8 results, else 0
  std::vector<float> scale, offset;  // of each channel

  /// For a call whose bias and scales are constants.
  ResultFactors(const KernelSpec& spec, Constants constants);
};

/// Factors that turn int32 sums of flipped bytes into results. The input is multiplied as uint8, the filter as int8, and
/// results are int8. For int8 inputs and uint8 results 128 is added to each byte, by flipping its highest bit.
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
