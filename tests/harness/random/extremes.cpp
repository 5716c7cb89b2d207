#include "tests/harness/random/extremes.hpp"

#include <cmath>

#include "runtime/cpu/kernel_list.hpp"
#include "tests/harness/random/row_call.hpp"

namespace webnn::tests {

std::vector<TestTensor> run_cpu_row(const KernelRow& kernel, RandomCall call) {
  call.spec = in_required_layouts(std::move(call.spec), kernel.layouts);
  bring_into_layouts(call);
  RunOptions options;
  options.may_allocate = true;
  options.overreads = kernel.overreads;
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    if (call.inputs[i] && i < 8 && ((call.spec.constants >> i) & 1u)) options.constants.push_back(i);
  auto results = run_kernel(runtime::cpu_kernels().find({&kernel})->prepare, call.spec, call.inputs, options);
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = in_layout(results[i], call.spec.output_layouts[i], Layout::row_major);
  return results;
}

bool nearly_alike(const TestTensor& actual, const TestTensor& expected) {
  const Numbers a = numbers(actual), b = numbers(expected);
  double peak = 1;
  for (const Number& number : b)
    if (number.is_finite()) peak = std::max(peak, std::abs(number.as_double()));
  const double allowed = is_float(expected.descriptor.type) ? 0.01 * peak : 1;  // a value on the edge of two roundings
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i].as_double(), y = b[i].as_double();
    if (std::isnan(x) != std::isnan(y) || std::isinf(x) != std::isinf(y)) return false;
    if (std::isinf(y) ? x != y : std::abs(x - y) > allowed) return false;
  }
  return a.size() == b.size();
}

}  // namespace webnn::tests
