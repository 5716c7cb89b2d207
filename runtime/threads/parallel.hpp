// The one parallel loop: every kernel that uses more than one thread does it through `parallel_for`.
//
// How many threads take part is a property of the calling thread, set by a `Team` that lives on its stack (the
// executor's), never of the process: two executors with different thread counts do not disturb each other. Without a
// Team every loop is serial.
#pragma once

#include <cstddef>

#include "runtime/function_ref.hpp"

namespace webnn::runtime {

/// body(begin, end)
using RangeBody = FunctionRef<void(std::size_t, std::size_t)>;
/// body(begin, end, place)
using PieceBody = FunctionRef<void(std::size_t, std::size_t, unsigned)>;
/// body(step, begin, end)
using StepBody = FunctionRef<void(std::size_t, std::size_t, std::size_t)>;

/// While it lives, loops that the constructing thread starts use up to `threads` threads: itself and helpers of the
/// process's pool (thread_pool.hpp). Teams nest; each restores the former size.
class Team {
 public:
  explicit Team(unsigned threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

 private:
  unsigned former_;
};

/// Threads that a loop of the calling thread may use now; 1 without a Team and inside a loop that was divided.
unsigned team_size();

/// Calls `body(begin, end)` on disjoint ranges that together cover [0, count) and returns when all are done. Each range
/// holds `grain` indices or more: choose it so that a range is worth a thread's claim (some 10,000 simple operations,
/// microseconds). Threads claim ranges while there are any, the caller too; it never waits for a thread that has not
/// begun. A loop of less than two grains and one inside another parallel loop run in the calling thread. Allocates
/// nothing.
///
/// How [0, count) is divided depends on who comes when: a result must not depend on where ranges begin (sum each
/// element's terms inside one range). An exception of the body reaches the caller once all ranges have ended.
void parallel_for(std::size_t count, std::size_t grain, RangeBody body);

/// The same with `body(begin, end, place)` in at most `places` threads: no two calls at the same time have the same
/// place, and all are below `places`. For memory that a range uses while it runs.
void parallel_places(unsigned places, std::size_t count, std::size_t grain, PieceBody body);

/// The same for `count` pieces of a call that are worth waking a thread, each of them: some 10 microseconds or more.
void parallel_pieces(unsigned places, std::size_t count, PieceBody body);

/// `steps` loops over [0, count), one after another: body(step, begin, end). A step sees all that the ones before have
/// written. Costs about half of what as many calls of parallel_for do.
void parallel_steps(std::size_t steps, std::size_t count, std::size_t grain, StepBody body);

}  // namespace webnn::runtime
