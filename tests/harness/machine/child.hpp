// What a child of fork sees of this process.
#pragma once

#include <functional>
#include <sys/wait.h>
#include <unistd.h>

namespace webnn::tests {

/// Why a case that wants threads in a child is skipped under the thread sanitizer.
inline constexpr const char* no_threads_in_children = "a sanitizer has no threads in a child of fork";

/// Whether `succeeds` says so in a child of fork.
inline bool in_child(const std::function<bool()>& succeeds) {
  const pid_t child = fork();
  if (child == 0) _exit(succeeds() ? 0 : 1);
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace webnn::tests
