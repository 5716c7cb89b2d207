// Running the rows of a SIMD kernel that this machine has the instructions for.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "api/kernels.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "schema/kernels/kernel_table.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/run_operator.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests {

/// The names of a SIMD_KERNEL's rows that this machine can run; the others are skipped, and without any the test case.
inline std::vector<std::string> simd_rows(const std::string& kernel) {
  std::vector<std::string> names;
  for (const char* isa : {".avx512", ".avx2"}) {
    const std::string name = "simd." + kernel + isa;
    const auto id = api::find_kernel(name);
    REQUIRE(id);
    const Feature needed = row(*id).features;
    if (machine_has(needed))
      names.push_back(name);
    else
      skip_part(name, machine_lacks(needed));
  }
  if (names.empty()) skip(machine_lacks(Feature::avx2));
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
