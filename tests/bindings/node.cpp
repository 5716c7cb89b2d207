// The npm package in Node.js: each file of tests/bindings/node runs in a process of its own.
#include <doctest/doctest.h>

#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::node_test {
namespace {

void run_script(const std::string& name, const std::string& options = "") {
  if (under_sanitizer) return skip("a sanitizer cannot be loaded into Node.js");
  if (is_cross_build()) return skip("the addon is for another machine");
  if (!has_node()) return skip("there is no Node.js 18 or newer");
  const std::filesystem::path addon = build_dir() / "node/webnn.node";
  if (!std::filesystem::exists(addon)) return skip("this build has no addon for Node.js");
  const ShellResult result = run_shell("WEBNN_ADDON=" + shell_word(addon) + " node " + options + " " +
                                       shell_word(source_dir() / "tests/bindings/node" / name));
  CAPTURE(result.output);
  CHECK(result.status == 0);
  CHECK(result.output.find(" passed, 0 failed") != std::string::npos);
}

}  // namespace

TEST_CASE("node: contexts, tensors, graphs and their errors") { run_script("api.mjs"); }
TEST_CASE("node: the interfaces where browsers have them") { run_script("global.mjs"); }
TEST_CASE("node: no value given to the addon crashes it") { run_script("hostile.mjs"); }
TEST_CASE("node: processes and workers end while work is on its way") { run_script("exit.mjs"); }

}  // namespace webnn::tests::node_test
