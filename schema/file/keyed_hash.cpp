#include "schema/file/keyed_hash.hpp"

#include <algorithm>
#include <cstring>

#include "schema/file/checksum.hpp"

namespace webnn::schema {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr Wide prime = (Wide(1) << 127) - 1;

std::uint64_t low(Wide number) { return std::uint64_t(number); }
std::uint64_t high(Wide number) { return std::uint64_t(number >> 64); }

/// Modulo the prime, for a number below 2^128.
Wide reduced(Wide number) {
  const Wide rest = (number & prime) + (number >> 127);
  return rest >= prime ? rest - prime : rest;
}

/// a * b modulo the prime, for numbers below it.
Wide product(Wide a, Wide b) {
  const Wide outer = Wide(low(a)) * low(b), inner = Wide(low(a)) * high(b) + Wide(high(a)) * low(b);
  const Wide lower = outer + (inner << 64);
  const Wide upper = Wide(high(a)) * high(b) + (inner >> 64) + (lower < outer ? 1 : 0);  // below 2^126
  return reduced(reduced((upper << 1) + (lower >> 127)) + (lower & prime));              // 2^127 is 1
}

}  // namespace

HashKey::HashKey(std::span<const std::byte, bytes> secret) {
  std::memcpy(pairs_.data(), secret.data(), sizeof pairs_);
  std::memcpy(point_.data(), secret.data() + sizeof pairs_, sizeof point_);
}

std::string HashKey::hash_of(std::span<const std::byte> content) const {
  constexpr std::size_t block = words * sizeof(std::uint64_t);
  const Wide point = reduced(Wide(point_[1]) << 64 | point_[0]);
  Wide sum = 1;
  const auto add = [&](std::uint64_t coefficient) { sum = reduced(product(sum, point) + coefficient); };
  const auto add_block = [&](const std::byte* from) {
    Wide total = 0;
    for (std::size_t i = 0; i < words; i += 2) {
      std::uint64_t pair[2];
      std::memcpy(pair, from + i * sizeof(std::uint64_t), sizeof pair);
      total += Wide(pair[0] + pairs_[i]) * (pair[1] + pairs_[i + 1]);
    }
    add(low(total));
    add(high(total));
  };
  std::size_t at = 0;
  for (; content.size() - at >= block; at += block) add_block(content.data() + at);
  if (at < content.size()) {
    std::array<std::byte, block> last{};
    std::memcpy(last.data(), content.data() + at, content.size() - at);
    add_block(last.data());
  }
  add(content.size());  // tells zeros at the end from the padding
  return checksum_text(high(sum)) + checksum_text(low(sum));
}

std::string HashKey::hash_of(std::string_view text) const { return hash_of(std::as_bytes(std::span(text))); }

}  // namespace webnn::schema
