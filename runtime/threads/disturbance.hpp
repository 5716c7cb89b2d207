// Whether other work wants the processor of a helper, and how long the helper keeps away then.
//
// Two threads on two processors, one of which another process wants, too, are slower than one thread on the other: the
// caller waits for units that a helper has begun whenever that process has the helper's processor. So a helper that
// loses time again and again sleeps, and loops are divided among those who are there.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "runtime/threads/spin.hpp"

namespace webnn::runtime {

/// What the system has given to a thread and taken from it.
struct ThreadUsage {
  Clock::duration processor_time{};
  std::uint64_t switches = 0;  // how often its processor was given to another thread although it wanted to go on
};

/// Of the calling thread; nothing where the system does not say.
ThreadUsage usage_of_this_thread();

/// One helper's memory of its disturbances.
class DisturbanceWatch {
 public:
  /// Between two questions to the system, at least; they take a microsecond.
  static constexpr Clock::duration interval = std::chrono::milliseconds(2);
  /// Other work that takes so much of the time between two questions disturbs; an ordinary machine's own work takes
  /// less, some thirty times a second.
  static constexpr Clock::duration worth_minding = std::chrono::milliseconds(1);
  /// Two disturbances in this time are more than chance. So are two in a row that took a quarter of the time: behind
  /// long loops questions lie further apart.
  static constexpr Clock::duration soon = std::chrono::milliseconds(50);
  /// How long a helper keeps away the first time; twice as long whenever it is disturbed soon after it is back.
  static constexpr Clock::duration shortest_absence = std::chrono::milliseconds(10);
  static constexpr Clock::duration longest_absence = std::chrono::milliseconds(200);
  /// For how long after a disturbance a helper has little patience: looking takes time from whoever disturbed it.
  static constexpr Clock::duration caution = std::chrono::milliseconds(5);

  /// Of the calling thread, from now on.
  DisturbanceWatch() : DisturbanceWatch(Clock::now(), usage_of_this_thread()) {}
  DisturbanceWatch(Clock::time_point now, const ThreadUsage& usage) : asked_(now), usage_(usage) {}

  bool is_due(Clock::time_point now) const { return now - asked_ >= interval; }

  /// The helper slept, because there was nothing to do or to keep away.
  void slept(Clock::duration time) { slept_ += time; }

  /// For how long to keep away from now on; zero for not at all. Takes what the thread has used up to now.
  Clock::duration observe(Clock::time_point now, const ThreadUsage& usage) {
    const Clock::duration lost = (now - asked_) - slept_ - (usage.processor_time - usage_.processor_time);
    // What the host of a virtual machine takes is no switch: keeping away would gain nothing.
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

  /// Whether the last disturbance is a while ago.
  bool is_calm(Clock::time_point now = Clock::now()) const { return now - disturbed_ >= caution; }

 private:
  static constexpr Clock::duration long_ago = std::chrono::hours(1);

  Clock::time_point asked_;
  ThreadUsage usage_;                                // then
  Clock::duration slept_{};                          // since then
  bool was_disturbed_ = false;                       // then
  Clock::time_point disturbed_ = asked_ - long_ago;  // last; an absence counts to its end
  Clock::time_point back_ = asked_ - long_ago;       // the last absence's end
  Clock::duration absence_{};
};

}  // namespace webnn::runtime
