// Products of bytes as sums of two products of 16-bit integers, and the conversion of sums back to bytes: for AVX2, whose
// products of bytes saturate. Twice as many products per instruction as with floats, and exact.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The lanes of a vector of sums.
inline constexpr std::size_t pair_lanes = 8;
/// A vector of int32 sums. It has the type that the compiler gives the instruction: Highway's vectors, which have no
/// element type, would take two registers each in a loop.
typedef std::int32_t PairSums __attribute__((vector_size(4 * pair_lanes)));
/// A vector of pairs of int16.
using Pairs = __m256i;

/// The same pair in all lanes.
HWY_INLINE Pairs one_pair(const std::int16_t* from) {
  std::int32_t pair;
  std::memcpy(&pair, from, sizeof pair);
  return _mm256_set1_epi32(pair);
}
/// A pair of bytes for each lane, extended to int16.
HWY_INLINE Pairs pairs_of_bytes(const std::int8_t* from) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
/// sums[i] + a[2i] * b[2i] + a[2i + 1] * b[2i + 1]
HWY_INLINE PairSums add_pairs(PairSums sums, Pairs a, Pairs b) { return sums + PairSums(_mm256_madd_epi16(a, b)); }

/// round(sums * scale + offset)
HWY_INLINE __m256i scaled_pairs(PairSums sums, __m256 scale, __m256 offset) {
  // The conversion returns the lowest integer for everything out of range, which is only right for values that are too
  // small.
  const __m256 far = _mm256_set1_ps(65536.0f), value = _mm256_cvtepi32_ps(__m256i(sums));
  return _mm256_cvtps_epi32(_mm256_min_ps(_mm256_fmadd_ps(value, scale, offset), far));
}

/// The int8 nearest to sums[i][lane] * scale[i] + offset[i], saturated, of one or two vectors: 8 or 16 bytes in order,
/// XORed with `flip`.
template <std::size_t vectors>
HWY_INLINE __m128i bytes_of_pairs(const PairSums (&sums)[vectors], const __m256 (&scale)[vectors],
                                  const __m256 (&offset)[vectors], __m128i flip) {
  const __m256i low = scaled_pairs(sums[0], scale[0], offset[0]);
  const __m256i high = vectors == 1 ? low : scaled_pairs(sums[vectors - 1], scale[vectors - 1], offset[vectors - 1]);
  const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0b11'01'10'00);
  return _mm_xor_si128(_mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)), flip);
}

/// The channels of a wide and a narrow block of `WindowProducts`.
inline constexpr std::size_t wide_block = 16, narrow_block = 16;

/// Sums of a window over rows of channels-last bytes, for 16 channels: a product adds two rows below each other. The rows
/// are interleaved, so that their two elements become neighbours.
template <std::size_t bytes>
struct ProductsOfTwoRows {
  static_assert(bytes == wide_block);
  static constexpr std::size_t rows = 2, vectors = 2;  // rows of a product, vectors of sums
  static constexpr std::size_t kept_weights = 0;       // vectors of weights that fit in registers
  using Row = Pairs;                                   // 16 int16
  using Operand = Pairs;                               // of a product
  using Sums = PairSums;
  using Flip = __m128i;
  using Part = std::size_t;  // the channels of a partial vector

  static HWY_INLINE Flip flip(std::uint8_t byte) { return _mm_set1_epi8(static_cast<char>(byte)); }
  static HWY_INLINE Part part(std::size_t channels) { return HWY_MIN(channels, bytes); }
  static HWY_INLINE Row zero_row() { return _mm256_setzero_si256(); }
  static HWY_INLINE Row load(const std::uint8_t* from, Flip flip) {
    return _mm256_cvtepu8_epi16(_mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)), flip));
  }
  static HWY_INLINE Row load_part(const std::uint8_t* from, Flip flip, Part part) {
    alignas(16) std::uint8_t all[bytes] = {};
    std::memcpy(all, from, part);
    return load(all, flip);
  }
  /// The operand when all rows are this byte.
  static HWY_INLINE Operand fill(std::uint8_t byte) { return _mm256_set1_epi16(byte); }
  static HWY_INLINE void interleave(const Row (&row)[rows], Operand (&to)[vectors]) {
    to[0] = _mm256_unpacklo_epi16(row[0], row[1]);
    to[1] = _mm256_unpackhi_epi16(row[0], row[1]);
  }
  /// Vector `index` of weights, int16.
  static HWY_INLINE Operand weights(const std::uint8_t* weights, std::size_t index) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights) + index);
  }
  /// Vector `index` of sums before the first product.
  static HWY_INLINE Sums start(const std::int32_t* start, std::size_t index) {
    return PairSums(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(start) + index));
  }
  static HWY_INLINE Sums add(Sums sums, Operand seen, Operand weights) { return add_pairs(sums, seen, weights); }
  /// Packing restores the order of the channels.
  static HWY_INLINE __m128i results(const Sums (&sums)[vectors], const float* scale, const float* offset,
                                    std::uint8_t flip_y) {
    const __m256i low = scaled_pairs(sums[0], _mm256_loadu_ps(scale), _mm256_loadu_ps(offset));
    const __m256i high =
        scaled_pairs(sums[1], _mm256_loadu_ps(scale + pair_lanes), _mm256_loadu_ps(offset + pair_lanes));
    const __m256i words = _mm256_packs_epi32(low, high);
    return _mm_xor_si128(_mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)),
                         flip(flip_y));
  }
  static HWY_INLINE void store(__m128i results, std::uint8_t* to) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), results);
  }
  static HWY_INLINE void store_part(__m128i results, std::uint8_t* to, Part part) {
    alignas(16) std::uint8_t all[bytes];
    store(results, all);
    std::memcpy(to, all, part);
  }
};
template <std::size_t bytes>
using WindowProducts = ProductsOfTwoRows<bytes>;

/// to[i] = (from[i] ^ flip) - zero, with unsigned bytes.
inline void widen_bytes(const std::uint8_t* from, std::uint8_t flip, std::int16_t zero, std::int16_t* to,
                        std::size_t count) {
  constexpr std::size_t together = 16;
  const __m128i flips = _mm_set1_epi8(static_cast<char>(flip));
  const __m256i zeros = _mm256_set1_epi16(zero);
  std::size_t i = 0;
  for (; i + together <= count; i += together) {
    const __m128i bytes = _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)), flips);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm256_sub_epi16(_mm256_cvtepu8_epi16(bytes), zeros));
  }
  for (; i < count; ++i) to[i] = static_cast<std::int16_t>((from[i] ^ flip) - zero);
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
