// Convolutions and products in double precision by plain loops, which keep NaN and infinities: for what a library's code
// spoils, or computes in a loop for each element.
//
// The work is a small multiple of a library's: weights lie in the order in which they are read, and each one that is
// read serves several positions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/kernel.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime {

/// The greatest magnitude of the numbers, as bits; infinities and NaN exceed all others.
std::int32_t greatest_bits(const float* values, std::size_t count);

/// A conv2d or convTranspose2d of channels-last tensors; or a gemm or matmul, whose rows are the positions of a line.
class PlainConvolution {
 public:
  /// Of the spec's call, without its post-ops.
  explicit PlainConvolution(const KernelSpec& spec);

  /// Takes the weights in the order of the graph. Before the first run, and again when they have changed.
  void take_weights(const float* weights);
  /// What is done with sums: results have the bias, unless it is null, and are at least `low` and at most `high`.
  struct Finish {
    const float* bias;
    float low, high;
  };
  /// Computes those positions of the output that see an input element of which the magnitude's bits are `unsafe` or
  /// more; all positions if that is 0, as for weights that are not finite. Calls follow one another.
  void run(const float* x, float* y, const Finish& finish, std::int32_t unsafe);

 private:
  class Block;

  void describe_convolution(const KernelSpec& spec);
  void describe_product(const KernelSpec& spec);
  std::int64_t area() const { return vertical_.window * horizontal_.window; }
  std::int64_t columns_together() const { return is_depthwise() ? outputs_ : group_outputs_; }
  bool is_depthwise() const { return group_inputs_ == 1; }
  float weight(const float* filter, std::int64_t channel, std::int64_t input, std::int64_t tap) const;
  void find_unsafe(const float* x, std::int32_t unsafe);

  SlidingWindow vertical_, horizontal_;
  std::int64_t batch_ = 1, inputs_ = 0, outputs_ = 0, group_inputs_ = 0, group_outputs_ = 0;
  bool transposed_ = false;
  CountedVector<float> panels_;            // [columns together][panel][tap][input of the group][column of the panel]
  CountedVector<std::uint8_t> is_unsafe_;  // of each input position
};

}  // namespace webnn::runtime
