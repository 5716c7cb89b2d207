#include "tests/harness/error_bound/error_bound_special.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace webnn::tests {

std::vector<std::size_t> gated_infinities(const KernelSpec& spec,
                                          const std::vector<std::optional<UncertainOperand>>& operands,
                                          const BoundedTensor& output) {
  // Batches are the axis before the last one, of states and results alike; weights and biases serve all of them.
  static constexpr std::array<std::string_view, 5> of_batches = {"input", "hiddenState", "initialHiddenState",
                                                                 "cellState", "initialCellState"};
  const auto batch_of = [](const Shape& shape, std::size_t i) {
    return i / shape[shape.rank() - 1] % shape[shape.rank() - 2];
  };
  std::vector<bool> infinite(output.descriptor.shape[output.descriptor.shape.rank() - 2]);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k]) continue;
    const BoundedTensor& tensor = operands[k]->tensor;
    const bool has_batches = std::ranges::find(of_batches, row(spec.op).operands[k].name) != of_batches.end();
    for (std::size_t i = 0; i < tensor.count(); ++i) {
      if (!std::isinf(tensor.value(i))) continue;
      if (has_batches) {
        infinite[batch_of(tensor.descriptor.shape, i)] = true;
      } else {
        infinite.assign(infinite.size(), true);
      }
    }
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < output.count(); ++i)
    if (infinite[batch_of(output.descriptor.shape, i)] && !std::isnan(output.value(i))) found.push_back(i);
  return found;
}

WideTensors at_exceptions_of_pow(const std::vector<std::optional<UncertainOperand>>& operands) {
  WideTensors result;
  for (std::size_t k = 0; k < 2; ++k) {
    BoundedTensor moved = operands[k]->tensor;
    for (std::size_t i = 0; i < moved.count(); ++i) {
      const double value = moved.value(i), exception = k == 1 ? 0 : std::copysign(1, value);
      if (std::fabs(value - exception) <= operands[k]->radius[i]) store_wide(moved, i, Number(exception));
    }
    result.push_back(std::move(moved.elements));
  }
  return result;
}

}  // namespace webnn::tests
