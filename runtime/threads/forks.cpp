#include "runtime/threads/forks.hpp"

#include <atomic>
#include <pthread.h>

namespace webnn::runtime {
namespace {

std::atomic<unsigned> forks = 0;

}  // namespace

unsigned fork_count() {
  static const int counts = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  static_cast<void>(counts);  // if it fails for lack of memory, a child is not recognised
  return forks.load(std::memory_order_relaxed);
}

}  // namespace webnn::runtime
