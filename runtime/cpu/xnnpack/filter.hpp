// The sizes and the filter of a convolution, in XNNPACK's conventions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "schema/elements/memory_account.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::xnnpack {

/// The sizes of a convolution of nchw tensors.
struct Convolution {
  bool transposed = false;
  std::uint32_t batch, height, width;
  std::array<std::uint32_t, 4> padding;  // top, bottom, left, right: of the input; if transposed, of the output
  std::uint32_t window_height, window_width;
  std::vector<std::uint32_t> strides, dilations;
  std::uint32_t groups;
  std::size_t group_inputs, group_outputs;  // channels per group

  explicit Convolution(const schema::OperatorCall& call);

  std::size_t inputs() const { return groups * group_inputs; }
  std::size_t outputs() const { return groups * group_outputs; }

  /// The filter with the input channels innermost: [groups][outputs][window][inputs].
  template <typename T>
  schema::CountedVector<T> order_filter(const T* filter) const {
    const std::size_t area = std::size_t{window_height} * window_width;
    schema::CountedVector<T> ordered(groups * group_outputs * area * group_inputs);
    T* to = ordered.data();
    for (std::size_t group = 0; group < groups; ++group)
      for (std::size_t out = 0; out < group_outputs; ++out)
        for (std::size_t tap = 0; tap < area; ++tap)
          for (std::size_t in = 0; in < group_inputs; ++in) {
            const std::size_t matrix = transposed ? (group * group_inputs + in) * group_outputs + out
                                                  : (group * group_outputs + out) * group_inputs + in;
            *to++ = filter[matrix * area + tap];
          }
    return ordered;
  }
};

}  // namespace webnn::runtime::xnnpack
