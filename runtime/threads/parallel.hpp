// The one parallel loop: every kernel that uses several threads does so through `parallel_for` or a variant of it.
//
// The number of threads belongs to the calling thread, not to the process. It is set by a `Team` on its stack (the
// executor's), so two executors with different thread counts do not disturb each other. Without a Team every loop is
// serial. All threads of a loop compute in the calling thread's floating-point mode.
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

/// While it exists, loops started by the constructing thread use up to `threads` threads: itself and helpers from the
/// process's pool (thread_pool.hpp). Teams nest; the destructor restores the previous size.
class Team {
 public:
  explicit Team(unsigned threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

 private:
  unsigned former_;
};

/// The number of threads that a loop of the calling thread may use now; 1 without a Team and inside a parallel loop.
unsigned team_size();

/// Calls `body(begin, end)` on disjoint ranges that together cover [0, count) and returns when all are done. Each range
/// has at least `grain` indices: choose it so that a range is worth a thread's claim (some 10,000 simple operations,
/// i.e. microseconds). Threads, including the caller, claim ranges while there are any; the caller never waits for a
/// thread that has not begun. A loop of less than two grains, and a loop inside a parallel loop, run in the calling
/// thread. Allocates nothing.
///
/// The division of [0, count) depends on timing, so results must not depend on where ranges begin (sum the terms of an
/// element within one range). An exception of the body reaches the caller after all ranges have ended.
void parallel_for(std::size_t count, std::size_t grain, RangeBody body);

/// The same with `body(begin, end, place)` on at most `places` threads. `place` is below `places`, and no two
/// concurrent calls have the same: use it to choose scratch memory for the range.
void parallel_places(unsigned places, std::size_t count, std::size_t grain, PieceBody body);

/// The same for `count` pieces, each of which is worth waking a thread (some 10 microseconds or more).
void parallel_pieces(unsigned places, std::size_t count, PieceBody body);

/// Runs `steps` phases, each a loop over [0, count), one after another: body(step, begin, end) with the number of the
/// phase. A phase sees everything that earlier phases wrote. Costs about half as much as that many calls of
/// parallel_for.
void parallel_steps(std::size_t steps, std::size_t count, std::size_t grain, StepBody body);

}  // namespace webnn::runtime
