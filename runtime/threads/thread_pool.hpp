// The threads of the process that help with loops, whoever runs them.
//
// A loop is a number of units, divided into a section for each thread that may work on it. Who runs the loop begins
// with the first section; a helper that comes takes a section that nobody owns. Each claims from the front of its own
// section and, when that is empty, from the back of others'. So a helper that never comes costs nothing: its section is
// worked off by the others, and the caller waits only for units that somebody has begun.
//
// A loop may be done several times, in steps: the next step begins when the last unit of the one before has ended. Who
// ends that unit begins the step, and threads stay with their sections: one thread tells others something once for each
// step, where a loop of its own would have to bring them and to wait for them.
//
// Helpers look for the next loop for a moment, a longer one while nothing else wants their processors, then they sleep.
// One whose processor other work wants again and again keeps away for a while (disturbance.hpp).
// They start with the first loop that is worth it. Everything is in static memory: a child of fork begins without
// helpers, and they end with the process or when the library is unloaded.
#pragma once

#include <cstddef>

#include "runtime/function_ref.hpp"

namespace webnn::runtime {

/// body(step, begin, end, place)
using UnitBody = FunctionRef<void(std::size_t, std::size_t, std::size_t, unsigned)>;

/// The most threads that work on one loop.
inline constexpr unsigned most_threads_of_loop = 128;
/// The most units of one loop.
inline constexpr std::size_t most_units_of_loop = 1u << 14;

struct LoopSizes {
  std::size_t units = 0;
  std::size_t steps = 1;      // that often, one after another; at least once
  bool worth_waking = false;  // all steps are long enough to wake helpers for them; otherwise only those come that are
                              // awake
};

/// Calls `body(step, begin, end, place)` on disjoint ranges of units that together cover [0, units) of each step, in
/// the calling thread and in up to `threads - 1` helpers, and returns when all are done. `place` is below `threads`,
/// and no two calls at the same time have the same. What a step wrote is there for the next one. The body throws
/// nothing. Allocates nothing, once as many helpers are there.
void run_on_pool(unsigned threads, const LoopSizes& sizes, UnitBody body);

/// Helpers that have been started and not ended.
unsigned helper_count();
/// Those of them that keep away because other work wants their processors.
unsigned away_count();

}  // namespace webnn::runtime
