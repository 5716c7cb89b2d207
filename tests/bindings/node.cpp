// The npm package in Node.js: each file of tests/bindings/node runs in a process of its own, and so does each of the Web
// Platform Tests (tests/bindings/wpt), where scripts/web-platform-tests.sh has fetched them.
#include <doctest/doctest.h>

#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::node_test {
namespace {

/// `arguments` are words of a shell.
void run_script(const std::string& name, const std::string& arguments = "") {
  if (under_sanitizer) return skip("a sanitizer cannot be loaded into Node.js");
  if (is_cross_build()) return skip("the addon is for another machine");
  if (!has_node()) return skip("there is no Node.js 18 or newer");
  const std::filesystem::path addon = build_dir() / "node/webnn.node";
  if (!std::filesystem::exists(addon)) return skip("this build has no addon for Node.js");
  const ShellResult result = run_shell("WEBNN_ADDON=" + shell_word(addon) + " node " +
                                       shell_word(source_dir() / "tests/bindings" / name) + " " + arguments);
  CAPTURE(result.output);
  CHECK(result.status == 0);
  CHECK(result.output.find(" passed, 0 failed") != std::string::npos);
}

void run_web_platform_tests(const std::string& device) {
  // Tests have no cache of the user's, but this folder lies there.
  ShellResult folder =
      run_shell("env -u XDG_CACHE_HOME " + shell_word(source_dir() / "scripts/web-platform-tests.sh") + " --if-there");
  if (folder.status != 0) return skip("the Web Platform Tests were not fetched");
  folder.output.erase(folder.output.find_last_not_of('\n') + 1);
  run_script("wpt/run.mjs", shell_word(folder.output) + " --device " + device);
}

}  // namespace

TEST_CASE("node: contexts, tensors, graphs and their errors") { run_script("node/api.mjs"); }
TEST_CASE("node: the interfaces where browsers have them") { run_script("node/global.mjs"); }
TEST_CASE("node: the types in TypeScript are those of the operator table") { run_script("node/types.mjs"); }
TEST_CASE("node: graphs from files") { run_script("node/tools.mjs", shell_word(build_dir() / "bin/webnn-cli")); }
TEST_CASE("node: no value given to the addon crashes it") { run_script("node/hostile.mjs"); }
TEST_CASE("node: dropped graphs leave no memory behind") { run_script("node/leaks.mjs"); }
TEST_CASE("node: processes and workers end while work is on its way") { run_script("node/exit.mjs"); }

TEST_CASE("node: the Web Platform Tests, unchanged, on the CPU") { run_web_platform_tests("cpu"); }
TEST_CASE("node: the Web Platform Tests, unchanged, on a GPU") {
  if (!open_test_gpu()) return;
  run_web_platform_tests("gpu");
}

}  // namespace webnn::tests::node_test
