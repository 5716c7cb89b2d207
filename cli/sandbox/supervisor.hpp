// Answers the system calls that a sandboxed process must ask for.
#pragma once

#include <map>
#include <set>

#include "cli/sandbox/system_calls.hpp"

namespace webnn::cli {

class Supervisor {
 public:
  /// `listener` is that of install_filter in `process`, a child of this one that has not begun its work.
  /// `memory_bytes`: what it may write. Throws Error (unsupported) when its memory cannot be reached.
  Supervisor(Descriptor listener, pid_t process, Grants grants, std::uint64_t memory_bytes);

  int listener() const { return listener_.get(); }
  /// Receives one call and answers it; to be called when `listener` can be read.
  void serve();
  /// Whether the memory that the process alone has is within its limit. The system counts only what can be written now.
  bool is_within_memory() const;

 private:
  void make_room_for(const Descriptor& file);

  Descriptor listener_;
  pid_t process_;
  std::uint64_t memory_bytes_, address_space_;
  std::set<std::pair<dev_t, ino_t>> files_with_room_;
  Grants grants_;
  std::map<int, const SystemCall*> asked_;  // by number
  std::vector<SystemCall> calls_;
};

}  // namespace webnn::cli
