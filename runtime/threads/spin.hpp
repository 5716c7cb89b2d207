// Looking for something that another thread does, for a moment.
#pragma once

#include <chrono>
#include <cstddef>

namespace webnn::runtime {

using Clock = std::chrono::steady_clock;
/// How long a thread looks before it sleeps: about what it takes to wake one.
inline constexpr Clock::duration short_patience = std::chrono::microseconds(20);

/// Tells the processor that a thread spins.
inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Looks until `came()` for as long as its patience lasts; returns whether it came.
template <class Condition>
bool look_for(Condition came, Clock::duration patience) {
  constexpr int looks = 8;  // between two looks at the clock
  for (const Clock::time_point begin = Clock::now(); Clock::now() - begin < patience;)
    for (int i = 0; i < looks; ++i) {
      if (came()) return true;
      pause();
    }
  return came();
}

}  // namespace webnn::runtime
