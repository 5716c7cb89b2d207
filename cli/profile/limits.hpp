// The roofline: how fast this machine computes and moves bytes at best, measured.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cli/programs/compile_options.hpp"
#include "schema/kernels/cost.hpp"

namespace webnn::cli {

struct Limits {
  double flops_per_second = 0;  // float32, the better one of a large matrix product and a large convolution
  /// Bytes that an operation touches, and bytes in a second that an elementwise operator of this size moves: the
  /// smaller, the nearer the cache they come from. In rising order of bytes.
  std::vector<std::pair<double, double>> bandwidth;

  /// Of the measured size that is nearest on a logarithmic scale.
  double bytes_per_second(std::uint64_t bytes) const;
  double nanoseconds_of_memory(const schema::Cost& cost) const;
  double nanoseconds_of_arithmetic(const schema::Cost& cost) const;
};

/// Compiles and runs small graphs on the options' device with its fastest kernels; takes about half a second. Any
/// device that runs graphs can be measured.
Limits measure_limits(CompileOptions options);

}  // namespace webnn::cli
