// The test binary: doctest, the flag --bless for golden files, and a last line `N passed, N failed`.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <string_view>

#include "runtime/cpu/cpu_device.hpp"
#include "tests/harness/golden.hpp"

namespace {

/// Counts test cases for the closing line. (doctest's own count takes those in that --first and --last leave out.)
struct ClosingLine : doctest::IReporter {
  explicit ClosingLine(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    std::printf("%u passed, %u failed\n", started - stats.numTestCasesFailed, stats.numTestCasesFailed);
  }
  void test_case_start(const doctest::TestCaseData&) override { ++started; }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

  unsigned started = 0;
};

}  // namespace

REGISTER_LISTENER("closing-line", 100, ClosingLine);

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what was said before a crash is not lost
  // The user's cache of programs is none of the tests' business; those of the cache name a folder of their own.
  setenv("WEBNN_CLI_NO_CACHE", "true", 1);
  setenv("XDG_CACHE_HOME", "/nonexistent/cache-of-tests", 1);
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--bless") webnn::tests::set_blessing(true);
  // The first device decides which instructions oneDNN may use in this process: all that there are, whichever test
  // comes first.
  const webnn::runtime::CpuDevice first;
  doctest::Context context(argc, argv);
  const int result = context.run();
  if (std::getenv("WEBNN_TEST_DEVICE") != nullptr) {
    // A context that ended in its own callback is taken down by a thread of its own, which must not meet the exit
    // handlers of a GPU's driver.
    std::fflush(nullptr);
    std::_Exit(result);
  }
  return result;
}
