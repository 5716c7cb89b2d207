#include "tests/api/webnn_support.hpp"

#include <cstdlib>

#include "tests/harness/machine/gpu.hpp"

namespace webnn::tests {

ContextOptions test_options(unsigned threads) {
  const char* const device = std::getenv("WEBNN_TEST_DEVICE");
  if (!device) return {.threads = threads};
  static const auto gpu = open_test_gpu();  // stays open, and so does its driver
  return {.device = device, .threads = threads, .gpuValidation = gpu != nullptr};
}

}  // namespace webnn::tests
