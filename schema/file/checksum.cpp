#include "schema/file/checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace webnn::schema {

std::uint64_t checksum_of(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint64_t checksum_of(std::string_view text) { return checksum_of(std::as_bytes(std::span(text))); }

std::string checksum_text(std::uint64_t checksum) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += digits[checksum >> shift & 15];
  return text;
}

}  // namespace webnn::schema
