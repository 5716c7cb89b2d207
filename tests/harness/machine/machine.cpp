#include "tests/harness/machine/machine.hpp"

#include "runtime/cpu/cpu_features.hpp"
#include "tests/harness/machine/shell.hpp"

namespace webnn::tests {

using schema::Feature;

bool machine_has(Feature needed) { return includes(runtime::detect_cpu_features(), needed); }

std::string machine_lacks(Feature needed) {
  return "this machine lacks " + text_of(without(needed, runtime::detect_cpu_features()));
}

bool has_program(const std::string& name) { return run_shell("command -v " + shell_word(name)).status == 0; }

bool has_node() {
  return run_shell("node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)'").status == 0;
}

std::string python_with_numpy() {
  ShellResult found = run_shell(
      "for each in $(which -a python3); do $each -c 'import sys, numpy; sys.exit(sys.version_info < (3, 11))' "
      "2>/dev/null && echo $each && break; done");
  found.output.erase(found.output.find_last_not_of('\n') + 1);
  return found.output.empty() ? "" : shell_word(found.output);
}

}  // namespace webnn::tests
