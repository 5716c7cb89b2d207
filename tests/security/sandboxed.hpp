// Work that is handed to the sandbox, for tests of what it refuses.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/sandbox/sandbox.hpp"
#include "schema/error.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/machine/shell.hpp"

namespace webnn::tests {

inline int with_grants(const std::vector<cli::UsedFile>& files, const std::function<int()>& work,
                       cli::SandboxLimits limits = {}) {
  cli::Grants grants;
  for (const cli::UsedFile& file : files) grants.add(file);
  return cli::run_in_sandbox(std::move(grants), limits, work);
}

/// Why sandboxes cannot be tested here; empty: they can.
inline std::string no_sandbox() {
  if (!cli::has_sandbox()) return "this build has no sandbox";
  if (under_sanitizer) return "a sanitizer needs more of the system than a sandbox gives";
  if (is_cross_build()) return "the build is for another machine";
  try {
    with_grants({}, [] { return 0; });
  } catch (const schema::Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace webnn::tests
