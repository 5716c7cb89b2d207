// The test binary: doctest, the flag --bless for golden files, and the closing lines of harness/skip.cpp.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <string_view>

#include "runtime/cpu/cpu_device.hpp"
#include "tests/harness/checks.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/paths.hpp"
#include "tests/random_graphs/command.hpp"

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what was said before a crash is not lost
  // The user's cache of programs is none of the tests' business; those of the cache name a folder of their own.
  setenv("WEBNN_CLI_NO_CACHE", "true", 1);
  setenv("XDG_CACHE_HOME", "/nonexistent/cache-of-tests", 1);
  // Mesa's software GPU takes most of its time for compiling shaders, which all processes of the tests share.
  setenv("MESA_SHADER_CACHE_DIR", (webnn::tests::build_dir() / "shader-cache").c_str(), 0);
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--bless") webnn::tests::set_blessing(true);
  // The first device decides which instructions oneDNN may use in this process: all that there are, whichever test
  // comes first.
  const webnn::runtime::CpuDevice first;
  if (const auto status = webnn::tests::random_graphs_command(argc, argv)) return *status;
  doctest::Context context(argc, argv);
  const int status = context.run();
  const int result = status == 0 && webnn::tests::cases_without_checks() > 0 ? 1 : status;
  if (std::getenv("WEBNN_TEST_DEVICE") != nullptr) {
    // A context that ended in its own callback is taken down by a thread of its own, which must not meet the exit
    // handlers of a GPU's driver.
    std::fflush(nullptr);
    std::_Exit(result);
  }
  return result;
}
