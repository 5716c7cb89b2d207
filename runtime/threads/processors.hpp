// How many threads this process can use in practice.
#pragma once

#include <optional>
#include <string>

namespace webnn::runtime {

/// The number of threads worth starting, and what limits it.
struct ThreadLimit {
  unsigned threads = 1;
  std::string reason;  // "2 cores", "1 core, all that its affinity allows", "a quota of 1.5 processors"
};

/// One thread for each physical core that the process may run on (by the affinity of its first thread), but no more
/// than the CPU quota of its control groups (versions 1 and 2), rounded down: a thread that the quota does not cover
/// would stop all of them for the rest of each period. At least 1. `root`: the folder that holds proc and sys.
ThreadLimit thread_limit(const std::string& root = "");

/// From now on `thread_limit()` is this: for a process in which neither affinity nor quota change, and for which opening
/// the files that tell them, eight of them each time, takes long.
void keep_thread_limit(ThreadLimit limit);

/// Lets the calling thread run on all processors of the process, whatever the thread that started it is bound to.
void run_on_all_processors();

/// The processor on which the calling thread is at this moment; -1 where the system does not tell.
int current_processor();
/// The calling thread's number in the system; 0 where it has none.
int current_thread();
/// Lets a thread run on all processors of the process but this one, if there are others. Done before it is woken: systems
/// leave a thread behind the one that wakes it for a time slice or more, beside an idle processor.
void keep_off(int thread, int processor);
/// Moves the calling thread to another processor of the process, if there is one; it may come back.
void leave_processor();

/// `thread_limit().threads`, computed anew.
unsigned available_threads();
/// The threads that an option asks for; 0 asks for all that are available.
inline unsigned threads_for(unsigned asked) { return asked != 0 ? asked : available_threads(); }

/// Calls `available_threads` unless that has been done. Done when a context is created, because loops must not read
/// files.
void learn_threads();
/// The result of the process's first `learn_threads`; 0 before.
unsigned learned_threads();

/// The processors granted by control groups (0.5: half of one); nullopt without a quota.
std::optional<double> processor_quota(const std::string& root = "");

}  // namespace webnn::runtime
