// How many threads this process may really use.
#pragma once

#include <optional>
#include <string>

namespace webnn::runtime {

/// How many threads are worth starting, and what decides it.
struct ThreadLimit {
  unsigned threads = 1;
  std::string reason;  // "2 cores", "1 core, all that its affinity allows", "a quota of 1.5 processors"
};

/// The processors that the process may run on (the affinity of its first thread), of each physical core one, and no
/// more than the quota of its control groups (versions 1 and 2), rounded down: a thread that the quota does not cover
/// makes all of them stand still for the rest of each period. At least 1. `root`: the folder that holds proc and sys.
ThreadLimit thread_limit(const std::string& root = "");

/// Lets the calling thread run wherever the process may, whatever the thread that started it is bound to.
void run_on_all_processors();

/// `thread_limit().threads`, asked anew.
unsigned available_threads();

/// Asks for `available_threads` where that was not done yet. A context does it, because loops must not: it reads files.
void learn_threads();
/// What the first `learn_threads` of the process has found; 0 before.
unsigned learned_threads();

/// Processors that control groups grant (0.5: half of one); nullopt without a quota.
std::optional<double> processor_quota(const std::string& root = "");

}  // namespace webnn::runtime
