// The memory planner alone: thousands of random lifetimes, against an independent checker.
#include "compiler/passes/parts/memory_planner.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <random>

#include "schema/program.hpp"

namespace webnn::tests::memory_planner_test {
namespace {

using namespace webnn::compiler;

/// Lifetimes as networks have them: most values die within a few steps, some are skip connections.
std::vector<MemoryItem> network_like(std::mt19937& random, std::size_t count) {
  const auto below = [&](std::uint32_t limit) { return std::uint32_t(random() % limit); };
  std::vector<MemoryItem> items;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = std::uint32_t(i);
    const std::uint32_t duration = below(8) == 0 ? 1 + below(40) : 1 + below(3);
    items.push_back({std::uint64_t{1 + below(1000)} << below(12), first, first + duration});
  }
  return items;
}

/// Lifetimes without any structure.
std::vector<MemoryItem> arbitrary(std::mt19937& random, std::size_t count, std::uint32_t steps) {
  std::vector<MemoryItem> items;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t a = random() % steps, b = random() % steps;
    items.push_back({random() % 100000, std::min(a, b), std::max(a, b)});
  }
  return items;
}

/// The definition, in O(n^2).
bool any_overlap(const std::vector<MemoryItem>& items, const std::vector<std::uint64_t>& offsets) {
  for (std::size_t i = 0; i < items.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (items[i].first_step <= items[j].last_step && items[j].first_step <= items[i].last_step &&
          offsets[i] < offsets[j] + items[j].bytes && offsets[j] < offsets[i] + items[i].bytes)
        return true;
  return false;
}

void check_plan(const std::vector<MemoryItem>& items, const MemoryPlan& plan) {
  REQUIRE(plan.offsets.size() == items.size());
  CHECK_FALSE(find_overlap(items, plan.offsets));
  CHECK(plan.arena_bytes >= plan.lower_bound);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (plan.offsets[i] % schema::arena_alignment != 0) FAIL_CHECK("offset ", plan.offsets[i], " is not aligned");
    if (plan.offsets[i] + items[i].bytes > plan.arena_bytes) FAIL_CHECK("item ", i, " ends outside the arena");
  }
}

}  // namespace

TEST_CASE("memory planner: nothing needs no arena") {
  const auto plan = place_items({});
  REQUIRE(plan);
  CHECK(plan->arena_bytes == 0);
  CHECK(plan->lower_bound == 0);
}

TEST_CASE("memory planner: a chain takes the two largest neighbours") {
  const std::vector<MemoryItem> items{{100, 0, 1}, {300, 1, 2}, {200, 2, 3}, {64, 3, 4}};
  const auto plan = place_items(items);
  REQUIRE(plan);
  check_plan(items, *plan);
  CHECK(plan->lower_bound == 320 + 256);
  CHECK(plan->arena_bytes == plan->lower_bound);
}

TEST_CASE("memory planner: items of no bytes take no room") {
  const std::vector<MemoryItem> items{{0, 0, 9}, {1, 0, 9}, {0, 0, 9}};
  const auto plan = place_items(items);
  REQUIRE(plan);
  check_plan(items, *plan);
  CHECK(plan->arena_bytes == 64);
}

TEST_CASE("memory planner: sizes that overflow are refused") {
  CHECK_FALSE(place_items(std::vector<MemoryItem>{{~std::uint64_t{0}, 0, 1}}));
  CHECK_FALSE(place_items(std::vector<MemoryItem>{{std::uint64_t{1} << 62, 0, 1}, {std::uint64_t{1} << 62, 5, 6}}));
  CHECK(place_items(std::vector<MemoryItem>{{std::uint64_t{1} << 62, 0, 1}, {1, 5, 6}}));
}

TEST_CASE("memory planner: find_overlap agrees with its definition") {
  std::mt19937 random(7);
  int overlapping = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto items = arbitrary(random, 1 + random() % 8, 10);
    std::vector<std::uint64_t> offsets;
    for (std::size_t i = 0; i < items.size(); ++i) offsets.push_back(random() % 500000);
    const bool expected = any_overlap(items, offsets);
    overlapping += expected;
    const auto found = find_overlap(items, offsets);
    if (found.has_value() != expected) FAIL_CHECK("round ", round, ": expected ", expected);
    if (found) {
      const std::vector<MemoryItem> pair{items[found->first], items[found->second]};
      CHECK(any_overlap(pair, {offsets[found->first], offsets[found->second]}));
    }
  }
  CHECK(overlapping > 200);
  CHECK(overlapping < 1800);
}

TEST_CASE("memory planner: random lifetimes never overlap and stay near the lower bound") {
  std::mt19937 random(1);
  const auto average_ratio = [&](int rounds, auto make) {
    double sum = 0;
    for (int round = 0; round < rounds; ++round) {
      const std::vector<MemoryItem> items = make();
      const auto plan = place_items(items);
      REQUIRE(plan);
      check_plan(items, *plan);
      sum += plan->lower_bound ? double(plan->arena_bytes) / double(plan->lower_bound) : 1;
    }
    return sum / rounds;
  };
  const double typical = average_ratio(2000, [&] { return network_like(random, 10 + random() % 150); });
  const double wild = average_ratio(1000, [&] { return arbitrary(random, 1 + random() % 100, 1 + random() % 60); });
  MESSAGE("arena / lower bound: ", typical, " for networks, ", wild, " for arbitrary lifetimes");
  CHECK(typical <= 1.1);
  CHECK(wild <= 1.2);
}

TEST_CASE("memory planner: ten thousand values that live together are placed") {
  std::mt19937 random(3);
  const auto items = arbitrary(random, 10000, 10000);
  const auto plan = place_items(items);
  REQUIRE(plan);
  check_plan(items, *plan);
}

TEST_CASE("memory planner: more values than the exact limit are placed in the order of time") {
  std::mt19937 random(4);
  const auto items = network_like(random, 200000);
  const auto plan = place_items(items);
  REQUIRE(plan);
  check_plan(items, *plan);
  CHECK(double(plan->arena_bytes) <= 2.0 * double(plan->lower_bound));
}

}  // namespace webnn::tests::memory_planner_test
