// parallel_for: every index once, nothing nested, exceptions back at the caller.
#include "runtime/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/parallel_team.hpp"

using namespace webnn::runtime;

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

TEST_CASE("parallel_for: uses the threads of the team, and no part smaller than the grain") {
  const Team team(4);
  std::mutex mutex;
  std::set<std::thread::id> ids;
  std::vector<std::size_t> sizes;
  parallel_for(1000, 100, [&](std::size_t begin, std::size_t end) {
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
    sizes.push_back(end - begin);
  });
  CHECK(ids.size() == 4);
  CHECK(sizes == std::vector<std::size_t>{250, 250, 250, 250});

  sizes.clear();
  parallel_for(250, 100, [&](std::size_t begin, std::size_t end) {
    const std::lock_guard lock(mutex);
    sizes.push_back(end - begin);
  });
  CHECK(sizes == std::vector<std::size_t>{125, 125});
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
  std::atomic<int> ended = 0;
  CHECK_THROWS_WITH_AS(parallel_for(4, 1,
                                    [&](std::size_t begin, std::size_t) {
                                      ++ended;
                                      if (begin == 2) throw std::runtime_error("part 2");
                                    }),
                       "part 2", std::runtime_error);
  CHECK(ended == 4);
  CHECK(team_size() == 4);
}

TEST_CASE("parallel_team: members run at the same time and see what all have written before they waited") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    const Team team(threads);
    constexpr std::size_t steps = 200, places = 37;
    std::vector<std::size_t> values(places, 0), next(places, 0);
    std::atomic<unsigned> members = 0;
    parallel_team(3, [&](const TeamMember& member) {
      ++members;
      for (std::size_t step = 0; step < steps; ++step) {
        std::vector<std::size_t>&from = step % 2 ? next : values, &to = step % 2 ? values : next;
        for (std::size_t i = member.begin(places); i < member.end(places); ++i)
          to[i] = std::max(from[i], from[(i + 1) % places]) + 1;  // a part of somebody else's
        member.wait();
      }
    });
    CHECK(members == std::min(threads, 3u));
    CHECK(values == std::vector<std::size_t>(places, steps));
  }
}

TEST_CASE("parallel_team: loops of a member are serial, and a team within a loop is its caller alone") {
  const Team team(3);
  std::atomic<int> calls = 0, alone = 0;
  parallel_team(3, [&](const TeamMember& member) {
    parallel_for(100, 1, [&](std::size_t begin, std::size_t end) { calls += begin == 0 && end == 100; });
    parallel_team(3, [&](const TeamMember& inner) {
      alone += inner.index() == 0 && inner.end(10) == 10;
      inner.wait();
    });
    member.wait();
  });
  CHECK(calls == 3);
  CHECK(alone == 3);
}
