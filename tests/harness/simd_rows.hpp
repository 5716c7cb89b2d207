// Running the rows of a SIMD kernel that this machine has the instructions for.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "runtime/cpu/cpu_features.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "schema/kernel_table.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests {

/// The names of a SIMD_KERNEL's rows that this machine can run.
inline std::vector<std::string> simd_rows(const std::string& kernel) {
  std::vector<std::string> names;
  const Feature features = runtime::detect_cpu_features();
  for (const char* isa : {".avx512", ".avx2"}) {
    const std::string name = "simd." + kernel + isa;
    const auto id = find_kernel(name);
    REQUIRE(id);
    if (includes(features, row(*id).features)) names.push_back(name);
  }
  if (names.empty()) MESSAGE("skipped, this machine lacks AVX2");
  return names;
}

inline std::vector<Tensor> run_row(const std::string& name, const KernelSpec& spec, const OptionalTensors& inputs,
                                   const RunOptions& options = {}) {
  return run_kernel(runtime::find_cpu_kernel(name)->prepare, spec, inputs, options);
}

/// A tensor of the elements' bytes.
template <typename T>
Tensor tensor_of(DataType type, const Shape& shape, const std::vector<T>& elements) {
  Tensor tensor{{type, shape}, std::vector<std::byte>(elements.size() * sizeof(T))};
  std::memcpy(tensor.data.data(), elements.data(), tensor.data.size());
  return tensor;
}

}  // namespace webnn::tests
