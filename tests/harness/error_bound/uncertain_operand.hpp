// An operand as the error bound of one operator reads it: where its elements are, and how far from there they may be.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/harness/error_bound/bounded_tensor.hpp"

namespace webnn::tests {

struct UncertainOperand {
  BoundedTensor tensor;
  std::vector<double> radius;  // its bounds, and what stands for the operator's own rounding

  bool moves() const {
    return std::ranges::any_of(radius, [](double r) { return r > 0 && r != unknown; });
  }
  bool has_unknown() const { return std::ranges::find(radius, unknown) != radius.end(); }
};

/// What a kernel reads: what is certainly past the type's greatest number has become an infinity. Where operators on
/// float16 are computed together in float32, it may have stayed a number, unless this one takes it `rounded`.
UncertainOperand operand_of(BoundedTensor tensor, bool rounded);

}  // namespace webnn::tests
