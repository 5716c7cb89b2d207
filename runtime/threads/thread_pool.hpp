// The process-wide pool of helper threads, which serve the loops of all callers.
//
// A loop is a number of units, divided into one section for each thread that may work on it. The caller starts with the
// first section; a helper that joins takes a section without an owner. Each thread claims units from the front of its
// own section and, when that is empty, steals from the back of the others. A helper that does not come therefore costs
// nothing: the others do its section, and the caller waits only for units that somebody has claimed.
//
// A loop may have several phases (`steps`): the next phase begins when the last unit of the phase before has ended. The
// thread that finishes that unit starts the phase, and threads keep their sections. So a phase takes one message
// between threads, whereas a separate loop would have to call the helpers and wait for them.
//
// Helpers poll for the next loop for a short time, longer while nothing else wants their processors, and then sleep. A
// helper that loses much of its processor to other work stays away for a while (disturbance.hpp). Helpers start
// with the first loop that is worth it. All state is in static memory: a child of fork starts without helpers, and
// helpers end with the process or when the library is unloaded.
#pragma once

#include <cstddef>

#include "runtime/function_ref.hpp"

namespace webnn::runtime {

/// body(step, begin, end, place)
using UnitBody = FunctionRef<void(std::size_t, std::size_t, std::size_t, unsigned)>;

/// The maximum number of threads working on one loop.
inline constexpr unsigned most_threads_of_loop = 128;
/// The maximum number of units of a loop.
inline constexpr std::size_t most_units_of_loop = 1u << 14;

struct LoopSizes {
  std::size_t units = 0;
  std::size_t steps = 1;      // phases, one after another; at least 1
  bool worth_waking = false;  // whether every phase is long enough to wake helpers for it; otherwise only
                              // helpers that are awake join
};

/// Calls `body(step, begin, end, place)` on disjoint ranges that together cover [0, units) in each phase `step`, in the
/// calling thread and in up to `threads - 1` helpers, and returns when all are done. `place` is below `threads`, and no
/// two concurrent calls have the same. A phase sees everything that earlier phases wrote. The body must not throw.
/// Allocates nothing once enough helpers exist.
void run_on_pool(unsigned threads, const LoopSizes& sizes, UnitBody body);

/// Called by a thread that waits for others before it will run more loops, and has polled in vain: helpers stop polling,
/// because what they take of the processors may be what the others need.
void rest_helpers();

/// Helpers that have been started and have not ended.
unsigned helper_count();
/// Helpers that stay away because other work wants their processors.
unsigned away_count();

}  // namespace webnn::runtime
