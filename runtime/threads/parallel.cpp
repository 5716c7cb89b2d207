#include "runtime/threads/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "runtime/threads/float_mode.hpp"
#include "runtime/threads/thread_pool.hpp"

namespace webnn::runtime {
namespace {

/// The number of threads for loops started by this thread. Helpers have their own copy, which makes nested loops
/// serial.
thread_local unsigned current_team = 1;

/// Sets the team of a thread to 1 while it runs a part of a loop.
class SerialInside {
 public:
  SerialInside() : former_(std::exchange(current_team, 1u)) {}
  ~SerialInside() { current_team = former_; }

 private:
  unsigned former_;
};

/// The first exception of a loop's body.
class Failure {
 public:
  void keep(std::exception_ptr failure) {
    if (!failed_.exchange(true)) failure_ = std::move(failure);
  }
  bool is_there() const { return failed_.load(std::memory_order_relaxed); }
  void rethrow() const {
    if (failed_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;
};

/// Units per section. With this many, a thread does not wait long for the rest when others have done half of its
/// section.
constexpr std::size_t units_of_section = 16;
/// The number of grains from which a loop is worth waking a thread, which takes as long as some of them.
constexpr std::size_t grains_worth_waking = 8;

}  // namespace

Team::Team(unsigned threads) : former_(std::exchange(current_team, std::max(threads, 1u))) {}
Team::~Team() { current_team = former_; }

unsigned team_size() { return current_team; }

namespace {

struct LoopShape {
  std::size_t count = 0, pieces = 0;  // ranges that are worth a claim
  std::size_t steps = 1;
  bool worth_waking = false;
};

/// body(step, begin, end, place)
template <class Body>
void run_loop(unsigned threads, const LoopShape& shape, Body body) {
  if (shape.count == 0 || shape.steps == 0) return;
  if (threads <= 1 || shape.pieces <= 1) {
    for (std::size_t step = 0; step < shape.steps; ++step) body(step, 0, shape.count, 0);
    return;
  }
  // A multiple of the threads: with three pieces, one of two threads would have to do two.
  const std::size_t even = (shape.pieces + threads - 1) / threads * threads;
  const std::size_t units = std::min({even, shape.count, threads * units_of_section, most_units_of_loop});
  // Where `unit` begins: the first `more` units are one element longer.
  const std::size_t length = shape.count / units, more = shape.count % units;
  const auto bound = [=](std::size_t unit) { return unit * length + std::min(unit, more); };
  Failure failure;
  // Captures few copies: each cache line that a helper has to fetch from the caller's memory costs it as much as some
  // hundred operations.
  const auto run = [=, &failure, mode = float_mode()](std::size_t step, std::size_t begin, std::size_t end,
                                                      unsigned place) {
    if (step != 0 && failure.is_there()) return;  // its input may be missing
    const SerialInside serial;
    const InFloatMode same(mode);
    try {
      body(step, bound(begin), bound(end), place);
    } catch (...) {
      failure.keep(std::current_exception());
    }
  };
  run_on_pool(threads, {units, shape.steps, shape.worth_waking}, run);
  failure.rethrow();
}

std::size_t pieces_of(std::size_t count, std::size_t grain) { return count / std::max<std::size_t>(grain, 1); }

}  // namespace

void parallel_places(unsigned places, std::size_t count, std::size_t grain, PieceBody body) {
  const std::size_t pieces = pieces_of(count, grain);
  run_loop(std::min(places, current_team), {count, pieces, 1, pieces >= grains_worth_waking},
           [=](std::size_t, std::size_t begin, std::size_t end, unsigned place) { body(begin, end, place); });
}

void parallel_pieces(unsigned places, std::size_t count, PieceBody body) {
  run_loop(std::min(places, current_team), {count, count, 1, true},
           [=](std::size_t, std::size_t begin, std::size_t end, unsigned place) { body(begin, end, place); });
}

void parallel_for(std::size_t count, std::size_t grain, RangeBody body) {
  const std::size_t pieces = pieces_of(count, grain);
  run_loop(current_team, {count, pieces, 1, pieces >= grains_worth_waking},
           [=](std::size_t, std::size_t begin, std::size_t end, unsigned) { body(begin, end); });
}

void parallel_steps(std::size_t steps, std::size_t count, std::size_t grain, StepBody body) {
  const std::size_t pieces = pieces_of(count, grain);
  run_loop(current_team, {count, pieces, steps, steps >= grains_worth_waking || pieces >= grains_worth_waking},
           [=](std::size_t step, std::size_t begin, std::size_t end, unsigned) { body(step, begin, end); });
}

}  // namespace webnn::runtime
