// Convolutions and products in double precision, which keep NaN and infinities, for the positions of a result that
// XNNPACK's limits may have spoilt.
//
// The work is a small multiple of XNNPACK's: weights lie in the order in which they are read, and each one that is read
// serves several positions.
#pragma once

#include <cstdint>

#include "runtime/cpu/xnnpack/operator.hpp"
#include "runtime/kernel.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::xnnpack {

/// A conv2d or convTranspose2d of channels-last tensors; or a gemm or matmul, whose rows are the positions of a line.
class PlainConvolution {
 public:
  /// Packs the weights. The bias in `constants` stays valid as long as this object.
  PlainConvolution(const KernelSpec& spec, Constants constants);

  /// Computes those positions of the output that see an input element of which the magnitude's bits are `unsafe` or
  /// more; all positions if that is 0, as for weights that are not finite. Calls follow one another.
  void run(const KernelArguments& arguments, std::int32_t unsafe);

 private:
  class Block;

  void take_convolution(const KernelSpec& spec);
  void take_product(const KernelSpec& spec);
  void pack(const float* filter);
  std::int64_t area() const { return vertical_.window * horizontal_.window; }
  std::int64_t columns_together() const { return is_depthwise() ? outputs_ : group_outputs_; }
  bool is_depthwise() const { return group_inputs_ == 1; }
  float weight(const float* filter, std::int64_t channel, std::int64_t input, std::int64_t tap) const;
  void find_unsafe(const float* x, std::int32_t unsafe);

  SlidingWindow vertical_, horizontal_;
  std::int64_t batch_ = 1, inputs_ = 0, outputs_ = 0, group_inputs_ = 0, group_outputs_ = 0;
  bool transposed_ = false;
  Range range_;
  const float* bias_;
  CountedVector<float> panels_;            // [columns together][panel][tap][input of the group][column of the panel]
  CountedVector<std::uint8_t> is_unsafe_;  // of each input position
};

}  // namespace webnn::runtime::xnnpack
