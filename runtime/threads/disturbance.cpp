#include "runtime/threads/disturbance.hpp"

#include <ctime>
#include <sys/resource.h>

namespace webnn::runtime {

ThreadUsage usage_of_this_thread() {
#if defined(RUSAGE_THREAD)
  timespec time;
  rusage usage;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 && getrusage(RUSAGE_THREAD, &usage) == 0)
    return {std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec), std::uint64_t(usage.ru_nivcsw)};
#endif
  return {};
}

}  // namespace webnn::runtime
