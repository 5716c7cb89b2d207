#include "cli/output/percent_encoding.hpp"

#include <cstdint>

namespace webnn::cli {

std::string percent_encoded(std::string_view text, std::string_view plain) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    const bool is_alphanumeric = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_alphanumeric || plain.find(c) != std::string_view::npos) {
      result += c;
    } else {
      const auto byte = std::uint8_t(c);
      ((result += '%') += digits[byte >> 4]) += digits[byte & 15u];
    }
  }
  return result;
}

}  // namespace webnn::cli
