// A hash for content that strangers may have made: with a secret key, and as fast as memory.
//
// A checksum such as XXH3 shows damage, but anyone can make other content with the same one. Here the key is secret, and
// so are the hashes: for any two different contents, chosen without knowing either, the chance of equal hashes is below
// 2^-63. That is proved, not assumed: blocks of 1 KiB go through NH (a sum of products of pairs, as in UMAC), and its
// results are the coefficients of a polynomial modulo 2^127 - 1, as in VMAC. It is no cryptographic digest: whoever sees
// hashes may learn the key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace webnn::schema {

class HashKey {
 public:
  static constexpr std::size_t bytes = 1024 + 16;

  /// Random bytes, the secret.
  explicit HashKey(std::span<const std::byte, bytes> secret);

  /// 32 hexadecimal digits.
  std::string hash_of(std::span<const std::byte> content) const;
  std::string hash_of(std::string_view text) const;

 private:
  static constexpr std::size_t words = 128;
  std::array<std::uint64_t, words> pairs_;
  std::array<std::uint64_t, 2> point_;  // where the polynomial is evaluated; low half first
};

}  // namespace webnn::schema
