// The module webnn in Python: each file of tests/bindings/python runs in a process of its own.
#include <doctest/doctest.h>
#include <string>

#include "tests/harness/machine/bindings.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::python_test {
namespace {

/// `arguments` are words of a shell.
void run_script(const std::string& name, const std::string& arguments = "") {
  if (const char* reason = obstacle_of_python()) return skip(reason);
  const ShellResult result = run_shell("PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=" + shell_word(build_dir() / "python") +
                                       " " + python_with_numpy() + " -X dev " +
                                       shell_word(source_dir() / "tests/bindings/python" / name) + " " + arguments);
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
  if (!obstacle_of_python() && run_shell(python_with_numpy() + " -c 'import torch'").status != 0)
    return skip("PyTorch is not installed");
  run_script("torch_tensors.py");
}
TEST_CASE("python: Dask's workers run a model on many inputs, and one of them is killed") {
  if (!obstacle_of_python() && run_shell(python_with_numpy() + " -c 'import dask, distributed'").status != 0)
    return skip("Dask is not installed");
  run_script("dask_batches.py");
}
TEST_CASE("python: pip installs the module without a network") {
  if (!obstacle_of_python() && run_shell(python_with_numpy() + " -c 'import venv, ensurepip'").status != 0)
    return skip("Python has no venv and pip");
  run_script("install.py", shell_word(build_dir()));
}

}  // namespace webnn::tests::python_test
