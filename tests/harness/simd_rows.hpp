// Running the rows of a SIMD kernel that this machine has the instructions for.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "api/kernels.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "schema/kernels/kernel_table.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/run_operator.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests {

/// The names of a SIMD kernel's rows, one for each instruction set of this build; there is at least one.
inline std::vector<std::string> all_simd_rows(const std::string& kernel) {
  const std::string prefix = "simd." + kernel + ".";
  std::vector<std::string> names;
  for (const KernelRow& row : api::kernel_table())
    if (row.name.starts_with(prefix) && row.name.find('.', prefix.size()) == std::string_view::npos)
      names.emplace_back(row.name);
  REQUIRE_FALSE(names.empty());
  return names;
}

/// Those that this machine can run; the others are skipped, and without any the test case.
inline std::vector<std::string> simd_rows(const std::string& kernel) {
  std::vector<std::string> names = all_simd_rows(kernel);
  const Feature least = kernel_row(names.back()).features;
  std::erase_if(names, [](const std::string& name) {
    const Feature needed = kernel_row(name).features;
    if (!machine_has(needed)) skip_part(name, machine_lacks(needed));
    return !machine_has(needed);
  });
  if (names.empty()) skip(machine_lacks(least));
  return names;
}

inline std::vector<TestTensor> run_row(const std::string& name, const KernelSpec& spec, const OptionalTensors& inputs,
                                       const RunOptions& options = {}) {
  return run_kernel(runtime::cpu_kernels().find(*api::find_kernel(name))->prepare, spec, inputs, options);
}

/// A tensor of the elements' bytes.
template <typename T>
TestTensor tensor_of(DataType type, const Shape& shape, const std::vector<T>& elements) {
  TestTensor tensor{{type, shape}, std::vector<std::byte>(elements.size() * sizeof(T))};
  std::memcpy(tensor.data.data(), elements.data(), tensor.data.size());
  return tensor;
}

}  // namespace webnn::tests
