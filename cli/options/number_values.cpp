#include "cli/options/number_values.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

namespace webnn::cli {

std::string to_whole_number(std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return "no whole number";
  text = std::to_string(number);
  return {};
}

std::string to_bytes(std::string& text) {
  std::uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  std::string unit(end, last);
  unit.erase(0, unit.find_first_not_of(' '));
  std::ranges::transform(unit, unit.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  constexpr std::string_view prefixes = "kmgtpe";
  unsigned shift = 0;
  if (const std::size_t prefix = unit.empty() ? std::string::npos : prefixes.find(unit[0]);
      prefix != std::string::npos) {
    shift = 10 * (unsigned(prefix) + 1);
    unit.erase(0, 1);
    if (unit == "ib") unit = "b";
  }
  const bool is_unit = unit.empty() || unit == "b";
  if (error != std::errc{} || !is_unit || number > std::numeric_limits<std::uint64_t>::max() >> shift) return "no size";
  text = std::to_string(number << shift);
  return {};
}

}  // namespace webnn::cli
