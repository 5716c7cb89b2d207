// The compiler's options with the kernels of this build, for tests that call the compiler itself.
#pragma once

#include "api/kernels.hpp"
#include "compiler/options.hpp"

namespace webnn::tests {

inline compiler::Options options_of_tests() {
  compiler::Options options;
  options.kernel_table = api::kernel_table();
  return options;
}

}  // namespace webnn::tests
