// Checksums of file contents: 64-bit XXH3, which detects damage but not forgery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace webnn::schema {

std::uint64_t checksum_of(std::span<const std::byte> bytes);
std::uint64_t checksum_of(std::string_view text);

/// For messages: 16 hexadecimal digits.
std::string checksum_text(std::uint64_t checksum);

}  // namespace webnn::schema
