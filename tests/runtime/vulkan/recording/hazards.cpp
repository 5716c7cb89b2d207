// Barriers of recorded programs, on random ones.
#include "runtime/vulkan/hazards.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <random>

namespace hazards_test {

using namespace webnn::runtime::vulkan;

namespace {

/// Dispatches that read and write ranges of a small memory, as the steps of a planned program do.
std::vector<Accesses> random_plan(std::mt19937& engine) {
  const auto below = [&](unsigned limit) { return engine() % limit; };
  std::vector<Accesses> plan(1 + below(20));
  for (Accesses& dispatch : plan)
    for (unsigned i = 0, count = 1 + below(4); i < count; ++i)
      dispatch.push_back({below(64), 1 + below(below(2) ? 8 : 24), below(3) == 0});
  return plan;
}

}  // namespace

TEST_CASE("vulkan hazards: planned barriers leave none, and without any one of them there is one") {
  std::mt19937 engine(7);
  std::size_t removed = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::vector<Accesses> plan = random_plan(engine);
    std::vector<bool> barriers = find_barriers(plan);
    REQUIRE(barriers.size() == plan.size());
    REQUIRE(find_hazards(plan, barriers).empty());
    for (std::size_t i = 0; i < barriers.size(); ++i) {
      if (!barriers[i]) continue;
      barriers[i] = false;
      REQUIRE_FALSE(find_hazards(plan, barriers).empty());
      barriers[i] = true;
      ++removed;
    }
  }
  CHECK(removed > 1000);
}

TEST_CASE("vulkan hazards: depths keep the order of conflicts, and are no greater than that needs") {
  std::mt19937 engine(17);
  std::size_t conflicts = 0, moved = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Accesses> plan = random_plan(engine);
    for (Accesses& dispatch : plan)
      for (Access& access : dispatch)
        if (access.writes && engine() % 2 == 0) access.part_of = 1 + engine() % 3;
    const std::vector<std::uint32_t> depths = find_depths(plan);
    REQUIRE(depths.size() == plan.size());
    for (std::size_t second = 0; second < plan.size(); ++second) {
      std::uint32_t least = 0;
      for (std::size_t first = 0; first < second; ++first) {
        const std::vector<Accesses> pair{plan[first], plan[second]};
        if (find_hazards(pair, {false, false}).empty()) continue;
        least = std::max(least, depths[first] + 1);
        ++conflicts;
      }
      REQUIRE(depths[second] == least);
      if (second > 0 && depths[second] < depths[second - 1]) ++moved;
    }
  }
  CHECK(conflicts > 10'000);
  CHECK(moved > 1000);
}

TEST_CASE("vulkan hazards: what is a conflict") {
  const Access write{0, 8, true}, read{4, 8, false}, apart{8, 8, true}, nothing{4, 0, true};
  const auto needs_barrier = [](const Access& first, const Access& second) {
    const std::vector<Accesses> plan{{first}, {second}};
    return find_barriers(plan) == std::vector<bool>{false, true};
  };
  CHECK(needs_barrier(write, read));  // reads what was written
  CHECK(needs_barrier(read, write));  // writes what is still read
  CHECK(needs_barrier(write, write));
  CHECK_FALSE(needs_barrier(read, read));
  CHECK_FALSE(needs_barrier(write, apart));  // neighbours
  CHECK_FALSE(needs_barrier(write, nothing));
}

TEST_CASE("vulkan hazards: independent dispatches between two barriers need none") {
  const std::vector<Accesses> plan{
      {{0, 8, true}},
      {{8, 8, true}},
      {{0, 8, false}, {16, 8, true}},    // waits for the first
      {{8, 8, false}, {24, 8, true}},    // the same barrier serves the second
      {{16, 16, false}, {0, 8, true}}};  // both before it, and the first one's memory again
  CHECK(find_barriers(plan) == std::vector<bool>{false, false, true, false, true});
}

}  // namespace hazards_test
