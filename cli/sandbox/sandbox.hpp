// Runs work in a process of its own that can open only what was granted, can reach no network, start no program, and is
// ended when it takes too much memory or time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "cli/sandbox/grants.hpp"

namespace webnn::cli {

struct SandboxLimits {
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // of memory that the process may write
  std::chrono::nanoseconds time = std::chrono::minutes(10);
};

/// Whether this build can: it was made with libseccomp.
bool has_sandbox();

/// Runs `work` in a child of fork, which ends with its result as the exit code; returns that code. `work` must not
/// throw, and must have flushed what it wrote. Throws Error: resource when a limit ends the process, unsupported when
/// the system or this build has no sandbox, internal when the process crashes. Ends this process by the same signal when
/// an interrupt or a request to terminate ends the other. Must be called before threads that the work needs are started.
int run_in_sandbox(Grants grants, const SandboxLimits& limits, const std::function<int()>& work);

}  // namespace webnn::cli
