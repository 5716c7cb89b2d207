// What a kernel's row says about a call, by the kernel's name.
#pragma once

#include <string_view>

#include "api/kernels.hpp"

namespace webnn::tests {

inline const schema::KernelRow& kernel_row(std::string_view kernel) { return row(*api::find_kernel(kernel)); }

/// The row's further condition alone.
inline bool can(std::string_view kernel, const schema::KernelSpec& spec) { return kernel_row(kernel).can(spec); }

/// The estimate on a target with just the row's features.
inline double slowness(std::string_view kernel, const schema::KernelSpec& spec) {
  const schema::KernelRow& row = kernel_row(kernel);
  return schema::slowness(row, spec, {row.device, row.features});
}

}  // namespace webnn::tests
