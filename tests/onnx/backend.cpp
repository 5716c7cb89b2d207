// ONNX's own backend tests (Debian's libonnx-testdata): each passes, or is refused with the reason in refused.txt.
#include <doctest/doctest.h>
#include <filesystem>
#include <string>

#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::backend_test {
namespace {

namespace fs = std::filesystem;

const fs::path suite = "/usr/share/libonnx-testdata/data";

/// The last line: "N passed, 0 failed, N skipped".
void check_suite(const std::string& device) {
  if (!fs::exists(suite)) return skip("libonnx-testdata is not installed");
  const std::string list = (source_dir() / "tests/onnx/refused.txt").string();
  std::vector<std::string> arguments{"test", "--onnx", "--device", device, "-j", "2", "--expected-failures", list};
  for (const char* part : {"node", "simple", "pytorch-converted", "pytorch-operator"})
    arguments.push_back((suite / part).string());
  const CommandResult result = webnn_cli(arguments);
  const std::size_t begin = result.out.rfind('\n', result.out.size() - 2) + 1;
  const std::string totals = result.out.substr(begin);
  std::string failures;
  for (std::size_t at = result.out.find("failed  "); at < begin; at = result.out.find("\nfailed  ", at + 1)) {
    const std::size_t end = result.out.find('\n', result.out.find('\n', at + 1) + 1);
    failures += result.out.substr(at, end - at);
  }
  CHECK_MESSAGE(result.code == 0, failures << result.err);
  MESSAGE(device << ": " << totals);
}

}  // namespace

TEST_CASE("onnx backend tests: each passes on the CPU, or is refused with the reason in the list") {
  check_suite("cpu");
}

TEST_CASE("onnx backend tests: each passes on a GPU, or is refused with the reason in the list") {
  if (under_sanitizer) return skip("a sanitizer makes thousands of graphs take too long");
  if (!open_test_gpu()) return;
  check_suite("gpu");
}

}  // namespace webnn::tests::backend_test
