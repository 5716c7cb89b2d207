#include "runtime/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>

namespace webnn::runtime {
namespace {

/// Threads of loops started by this thread. Helpers have their own copy, so loops inside loops are serial.
thread_local unsigned current_team = 1;

/// The team of a thread while it runs a part of a loop.
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
  void rethrow() const {
    if (failed_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;
};

/// Units of a section: a thread that finds half of its section done by others does not wait long for the rest.
constexpr std::size_t units_of_section = 16;
/// A loop of fewer grains is not worth waking a thread, which takes as long as some of them.
constexpr std::size_t grains_worth_waking = 8;

}  // namespace

Team::Team(unsigned threads) : former_(std::exchange(current_team, std::max(threads, 1u))) {}
Team::~Team() { current_team = former_; }

unsigned team_size() { return current_team; }

namespace {

void run_loop(unsigned threads, std::size_t count, std::size_t pieces, bool worth_waking, const PieceBody& body) {
  if (count == 0) return;
  if (threads <= 1 || pieces <= 1) return body(0, count, 0);
  // As many for each thread: of three pieces two threads would do two and one.
  const std::size_t even = (pieces + threads - 1) / threads * threads;
  const std::size_t units = std::min({even, count, threads * units_of_section, most_units_of_loop});
  // Where unit `unit` begins: the first `count % units` units are one longer.
  const auto bound = [=](std::size_t unit) { return unit * (count / units) + std::min(unit, count % units); };
  Failure failure;
  run_on_pool(threads, units, worth_waking, [&](std::size_t begin, std::size_t end, unsigned place) {
    const SerialInside serial;
    try {
      body(bound(begin), bound(end), place);
    } catch (...) {
      failure.keep(std::current_exception());
    }
  });
  failure.rethrow();
}

}  // namespace

void parallel_places(unsigned places, std::size_t count, std::size_t grain, PieceBody body) {
  const std::size_t pieces = count / std::max<std::size_t>(grain, 1);
  run_loop(std::min(places, current_team), count, pieces, pieces >= grains_worth_waking, body);
}

void parallel_pieces(unsigned places, std::size_t count, PieceBody body) {
  run_loop(std::min(places, current_team), count, count, true, body);
}

void parallel_for(std::size_t count, std::size_t grain, RangeBody body) {
  parallel_places(current_team, count, grain, [&](std::size_t begin, std::size_t end, unsigned) { body(begin, end); });
}

}  // namespace webnn::runtime
