// Detects whether other work wants the processor of a helper thread, and decides for how long the helper then stays
// away.
//
// When another process wants one of two processors, two threads may be slower than one: whenever that process has the
// helper's processor, the caller waits for units that the helper has claimed. So a helper that keeps losing time sleeps
// for a while, and loops are divided among the remaining threads.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "runtime/threads/spin.hpp"

namespace webnn::runtime {

/// Processor time that the system gave to a thread, and how often it took the processor away.
struct ThreadUsage {
  Clock::duration processor_time{};
  std::uint64_t switches = 0;  // involuntary context switches
};

/// Of the calling thread; zeros where the system does not tell.
ThreadUsage usage_of_this_thread();

/// The disturbances of one helper.
class DisturbanceWatch {
 public:
  /// The minimum time between two queries of the system, each of which takes a microsecond.
  static constexpr Clock::duration interval = std::chrono::milliseconds(2);
  /// Losing this much time between two queries is a disturbance. The system's own work takes less (some thirty
  /// interruptions a second on an idle machine).
  static constexpr Clock::duration worth_minding = std::chrono::milliseconds(1);
  /// The share of its time that a helper may lose, on average over about the last `memory`. A loop stops while a helper
  /// that has claimed units is without a processor, so that at one half two threads are as slow as one. A busy process
  /// takes one half; what a language's own threads take for its garbage and its compiler is a tenth, for moments more.
  static constexpr double most_lost = 0.4;
  static constexpr Clock::duration memory = std::chrono::milliseconds(20);
  /// A disturbance so soon after a helper's return is that of before.
  static constexpr Clock::duration soon = std::chrono::milliseconds(50);
  /// The length of a helper's first absence. It doubles whenever the helper is disturbed soon after its return.
  static constexpr Clock::duration shortest_absence = std::chrono::milliseconds(10);
  static constexpr Clock::duration longest_absence = std::chrono::milliseconds(200);
  /// For this long after a disturbance a helper polls only briefly, because polling takes time from the work that
  /// disturbed it.
  static constexpr Clock::duration caution = std::chrono::milliseconds(5);

  /// Watches the calling thread from now on.
  DisturbanceWatch() : DisturbanceWatch(Clock::now(), usage_of_this_thread()) {}
  DisturbanceWatch(Clock::time_point now, const ThreadUsage& usage) : asked_(now), usage_(usage) {}

  bool is_due(Clock::time_point now) const { return now - asked_ >= interval; }

  /// Counts time during which the helper slept, for lack of work or to stay away.
  void slept(Clock::duration time) { slept_ += time; }

  /// Counts a wait for the next loop, in which the helper polled for up to `patience`. What others took of the processor
  /// then is lost only while loops did without the helper, `missed`. Before, it was theirs: often the program's own
  /// thread computes the next input.
  void waited(Clock::duration time, Clock::duration patience, Clock::duration missed) {
    slept(std::max(time - patience - missed, Clock::duration::zero()));
  }

  /// How long to stay away from now on; zero: not at all. `usage` is the thread's total up to now.
  Clock::duration observe(Clock::time_point now, const ThreadUsage& usage) {
    const Clock::duration awake = (now - asked_) - slept_;
    const Clock::duration lost = awake - (usage.processor_time - usage_.processor_time);
    // Time taken by the host of a virtual machine involves no context switch; staying away would gain nothing.
    const bool is_disturbed = lost >= worth_minding && usage.switches != usage_.switches;
    asked_ = now;
    slept_ = {};
    usage_ = usage;
    remember(awake, is_disturbed ? lost : Clock::duration::zero());
    if (!is_disturbed) return {};
    disturbed_ = now;
    if (double(lost_.count()) < most_lost * double(awake_.count())) return {};
    absence_ = now - back_ < soon ? std::min(2 * absence_, longest_absence) : shortest_absence;
    back_ = disturbed_ = now + absence_;
    return absence_;
  }

  /// Whether the last disturbance was some time ago.
  bool is_calm(Clock::time_point now = Clock::now()) const { return now - disturbed_ >= caution; }

 private:
  static constexpr Clock::duration long_ago = std::chrono::hours(1);

  /// Sums of which earlier parts count less and less.
  void remember(Clock::duration awake, Clock::duration lost) {
    const auto reduced = [awake](Clock::duration sum) {
      return Clock::duration(
          Clock::rep(double(sum.count()) * double(memory.count()) / double((memory + awake).count())));
    };
    awake_ = reduced(awake_) + awake;
    lost_ = reduced(lost_) + lost;
  }

  Clock::time_point asked_;
  ThreadUsage usage_;                                // at asked_
  Clock::duration slept_{};                          // since asked_
  Clock::duration awake_ = memory, lost_{};          // see `remember`
  Clock::time_point disturbed_ = asked_ - long_ago;  // the last disturbance; an absence counts up to its end
  Clock::time_point back_ = asked_ - long_ago;       // the end of the last absence
  Clock::duration absence_{};
};

}  // namespace webnn::runtime
