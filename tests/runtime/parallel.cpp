// parallel_for: every index once, nothing nested, exceptions back at the caller; the threads of the process behind it.
#include "runtime/threads/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <doctest/doctest.h>
#include <functional>
#include <mutex>
#include <sched.h>
#include <set>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <vector>

#include "runtime/threads/thread_pool.hpp"
#include "tests/harness/machine/child.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/skip.hpp"

namespace parallel_test {

using namespace webnn::runtime;
using webnn::tests::in_child;
using webnn::tests::no_threads_in_children;

namespace {

/// Whether an attempt succeeds within 20 s. Helpers whose processors other work wants keep away for a tenth of a second,
/// so one that lasts for `deadline` is made again.
bool succeeds_once(const std::function<bool(std::chrono::steady_clock::time_point deadline)>& attempt) {
  const auto begin = std::chrono::steady_clock::now();
  while (!attempt(std::chrono::steady_clock::now() + std::chrono::milliseconds(200)))
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(20)) return false;
  return true;
}

}  // namespace

TEST_CASE("parallel_for: visits every index exactly once, whatever count, grain and team") {
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    const Team team(threads);
    for (std::size_t count : {0, 1, 2, 7, 8, 9, 100, 1001})
      for (std::size_t grain : {0, 1, 3, 100, 5000}) {
        std::vector<std::atomic<int>> visits(count);
        parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) ++visits[i];
        });
        bool once = true;
        for (const std::atomic<int>& visit : visits) once = once && visit == 1;
        CHECK_MESSAGE(once, threads << " threads, count " << count << ", grain " << grain);
      }
  }
}

TEST_CASE("parallel_for: as many threads as the team has come to a loop that is long enough, and none twice") {
  const Team team(4);
  CHECK(succeeds_once([](std::chrono::steady_clock::time_point deadline) {
    std::mutex mutex;
    std::set<std::thread::id> ids;
    std::atomic<unsigned> at_once = 0, most = 0;
    parallel_for(1000, 10, [&](std::size_t begin, std::size_t end) {
      CHECK(end - begin >= 10);
      const unsigned now = ++at_once;
      {
        const std::lock_guard lock(mutex);
        ids.insert(std::this_thread::get_id());
        most = std::max(most.load(), now);
      }
      while (most < 4 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
      --at_once;
    });
    CHECK(most <= 4);
    CHECK(ids.size() >= most);
    return ids.size() == 4 && most == 4;
  }));
}

TEST_CASE("parallel_for: the caller does not wait for threads that do not come") {
  const Team team(2);
  parallel_for(1000, 1, [](std::size_t, std::size_t) {});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto is_late = [&] { return std::chrono::steady_clock::now() > deadline; };
  std::atomic<unsigned> held = 0;
  std::atomic<bool> release = false, was_released = true;
  // Another loop holds its caller and all helpers that come to it, which may be few while the machine is busy.
  std::thread other([&] {
    const unsigned threads = helper_count() + 1;
    const Team its_team(threads);
    parallel_pieces(threads, threads, [&](std::size_t, std::size_t, unsigned) {
      ++held;
      while (!release && !is_late()) std::this_thread::yield();
      if (!release) was_released = false;
    });
  });
  while (held < 2 && !is_late()) std::this_thread::yield();
  CHECK(held >= 2);
  std::atomic<std::size_t> sum = 0;
  parallel_for(1000, 1, [&](std::size_t begin, std::size_t end) { sum += end - begin; });
  release = true;
  other.join();
  CHECK(sum == 1000);
  CHECK(was_released);
}

TEST_CASE("parallel_places: no two threads have the same place at the same time, and all are below the limit") {
  const Team team(4);
  for (const unsigned places : {1u, 2u, 3u, 4u, 9u})
    for (int round = 0; round < 500; ++round) {
      std::vector<std::atomic<int>> inside(std::min(places, 4u));
      std::atomic<bool> alone = true;
      std::atomic<std::size_t> count = 0;
      parallel_places(places, 97, 1, [&](std::size_t begin, std::size_t end, unsigned place) {
        if (place >= inside.size() || inside[place].exchange(1) != 0) alone = false;
        count += end - begin;
        if (place < inside.size()) inside[place] = 0;
      });
      REQUIRE(alone);
      REQUIRE(count == 97);
    }
}

TEST_CASE("parallel_steps: a step sees what the ones before wrote, whoever comes late") {
  for (const unsigned threads : {1u, 2u, 3u, 4u}) {
    const Team team(threads);
    for (const std::size_t count : {1, 2, 5, 64})
      for (const std::size_t steps : {0, 1, 2, 7, 300}) {
        // Each element becomes one more than its right neighbour was: after n steps all are n.
        std::vector<std::size_t> now(count), next(count);
        std::atomic<std::size_t> wrong = 0;
        parallel_steps(steps, count, 1, [&](std::size_t step, std::size_t begin, std::size_t end) {
          auto& from = step % 2 == 0 ? now : next;
          auto& to = step % 2 == 0 ? next : now;
          for (std::size_t i = begin; i < end; ++i) {
            wrong += from[(i + 1) % count] != step;
            to[i] = from[(i + 1) % count] + 1;
          }
          if (step % 97 == 3 && begin == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          if (step % 89 == 5 && end == count) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
        CAPTURE(threads);
        CAPTURE(count);
        CAPTURE(steps);
        CHECK(wrong == 0);
        CHECK((steps % 2 == 0 ? now : next) == std::vector<std::size_t>(count, steps));
      }
  }
}

TEST_CASE("parallel_steps: threads with loops of their own at the same time") {
  std::vector<std::thread> users;
  std::atomic<std::size_t> wrong = 0;
  for (unsigned user = 0; user < 4; ++user)
    users.emplace_back([&, user] {
      const Team team(2 + user % 2);
      for (std::size_t round = 0; round < 200; ++round) {
        std::vector<std::size_t> sums(40);
        parallel_steps(20, sums.size(), 1, [&](std::size_t step, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) sums[i] += sums[i] == step * (step - 1) / 2 ? step : 1000;
        });
        for (const std::size_t sum : sums) wrong += sum != 20 * 19 / 2;
      }
    });
  for (std::thread& user : users) user.join();
  CHECK(wrong == 0);
}

TEST_CASE("parallel_steps: an exception ends the loop and reaches the caller") {
  const Team team(3);
  std::atomic<std::size_t> last = 0;
  const auto loop = [&] {
    parallel_steps(1000, 30, 1, [&](std::size_t step, std::size_t begin, std::size_t) {
      last = std::max(last.load(), step);
      if (step == 5 && begin == 0) throw std::runtime_error("broken");
    });
  };
  CHECK_THROWS_WITH(loop(), "broken");
  CHECK(last <= 5);
}

TEST_CASE("parallel_for: loops of many threads at the same time share the helpers") {
  std::vector<std::thread> users;
  std::atomic<int> wrong = 0;
  for (unsigned user = 0; user < 6; ++user)
    users.emplace_back([&, user] {
      const Team team(1 + user % 3);
      std::vector<std::size_t> values(300);
      for (std::size_t round = 0; round < 2000; ++round) {
        parallel_for(values.size() - round % 7, 1 + round % 3, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) values[i] = round + i;
        });
        for (std::size_t i = 0; i < values.size() - round % 7; ++i) wrong += values[i] != round + i;
      }
    });
  for (std::thread& user : users) user.join();
  CHECK(wrong == 0);
}

namespace {

/// Whether a helper comes to a loop of the calling thread; `look` runs in it.
bool helper_comes(const std::function<void()>& look = [] {}) {
  const Team team(2);
  const std::thread::id caller = std::this_thread::get_id();
  return succeeds_once([&](std::chrono::steady_clock::time_point deadline) {
    std::atomic<bool> came = false;
    parallel_pieces(2, 2, [&](std::size_t, std::size_t, unsigned) {
      if (std::this_thread::get_id() != caller) {
        look();
        came = true;
      }
      while (!came && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    });
    return came.load();
  });
}

}  // namespace

TEST_CASE("parallel_for: a child of fork has helpers of its own") {
  if (webnn::tests::under_thread_sanitizer) return webnn::tests::skip(no_threads_in_children);
  CHECK(helper_comes());
  CHECK(in_child([] { return helper_count() == 0 && helper_comes() && helper_count() == 1; }));
  CHECK(helper_comes());
}

TEST_CASE("parallel_for: no thread is started before a loop wants one") {
  if (webnn::tests::under_thread_sanitizer) return webnn::tests::skip(no_threads_in_children);
  const auto no_helper_after = [](unsigned threads, std::size_t count, std::size_t grain) {
    const Team team(threads);
    parallel_for(count, grain, [](std::size_t, std::size_t) {});
    return helper_count() == 0;
  };
  CHECK(in_child([&] {  // where no loop has run yet
    return no_helper_after(1, 1000, 1) && no_helper_after(4, 10, 10) && no_helper_after(4, 0, 1) &&
           no_helper_after(4, 50, 10) && !no_helper_after(2, 1000, 1);
  }));
}

TEST_CASE(
    "parallel_for: helpers have nothing of the thread that starts them, neither its processor nor its roundings") {
  if (webnn::tests::under_thread_sanitizer) return webnn::tests::skip(no_threads_in_children);
  cpu_set_t all, one;
  REQUIRE(sched_getaffinity(getpid(), sizeof all, &all) == 0);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
    if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
  CHECK(in_child([&] {
    std::atomic<bool> free = false;
    std::thread([&] {
      sched_setaffinity(0, sizeof one, &one);
      std::fesetround(FE_UPWARD);
      helper_comes([&] {
        cpu_set_t here;
        free = sched_getaffinity(0, sizeof here, &here) == 0 && CPU_EQUAL(&here, &all) &&
               std::fegetround() == FE_TONEAREST;
      });
    }).join();
    return free.load();
  }));
}

TEST_CASE("parallel_for: runs in the calling thread without a team and for small loops") {
  const auto in_caller = [](std::size_t count, std::size_t grain) {
    int calls = 0;
    parallel_for(count, grain, [&, caller = std::this_thread::get_id()](std::size_t begin, std::size_t end) {
      CHECK(std::this_thread::get_id() == caller);
      CHECK(begin == 0);
      CHECK(end == count);
      ++calls;
    });
    return calls == 1;
  };
  CHECK(in_caller(1000, 1));
  const Team team(4);
  CHECK(in_caller(10, 10));
}

TEST_CASE("parallel_for: a loop inside a loop is serial") {
  const Team team(3);
  std::atomic<int> inner_calls = 0;
  std::atomic<bool> whole = true;
  parallel_for(3, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      parallel_for(90, 1, [&](std::size_t from, std::size_t to) {
        ++inner_calls;
        if (from != 0 || to != 90 || team_size() != 1) whole = false;
      });
  });
  CHECK(inner_calls == 3);
  CHECK(whole);
  CHECK(team_size() == 3);
}

TEST_CASE("parallel_for: a team belongs to its thread and restores the former one") {
  CHECK(team_size() == 1);
  {
    const Team outer(5);
    {
      const Team inner(2);
      CHECK(team_size() == 2);
    }
    CHECK(team_size() == 5);
    unsigned elsewhere = 0;
    std::thread([&] { elsewhere = team_size(); }).join();
    CHECK(elsewhere == 1);
  }
  CHECK(team_size() == 1);
}

TEST_CASE("parallel_for: an exception reaches the caller after every part has ended") {
  const Team team(4);
  std::atomic<std::size_t> done = 0;
  CHECK_THROWS_WITH_AS(parallel_for(400, 1,
                                    [&](std::size_t begin, std::size_t end) {
                                      done += end - begin;
                                      if (begin <= 2 && 2 < end) throw std::runtime_error("part 2");
                                    }),
                       "part 2", std::runtime_error);
  CHECK(done == 400);
  CHECK(team_size() == 4);
}

}  // namespace parallel_test
