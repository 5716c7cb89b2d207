// In place of sandbox.cpp in builds without libseccomp.
#include "cli/sandbox/sandbox.hpp"
#include "schema/error.hpp"

namespace webnn::cli {

bool has_sandbox() { return false; }

int run_in_sandbox(Grants, const SandboxLimits&, const std::function<int()>&) {
  throw schema::Error(schema::ExitCode::unsupported, "this build has no sandbox",
                      "build it where libseccomp-dev is installed");
}

}  // namespace webnn::cli
