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
  /// Two disturbances within this time are more than chance. So are two in a row that each took a quarter of the time,
  /// because behind long loops the queries are further apart.
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
    const Clock::duration lost = (now - asked_) - slept_ - (usage.processor_time - usage_.processor_time);
    // Time taken by the host of a virtual machine involves no context switch; staying away would gain nothing.
    const bool is_disturbed = lost >= worth_minding && usage.switches != usage_.switches;
    const bool is_much = 4 * lost >= now - asked_;
    const bool is_again = is_disturbed && ((was_disturbed_ && is_much) || now - disturbed_ < soon);
    asked_ = now;
    slept_ = {};
    usage_ = usage;
    was_disturbed_ = is_disturbed;
    if (is_disturbed) disturbed_ = now;
    if (!is_again) return {};
    absence_ = now - back_ < soon ? std::min(2 * absence_, longest_absence) : shortest_absence;
    back_ = disturbed_ = now + absence_;
    return absence_;
  }

  /// Whether the last disturbance was some time ago.
  bool is_calm(Clock::time_point now = Clock::now()) const { return now - disturbed_ >= caution; }

 private:
  static constexpr Clock::duration long_ago = std::chrono::hours(1);

  Clock::time_point asked_;
  ThreadUsage usage_;                                // at asked_
  Clock::duration slept_{};                          // since asked_
  bool was_disturbed_ = false;                       // at asked_
  Clock::time_point disturbed_ = asked_ - long_ago;  // the last disturbance; an absence counts up to its end
  Clock::time_point back_ = asked_ - long_ago;       // the end of the last absence
  Clock::duration absence_{};
};

}  // namespace webnn::runtime
