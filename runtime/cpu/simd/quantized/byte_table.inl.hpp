// Tables of 256 bytes, for one instruction set; included by byte_table.cpp.
//
// A byte shuffle looks up 16 entries: by the low four bits of an index, with 0 where the highest bit is set. Sixteen
// shuffles make up the table, eight for each half of it. Within a half, the index decreases by 16 from shuffle to
// shuffle, and lookups succeed until it is negative. The shuffles hold differences (XOR) between a part of the table
// and the part before it, so the XOR of all lookups is the entry of the last part reached. Where only indices below 16
// are looked up, one lookup alone succeeds, and the shuffles hold the table itself.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

#include "runtime/cpu/simd/native.inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {
namespace byte_table {

using Bytes = hn::ScalableTag<std::int8_t>;

/// to[i] = table[from[i]], with unsigned indices; `to` may be `from`.
inline void look_up(const void* table, const void* from, void* to, std::size_t count) {
  constexpr int part = 16, parts = 8;  // of each half
  const Bytes d;
  const auto* const entries = static_cast<const std::int8_t*>(table);
  hn::Vec<Bytes> low[parts], high[parts];
  for (int k = 0; k < parts; ++k) {
    low[k] = hn::LoadDup128(d, entries + part * k);
    high[k] = hn::LoadDup128(d, entries + part * (parts + k));
  }
  for (int k = parts - 1; look_ups_wrap && k > 0; --k) {
    low[k] = hn::Xor(low[k], low[k - 1]);
    high[k] = hn::Xor(high[k], high[k - 1]);
  }
  const auto* x = static_cast<const std::int8_t*>(from);
  auto* y = static_cast<std::int8_t*>(to);
  const auto step = hn::Set(d, std::int8_t{part}), sign = hn::Set(d, std::int8_t{-128});
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto in_low = hn::LoadU(d, x + i), in_high = hn::Xor(in_low, sign);
    auto result = hn::Or(hn::TableLookupBytesOr0(low[0], in_low), hn::TableLookupBytesOr0(high[0], in_high));
    for (int k = 1; k < parts; ++k) {
      in_low = hn::SaturatedSub(in_low, step);
      in_high = hn::SaturatedSub(in_high, step);
      result = hn::Xor(result, hn::TableLookupBytesOr0(low[k], in_low));
      result = hn::Xor(result, hn::TableLookupBytesOr0(high[k], in_high));
    }
    hn::StoreU(result, d, y + i);
  }
  for (; i < count; ++i) y[i] = entries[std::uint8_t(x[i])];
}

}  // namespace byte_table
}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
