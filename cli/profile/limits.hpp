// The roofline: measures how fast this machine computes and moves bytes at best.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cli/programs/compile_options.hpp"
#include "schema/kernels/cost.hpp"

namespace webnn::cli {

struct Limits {
  double flops_per_second = 0;       // float32; the better of a large matrix product and a large convolution
  double byte_flops_per_second = 0;  // a large convolution of bytes
  /// Bytes that a call touches, and the bytes per second that an elementwise operator of this size moves; small
  /// sizes come from faster caches. In ascending order of bytes.
  std::vector<std::pair<double, double>> bandwidth;

  /// For the measured size that is nearest on a logarithmic scale.
  double bytes_per_second(std::uint64_t bytes) const;
  /// For `bytes` out of `all` that are touched in turns, and so are in the cache that holds all.
  double nanoseconds_of_memory(std::uint64_t bytes, std::uint64_t all) const;
  /// `of_bytes`: products of bytes, not of floats. A device that multiplies bytes more slowly has the limit of floats.
  double nanoseconds_of_arithmetic(const schema::Cost& cost, bool of_bytes = false) const;
};

/// Compiles and runs small graphs on the options' device with its fastest kernels; takes about half a second. Works for
/// any device that runs graphs.
Limits measure_limits(CompileOptions options);

}  // namespace webnn::cli
