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

}  // namespace webnn::tests
