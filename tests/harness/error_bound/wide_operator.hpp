// One operator by its reference kernel with float64 in the place of every float.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tests/harness/error_bound/bounded_tensor.hpp"

namespace webnn::tests {

using WideTensors = std::vector<std::vector<std::byte>>;  // by operand: elements of a BoundedTensor; empty: absent

class WideOperator {
 public:
  /// `spec` is a call in the types of the graph, without post-ops.
  explicit WideOperator(const KernelSpec& spec);

  const KernelSpec& spec() const { return spec_; }
  /// The outputs, with bounds of 0.
  std::vector<BoundedTensor> run(const WideTensors& operands) const { return run_as(wide_, operands); }
  /// The same with the magnitudes of factors that are attributes.
  std::vector<BoundedTensor> run_on_magnitudes(const WideTensors& operands) const;
  /// Of an operator that moves elements: moved are numbers in float64, whatever the elements' type. What it adds is 0.
  std::vector<BoundedTensor> run_on_bounds(const WideTensors& operands) const;

 private:
  std::vector<BoundedTensor> run_as(const KernelSpec& wide, const WideTensors& operands) const;

  KernelSpec spec_, wide_;
  runtime::PrepareFunction kernel_;
};

/// Whether elements of operand `k` may become elements of the result, of an operator that moves elements.
bool is_moved(OperatorId op, std::size_t k);

/// The distance of two elements; `unknown` where only one is a NaN or an infinity.
double wide_distance(const Number& a, const Number& b);
void store_wide(BoundedTensor& tensor, std::size_t i, Number value);
std::vector<std::byte> as_wide(std::span<const double> numbers);

/// The elements of argMin's or argMax's operand that `output` names, rising.
std::vector<std::size_t> winning_elements(const KernelSpec& spec, const BoundedTensor& output);
/// Of a convolution that may be computed by tiles (Winograd): each element becomes the greatest of those that are in a
/// tile with it. False for others.
bool spread_over_tiles(const KernelSpec& spec, WideTensors& magnitudes);

}  // namespace webnn::tests
