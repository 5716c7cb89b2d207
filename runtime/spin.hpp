// Looking for something that another thread does, for a moment.
#pragma once

#include <chrono>
#include <cstddef>

namespace webnn::runtime {

using Clock = std::chrono::steady_clock;
/// How long a thread looks before it sleeps: about what it takes to wake one.
inline constexpr Clock::duration short_patience = std::chrono::microseconds(20);
/// Between two looks at the clock a thread does nothing that takes so long, unless another one has its processor.
inline constexpr Clock::duration disturbance = std::chrono::microseconds(50);

/// Tells the processor that a thread spins.
inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Looks until `came()` for as long as its patience lasts; returns whether it came. Calls `disturbed(now)` when
/// something else has had the processor.
template <class Condition, class Disturbed>
bool look_for(Condition came, Clock::duration patience, Disturbed disturbed) {
  constexpr int looks = 8;  // between two looks at the clock
  const Clock::time_point begin = Clock::now();
  for (Clock::time_point before = begin, now = begin; now - begin < patience; before = now) {
    for (int i = 0; i < looks; ++i) {
      if (came()) return true;
      pause();
    }
    now = Clock::now();
    if (now - before > disturbance) {
      disturbed(now);
      break;
    }
  }
  return came();
}

}  // namespace webnn::runtime
