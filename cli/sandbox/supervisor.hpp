// Answers the system calls that a sandboxed process must ask for.
#pragma once

#include <map>

#include "cli/sandbox/system_calls.hpp"

namespace webnn::cli {

class Supervisor {
 public:
  /// `listener` is that of install_filter in `process`, a child of this one. Throws Error (unsupported) when its memory
  /// cannot be read.
  Supervisor(Descriptor listener, pid_t process, Grants grants);

  int listener() const { return listener_.get(); }
  /// Receives one call and answers it; to be called when `listener` can be read.
  void serve();

 private:
  Descriptor listener_, memory_;
  pid_t process_;
  Grants grants_;
  std::map<int, const SystemCall*> asked_;  // by number
  std::vector<SystemCall> calls_;
};

}  // namespace webnn::cli
