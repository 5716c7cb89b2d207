// Polling for another thread's action for a short time.
#pragma once

#include <chrono>
#include <cstddef>

namespace webnn::runtime {

using Clock = std::chrono::steady_clock;
/// How long a thread polls before it sleeps: about as long as it takes to wake one.
inline constexpr Clock::duration short_patience = std::chrono::microseconds(20);

/// Tells the processor that this is a spin loop. In the processor's file (pause_NAME.cpp).
void pause();

/// Polls `came()` until the patience is over; returns whether it became true.
template <class Condition>
bool look_for(Condition came, Clock::duration patience) {
  constexpr int looks = 8;  // between two reads of the clock
  for (const Clock::time_point begin = Clock::now(); Clock::now() - begin < patience;)
    for (int i = 0; i < looks; ++i) {
      if (came()) return true;
      pause();
    }
  return came();
}

}  // namespace webnn::runtime
