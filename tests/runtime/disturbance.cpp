// When a helper leaves its processor to other work, and for how long.
#include "runtime/threads/disturbance.hpp"

#include <atomic>
#include <doctest/doctest.h>
#include <sched.h>
#include <thread>

namespace webnn::runtime {
namespace {

using namespace std::chrono_literals;

/// A helper that asks every 10 ms and is told what the system would say.
class Helper {
 public:
  /// The next 10 ms, of which other work on the machine or its host takes `lost`.
  DisturbanceWatch::Finding goes_on(Clock::duration lost = 0ms, bool is_switched = true) {
    now_ += 10ms;
    usage_.processor_time += 10ms - lost;
    if (lost > 0ms && is_switched) ++usage_.switches;
    const DisturbanceWatch::Finding found = watch_.observe(now_, usage_);
    now_ += found.absence;
    return found;
  }
  void sleeps() {
    now_ += 1s;
    watch_.slept(1s);
  }

 private:
  Clock::time_point now_ = Clock::now();
  ThreadUsage usage_ = usage_of_this_thread();
  DisturbanceWatch watch_;
};

TEST_CASE("disturbance: once is chance, twice soon after another sends a helper away") {
  Helper helper;
  CHECK_FALSE(helper.goes_on().is_disturbed);
  CHECK(helper.goes_on(3ms).is_disturbed);
  for (int i = 0; i < 5; ++i) CHECK_FALSE(helper.goes_on().is_disturbed);
  const auto late = helper.goes_on(3ms);
  CHECK(late.is_disturbed);
  CHECK(late.absence == 0ms);
  CHECK_FALSE(helper.goes_on().is_disturbed);
  CHECK(helper.goes_on(3ms).absence == 10ms);
}

TEST_CASE("disturbance: a helper that is disturbed again when it is back keeps away twice as long, up to a limit") {
  Helper helper;
  helper.goes_on(3ms);
  for (const auto absence : {10ms, 20ms, 40ms, 80ms, 160ms, 200ms, 200ms})
    CHECK(helper.goes_on(3ms).absence == absence);
  // Left alone for a while, it begins anew.
  for (int i = 0; i < 5; ++i) CHECK(helper.goes_on().absence == 0ms);
  CHECK(helper.goes_on(3ms).absence == 0ms);
  CHECK(helper.goes_on(3ms).absence == 10ms);
}

TEST_CASE("disturbance: neither short work of others, nor the host's, nor sleep") {
  Helper helper;
  for (int i = 0; i < 5; ++i) {
    CHECK_FALSE(helper.goes_on(900us).is_disturbed);
    CHECK_FALSE(helper.goes_on(5ms, false).is_disturbed);
    helper.sleeps();
  }
}

TEST_CASE("disturbance: a thread notices that another one has had its processor") {
  std::atomic<bool> ends = false;
  bool is_disturbed = false;
  std::thread watched([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(unsigned(sched_getcpu()), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return;
    std::thread other([&] {  // on the same processor
      while (!ends) {
      }
    });
    DisturbanceWatch watch;
    for (const auto begin = Clock::now(); !is_disturbed && Clock::now() - begin < 10s;) {
      const auto now = Clock::now();
      if (watch.is_due(now)) is_disturbed = watch.observe(now, usage_of_this_thread()).is_disturbed;
    }
    ends = true;
    other.join();
  });
  watched.join();
  CHECK(is_disturbed);
}

}  // namespace
}  // namespace webnn::runtime
