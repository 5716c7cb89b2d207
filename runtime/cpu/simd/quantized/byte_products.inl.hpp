// Products of bytes, their int32 sums, and the conversion of sums back to bytes: for AVX-512 with VNNI. Vector code
// that includes this before its HWY_BEFORE_NAMESPACE may use VNNI instructions too.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

#undef HWY_TARGET_STR
#define HWY_TARGET_STR HWY_TARGET_STR_AVX3 ",avx512vnni"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A vector of `bytes` bytes, 32 or 64.
template <std::size_t bytes>
using ByteTag = hn::FixedTag<std::uint8_t, bytes>;
template <std::size_t bytes>
using ByteVector = hn::Vec<ByteTag<bytes>>;

/// An equally large vector of int32 sums. It has the type that the compiler gives the instruction: Highway's vectors,
/// which have no element type, would take two registers each in a loop.
template <std::size_t bytes>
struct SumVectorOf {
  typedef std::int32_t Type __attribute__((vector_size(bytes)));
};
template <std::size_t bytes>
using SumVector = typename SumVectorOf<bytes>::Type;

/// sums[i] + a[4i] * b[4i] + .. + a[4i + 3] * b[4i + 3]; `a` is unsigned, `b` signed.
HWY_INLINE SumVector<64> add_products(SumVector<64> sums, ByteVector<64> a, ByteVector<64> b) {
  return SumVector<64>(_mm512_dpbusd_epi32(__m512i(sums), a.raw, b.raw));
}
HWY_INLINE SumVector<32> add_products(SumVector<32> sums, ByteVector<32> a, ByteVector<32> b) {
  return SumVector<32>(_mm256_dpbusd_epi32(__m256i(sums), a.raw, b.raw));
}

template <std::size_t bytes>
HWY_INLINE SumVector<bytes> load_sums(const std::int32_t* from) {
  return SumVector<bytes>(hn::LoadU(hn::FixedTag<std::int32_t, bytes / 4>(), from).raw);
}

HWY_INLINE hn::Vec512<float> to_floats(SumVector<64> sums) {
  return hn::Vec512<float>{_mm512_cvtepi32_ps(__m512i(sums))};
}
HWY_INLINE hn::Vec256<float> to_floats(SumVector<32> sums) {
  return hn::Vec256<float>{_mm256_cvtepi32_ps(__m256i(sums))};
}
HWY_INLINE __m512i rounded(hn::Vec512<float> value) { return _mm512_cvtps_epi32(value.raw); }
HWY_INLINE __m256i rounded(hn::Vec256<float> value) { return _mm256_cvtps_epi32(value.raw); }
/// Saturated to int8; each 128 bits hold four elements of `a`, four of `b`, ..
HWY_INLINE ByteVector<64> narrowed(__m512i a, __m512i b, __m512i c, __m512i d) {
  return ByteVector<64>{_mm512_packs_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d))};
}
HWY_INLINE ByteVector<32> narrowed(__m256i a, __m256i b, __m256i c, __m256i d) {
  return ByteVector<32>{_mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d))};
}

/// round(sums * scale + offset)
template <std::size_t bytes>
HWY_INLINE auto scaled(SumVector<bytes> sums, const float* scale, const float* offset) {
  const hn::FixedTag<float, bytes / 4> d;
  // The conversion returns the lowest integer for everything out of range, which is only right for values that are too
  // small.
  const auto far = hn::Set(d, 65536.0f);
  return rounded(hn::Min(hn::MulAdd(to_floats(sums), hn::LoadU(d, scale), hn::LoadU(d, offset)), far));
}

/// The int8 nearest to sums[k] * scale + offset, saturated, for four vectors of sums with consecutive factors. Each 128
/// bits of the result hold four elements of the first vector, four of the second, ..: the order from before four
/// vectors of bytes were interleaved.
template <std::size_t bytes>
HWY_INLINE ByteVector<bytes> to_bytes(const SumVector<bytes> (&sums)[4], const float* scale, const float* offset) {
  constexpr std::size_t lanes = bytes / 4;
  return narrowed(scaled<bytes>(sums[0], scale, offset), scaled<bytes>(sums[1], scale + lanes, offset + lanes),
                  scaled<bytes>(sums[2], scale + 2 * lanes, offset + 2 * lanes),
                  scaled<bytes>(sums[3], scale + 3 * lanes, offset + 3 * lanes));
}

/// The channels of a wide and a narrow block of `WindowProducts`.
inline constexpr std::size_t wide_block = 64, narrow_block = 32;

/// Sums of a window over rows of channels-last bytes, for `bytes` channels: a product adds four rows below each other. The
/// rows are interleaved, so that their four bytes become neighbours.
template <std::size_t bytes>
struct ProductsOfFourRows {
  static constexpr std::size_t rows = 4, vectors = 4;  // rows of a product, vectors of sums
  static constexpr std::size_t kept_weights = 12;      // vectors of weights that fit in registers
  using Row = ByteVector<bytes>;
  using Operand = ByteVector<bytes>;  // of a product
  using Sums = SumVector<bytes>;
  using Flip = ByteVector<bytes>;
  using Part = hn::Mask<ByteTag<bytes>>;  // the channels of a partial vector

  static constexpr ByteTag<bytes> tag() { return {}; }
  static HWY_INLINE Flip flip(std::uint8_t byte) { return hn::Set(tag(), byte); }
  static HWY_INLINE Part part(std::size_t channels) { return hn::FirstN(tag(), channels); }
  static HWY_INLINE Row zero_row() { return hn::Zero(tag()); }
  static HWY_INLINE Row load(const std::uint8_t* from, Flip flip) { return hn::Xor(hn::LoadU(tag(), from), flip); }
  static HWY_INLINE Row load_part(const std::uint8_t* from, Flip flip, Part part) {
    return hn::Xor(hn::MaskedLoad(part, tag(), from), flip);
  }
  /// The operand when all rows are this byte.
  static HWY_INLINE Operand fill(std::uint8_t byte) { return hn::Set(tag(), byte); }
  static HWY_INLINE void interleave(const Row (&row)[rows], Operand (&to)[vectors]) {
    const hn::Repartition<std::uint16_t, ByteTag<bytes>> pairs;
    const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(tag(), row[0], row[1]));
    const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(tag(), row[0], row[1]));
    const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(tag(), row[2], row[3]));
    const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(tag(), row[2], row[3]));
    to[0] = hn::BitCast(tag(), hn::InterleaveLower(pairs, low01, low23));
    to[1] = hn::BitCast(tag(), hn::InterleaveUpper(pairs, low01, low23));
    to[2] = hn::BitCast(tag(), hn::InterleaveLower(pairs, high01, high23));
    to[3] = hn::BitCast(tag(), hn::InterleaveUpper(pairs, high01, high23));
  }
  /// Vector `index` of weights, int8.
  static HWY_INLINE Operand weights(const std::uint8_t* weights, std::size_t index) {
    return hn::LoadU(tag(), weights + index * bytes);
  }
  /// Vector `index` of sums before the first product.
  static HWY_INLINE Sums start(const std::int32_t* start, std::size_t index) {
    return load_sums<bytes>(start + index * bytes / vectors);
  }
  static HWY_INLINE Sums add(Sums sums, Operand seen, Operand weights) { return add_products(sums, seen, weights); }
  static HWY_INLINE Row results(const Sums (&sums)[vectors], const float* scale, const float* offset,
                                std::uint8_t flip) {
    return hn::Xor(hn::BitCast(tag(), to_bytes<bytes>(sums, scale, offset)), hn::Set(tag(), flip));
  }
  static HWY_INLINE void store(Row results, std::uint8_t* to) { hn::StoreU(results, tag(), to); }
  static HWY_INLINE void store_part(Row results, std::uint8_t* to, Part part) {
    hn::BlendedStore(results, part, tag(), to);
  }
};
template <std::size_t bytes>
using WindowProducts = ProductsOfFourRows<bytes>;

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
