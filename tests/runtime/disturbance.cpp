// When a helper leaves its processor to other work, and for how long.
#include "runtime/threads/disturbance.hpp"

#include <atomic>
#include <doctest/doctest.h>
#include <sched.h>
#include <thread>
#include <vector>

#include "runtime/threads/parallel.hpp"
#include "runtime/threads/thread_pool.hpp"
#include "tests/harness/machine/child.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::runtime::disturbance_test {
namespace {

using namespace std::chrono_literals;

/// A helper that asks after each of its loops and is told what the system would say.
class Helper {
 public:
  /// A loop, during which other work on the machine or its host takes `lost`. For how long the helper keeps away then.
  Clock::duration works(Clock::duration loop, Clock::duration lost = 0ms, bool is_switched = true) {
    now_ += loop;
    usage_.processor_time += loop - lost;
    if (lost > 0ms && is_switched) ++usage_.switches;
    const Clock::duration absence = watch_.observe(now_, usage_);
    now_ += absence;
    watch_.slept(absence);
    return absence;
  }
  /// A wait for the next loop, during which others take all but `patience`; loops do without this helper for `missed`.
  Clock::duration waits(Clock::duration time, Clock::duration missed) {
    constexpr auto patience = 300us;
    now_ += time;
    usage_.processor_time += patience;
    ++usage_.switches;
    watch_.waited(time, patience, missed);
    return watch_.observe(now_, usage_);
  }
  void sleeps(Clock::duration time) {
    now_ += time;
    watch_.slept(time);
  }
  bool is_calm() const { return watch_.is_calm(now_); }

 private:
  Clock::time_point now_ = Clock::now();
  ThreadUsage usage_;
  DisturbanceWatch watch_{now_, usage_};
};

/// Beside a busy process, which gets every other time slice: how many loops a helper takes part in before it keeps away.
int slices_until_away(Helper& helper) {
  int loops = 1;
  while (loops < 100 && helper.works(6ms, 3ms) == 0ms) ++loops;
  return loops;
}

TEST_CASE("disturbance: a helper that loses half of its recent time keeps away, one that loses a fifth does not") {
  Helper helper;
  CHECK(helper.works(10ms) == 0ms);
  CHECK(helper.is_calm());
  for (int i = 0; i < 20; ++i) {
    CHECK(helper.works(10ms, 4ms) == 0ms);
    CHECK_FALSE(helper.is_calm());
    CHECK(helper.works(10ms) == 0ms);
    CHECK(helper.is_calm());
  }
  CHECK(slices_until_away(helper) <= 6);
}

TEST_CASE("disturbance: loops may be long, and the sleep between them counts for nothing") {
  Helper helper;
  CHECK(helper.works(300ms, 50ms) == 0ms);
  CHECK(helper.works(300ms, 150ms) == 10ms);
  Helper other, another;
  const int slices = slices_until_away(other);
  for (int i = 1; i < slices; ++i) {
    CHECK(another.works(6ms, 3ms) == 0ms);
    another.sleeps(1s);
  }
  CHECK(another.works(6ms, 3ms) == 10ms);
}

TEST_CASE("disturbance: a helper that is disturbed again when it is back keeps away twice as long, up to a limit") {
  Helper helper;
  slices_until_away(helper);
  for (const auto absence : {20ms, 40ms, 80ms, 160ms, 200ms, 200ms}) CHECK(helper.works(6ms, 3ms) == absence);
  // Left alone for a while, it begins anew.
  for (int i = 0; i < 8; ++i) CHECK(helper.works(10ms) == 0ms);
  CHECK(helper.works(6ms, 3ms) == 0ms);
  CHECK(slices_until_away(helper) > 3);
}

TEST_CASE("disturbance: neither short work of others, nor the host's, nor sleep") {
  Helper helper;
  for (int i = 0; i < 5; ++i) {
    CHECK(helper.works(10ms, 900us) == 0ms);
    CHECK(helper.works(10ms, 5ms, false) == 0ms);
    helper.sleeps(1s);
    CHECK(helper.is_calm());
  }
}

TEST_CASE("disturbance: what others take between loops is theirs, until a loop lacks the helper") {
  Helper helper;
  for (int i = 0; i < 5; ++i) {
    CHECK(helper.waits(3ms, 0ms) == 0ms);
    CHECK(helper.waits(3ms, 900us) == 0ms);
    CHECK(helper.is_calm());
  }
  CHECK(helper.waits(3ms, 2ms) == 0ms);
  CHECK_FALSE(helper.is_calm());
  Clock::duration absence{};
  for (int i = 0; i < 10 && absence == 0ms; ++i) absence = helper.waits(3ms, 10ms);
  CHECK(absence == 10ms);
}

/// Keeps processors busy while it lives: of the calling thread, or all, with `threads` threads.
class OtherWork {
 public:
  explicit OtherWork(unsigned threads) {
    for (unsigned i = 0; i < threads; ++i)
      threads_.emplace_back([this] {
        while (!ends_) {
        }
      });
  }
  ~OtherWork() {
    ends_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> ends_ = false;
  std::vector<std::thread> threads_;
};

TEST_CASE("disturbance: a thread notices that another one has had its processor") {
  bool is_bound = false, is_noticed = false;
  std::thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(unsigned(sched_getcpu()), &one);
    is_bound = sched_setaffinity(0, sizeof one, &one) == 0;
    if (!is_bound) return;
    const OtherWork other(1);  // on the same processor
    DisturbanceWatch watch;
    for (const auto begin = Clock::now(); !is_noticed && Clock::now() - begin < 10s;) {
      const auto now = Clock::now();
      if (!watch.is_due(now)) continue;
      watch.observe(now, usage_of_this_thread());
      is_noticed = !watch.is_calm(now);
    }
  }).join();
  if (!is_bound) return tests::skip("threads cannot be bound to a processor here");
  CHECK(is_noticed);
}

TEST_CASE("disturbance: helpers keep away while others want their processors, and come back") {
  const Team team(2);
  const auto until = [](auto is_so) {
    const auto loop = [] {
      parallel_pieces(2, 1000, [](std::size_t, std::size_t, unsigned) {
        for (const auto begin = Clock::now(); Clock::now() - begin < 200us;) {
        }
      });
    };
    for (const auto begin = Clock::now(); Clock::now() - begin < 20s;) {
      if (is_so()) return true;
      loop();
    }
    return false;
  };
  const unsigned processors = std::thread::hardware_concurrency();
  {
    const OtherWork others(2 * processors);
    CHECK(until([] { return away_count() > 0; }));
    if (tests::under_thread_sanitizer)
      tests::skip_part("a child of fork", tests::no_threads_in_children);
    else
      CHECK(tests::in_child([&] { return until([] { return away_count() == 0 && helper_count() == 1; }); }));
  }
  CHECK(until([] { return away_count() == 0; }));
}

}  // namespace
}  // namespace webnn::runtime::disturbance_test
