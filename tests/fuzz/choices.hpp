// The bytes of a fuzzer as choices: numbers one after another, and when the bytes are used up, numbers that follow from
// them. So each byte that a fuzzer changes changes a choice, and no input is too short.
#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <string_view>

#include "tests/harness/random/seed_of_bytes.hpp"

namespace webnn::tests::fuzz {

class Choices {
 public:
  using result_type = std::uint32_t;
  explicit Choices(std::string_view bytes) : bytes_(bytes), rest_(seed_of_bytes(bytes)) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  /// All 32 bits.
  result_type operator()() {
    if (used_up()) return rest_();
    result_type number = 0;
    for (int i = 0; i < 4; ++i) number = number << 8 | byte();
    return number;
  }
  std::uint8_t byte() { return used_up() ? std::uint8_t(rest_()) : std::uint8_t(bytes_[at_++]); }
  /// From 0 to `count` - 1.
  std::uint32_t below(std::uint32_t count) {
    if (count <= 1) return 0;
    return count <= 256 ? byte() % count : (*this)() % count;
  }
  bool used_up() const { return at_ >= bytes_.size(); }
  std::string_view left() const { return bytes_.substr(at_); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::mt19937 rest_;
};

}  // namespace webnn::tests::fuzz
