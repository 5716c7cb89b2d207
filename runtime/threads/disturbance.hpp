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
  std::uint64_t switches = 0;  // how often its processor was given to another thread that wanted it
};

/// Of the calling thread; nothing where the system does not say.
ThreadUsage usage_of_this_thread();

/// One helper's memory of its disturbances.
class DisturbanceWatch {
 public:
  /// Between two questions to the system, which take a microsecond.
  static constexpr Clock::duration interval = std::chrono::milliseconds(2);
  /// Other work that takes so much of the time between two questions disturbs; an ordinary machine's own work takes
  /// less, some thirty times a second.
  static constexpr Clock::duration worth_minding = std::chrono::milliseconds(1);
  /// Two disturbances in this time are more than chance.
  static constexpr Clock::duration soon = std::chrono::milliseconds(50);
  /// How long a helper keeps away the first time; twice as long whenever it is disturbed soon after it is back.
  static constexpr Clock::duration shortest_absence = std::chrono::milliseconds(10);
  static constexpr Clock::duration longest_absence = std::chrono::milliseconds(200);

  struct Finding {
    bool is_disturbed = false;  // since the last time
    Clock::duration absence{};  // to begin now; zero for none
  };

  bool is_due(Clock::time_point now) const { return now - asked_ >= interval; }

  /// The helper slept because there was nothing to do.
  void slept(Clock::duration time) { slept_ += time; }

  Finding observe(Clock::time_point now, const ThreadUsage& usage) {
    const Clock::duration lost = (now - asked_) - slept_ - (usage.processor_time - usage_.processor_time);
    // What the host of a virtual machine takes is no switch: keeping away would gain nothing.
    const bool is_disturbed = lost >= worth_minding && usage.switches != usage_.switches;
    asked_ = now;
    slept_ = {};
    usage_ = usage;
    return is_disturbed ? disturbed(now) : Finding();
  }

 private:
  Finding disturbed(Clock::time_point now) {
    const bool is_again = now - disturbed_ < soon;
    disturbed_ = now;
    if (!is_again) return {true, {}};
    const bool is_soon_after_absence = now - back_ < soon;
    absence_ = is_soon_after_absence ? std::min(2 * absence_, longest_absence) : shortest_absence;
    back_ = disturbed_ = now + absence_;
    slept(absence_);
    return {true, absence_};
  }

  Clock::time_point asked_ = Clock::now();
  ThreadUsage usage_ = usage_of_this_thread();
  Clock::duration slept_{};                                       // since it was asked
  Clock::time_point disturbed_ = asked_ - std::chrono::hours(1);  // last; an absence counts to its end
  Clock::time_point back_ = disturbed_;                           // the last absence's end
  Clock::duration absence_{};
};

}  // namespace webnn::runtime
