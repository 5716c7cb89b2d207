#include "tests/harness/error_bound/uncertain_operand.hpp"

#include <cmath>
#include <utility>

#include "tests/harness/error_bound/wide_operator.hpp"

namespace webnn::tests {

UncertainOperand operand_of(BoundedTensor tensor, bool rounded) {
  if (is_float(tensor.descriptor.type)) {
    const double overflow = overflow_of(tensor.descriptor.type);
    for (std::size_t i = 0; i < tensor.count(); ++i) {
      const double value = tensor.value(i);
      double& bound = tensor.bounds[i];
      if (!std::isfinite(value) || bound == unknown || std::fabs(value) + bound < overflow) continue;
      const bool is_rounded = rounded || tensor.descriptor.type == DataType::float32;
      const bool certain = is_rounded && std::fabs(value) - bound >= overflow;
      if (certain) store_wide(tensor, i, Number(std::copysign(infinity, value)));
      bound = certain ? 0 : unknown;
    }
  }
  std::vector<double> radius = tensor.bounds;
  return {std::move(tensor), std::move(radius)};
}

}  // namespace webnn::tests
