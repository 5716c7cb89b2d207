// Sums and products of a graph's numbers that stop at the greatest number of 64 bits. What is compared with a limit must
// not wrap around: it would be small again.
#pragma once

#include <cstdint>
#include <limits>

namespace webnn::schema {

class Saturating {
 public:
  static constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

  constexpr Saturating(std::uint64_t value = 0) : value_(value) {}
  constexpr std::uint64_t value() const { return value_; }

  friend constexpr Saturating operator+(Saturating a, Saturating b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a.value_, b.value_, &sum) ? most : sum;
  }
  friend constexpr Saturating operator*(Saturating a, Saturating b) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a.value_, b.value_, &product) ? most : product;
  }
  constexpr Saturating& operator+=(Saturating other) { return *this = *this + other; }

  /// A share of the number, between 0 and all of it.
  constexpr std::uint64_t share(double part) const {
    if (!(part > 0)) return 0;
    return part < 1 ? std::uint64_t(double(value_) * part) : value_;
  }

 private:
  std::uint64_t value_;
};

}  // namespace webnn::schema
