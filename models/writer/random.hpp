// A random number generator whose numbers are the same on every machine and with every standard library.
//
// The distributions of <random> are not specified to the bit, and log and cos may differ in their last one, so this one
// uses exact operations only.
#pragma once

#include <cstdint>

namespace webnn::models {

/// SplitMix64 (Steele, Lea, Flood 2014): 64 bits of state, every seed is a good one.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, 1), a multiple of 2^-24.
  float unit() { return float(bits() >> 40) * 0x1p-24f; }
  /// Uniform in [low, high).
  float uniform(float low, float high) { return low + (high - low) * unit(); }
  /// Uniform in 0 .. count - 1; the bias is below 2^-32 * count.
  std::uint32_t below(std::uint32_t count) { return std::uint32_t(((bits() >> 32) * count) >> 32); }

  /// Nearly normal with mean 0 and standard deviation 1: the sum of four uniform numbers, so never beyond +-3.47.
  float normal() {
    const std::uint64_t b = bits();
    const std::int32_t sum = std::int32_t((b & 0xffffu) + ((b >> 16) & 0xffffu) + ((b >> 32) & 0xffffu) + (b >> 48));
    return float(sum - 2 * 0xffff) * (1.7320508f / 65536.0f);
  }

 private:
  std::uint64_t state_;
};

}  // namespace webnn::models
