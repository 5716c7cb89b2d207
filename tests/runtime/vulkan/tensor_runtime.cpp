// The tests of the tensor runtime's public interface (tests/api) once more, on a GPU: this program runs itself with
// another device.
#include <doctest/doctest.h>

#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::tensor_runtime_test {

TEST_CASE("vulkan tensor runtime: the tests of tensors pass on a GPU as on the CPU") {
  if (!open_test_gpu()) return;
  for (const char* area : {"execution", "sharing", "lifetime", "webnn.hpp"}) {
    // A GPU's driver may allocate for a dispatch.
    const ShellResult result = run_shell("WEBNN_TEST_DEVICE=gpu " + program_words("webnn-tests") + " -tc='" + area +
                                         ":*' -tce='execution: repeated dispatches allocate nothing'");
    CHECK_MESSAGE(result.status == 0, result.output);
    CHECK_MESSAGE(result.output.find("\n0 passed") == std::string::npos, result.output);
  }
}

}  // namespace webnn::tests::tensor_runtime_test
