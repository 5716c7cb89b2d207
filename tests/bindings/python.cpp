// The module webnn in Python: each file of tests/bindings/python runs in a process of its own.
#include <doctest/doctest.h>
#include <string>

#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::python_test {
namespace {

/// The first Python of the path that can be tested with, as a word of a shell; empty when there is none. A user may have
/// several, and NumPy in one.
std::string python() {
  ShellResult found = run_shell(
      "for each in $(which -a python3); do $each -c 'import sys, numpy; sys.exit(sys.version_info < (3, 11))' "
      "2>/dev/null && echo $each && break; done");
  found.output.erase(found.output.find_last_not_of('\n') + 1);
  return found.output.empty() ? "" : shell_word(found.output);
}

/// Null, or why this machine and build cannot run the module.
const char* obstacle() {
  if (under_sanitizer) return "a sanitizer cannot be loaded into Python";
  if (is_cross_build()) return "the module is for another machine";
  if (python().empty()) return "there is no Python 3.11 or newer with NumPy";
  if (run_shell("ls " + shell_word(build_dir() / "python/webnn") + "/_native.*.so").status != 0)
    return "this build has no module for Python";
  return nullptr;
}

/// `arguments` are words of a shell.
void run_script(const std::string& name, const std::string& arguments = "") {
  if (const char* reason = obstacle()) return skip(reason);
  const ShellResult result =
      run_shell("PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=" + shell_word(build_dir() / "python") + " " + python() +
                " -X dev " + shell_word(source_dir() / "tests/bindings/python" / name) + " " + arguments);
  CAPTURE(result.output);
  CHECK(result.status == 0);
  CHECK(result.output.find(" passed, 0 failed") != std::string::npos);
}

std::string command_line() { return shell_word(build_dir() / "bin/webnn-cli"); }

}  // namespace

TEST_CASE("python: models from files take and give arrays") { run_script("model.py", command_line()); }
TEST_CASE("python: contexts, tensors, builders and their errors") { run_script("api.py"); }
TEST_CASE("python: compile, inspect, compare, profile and bench") { run_script("tools.py"); }
TEST_CASE("python: the stubs are those of the operator table") { run_script("stubs.py"); }
TEST_CASE("python: PyTorch's tensors go in and out") {
  if (!obstacle() && run_shell(python() + " -c 'import torch'").status != 0) return skip("PyTorch is not installed");
  run_script("torch_tensors.py");
}
TEST_CASE("python: pip installs the module without a network") {
  if (!obstacle() && run_shell(python() + " -c 'import venv, ensurepip'").status != 0)
    return skip("Python has no venv and pip");
  run_script("install.py", shell_word(build_dir()));
}

}  // namespace webnn::tests::python_test
