#include "tests/harness/machine/bindings.hpp"

#include <filesystem>

#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests {

const char* obstacle_of_node() {
  if (under_sanitizer) return "a sanitizer cannot be loaded into Node.js";
  if (is_cross_build()) return "the addon is for another machine";
  if (!has_node()) return "there is no Node.js 18 or newer";
  if (!std::filesystem::exists(build_dir() / "node/webnn.node")) return "this build has no addon for Node.js";
  return nullptr;
}

const char* obstacle_of_python() {
  if (under_sanitizer) return "a sanitizer cannot be loaded into Python";
  if (is_cross_build()) return "the module is for another machine";
  if (python_with_numpy().empty()) return "there is no Python 3.11 or newer with NumPy";
  if (run_shell("ls " + shell_word(build_dir() / "python/webnn") + "/_native.*.so").status != 0)
    return "this build has no module for Python";
  return nullptr;
}

}  // namespace webnn::tests
