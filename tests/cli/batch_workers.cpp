// The workers of a batch: each input is done once, what is told of it reaches the listener, and an error ends all.
#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>
#include <stdexcept>
#include <thread>

#include "cli/batch/workers.hpp"

namespace webnn::tests::batch_workers_test {
namespace {

using cli::BatchListener;
using cli::BatchTally;
using cli::InputOutcome;
using cli::RefusedInput;
using cli::Worker;

/// Of three inputs the first is computed, the second was there, the third is refused.
InputOutcome outcome_of(std::size_t index) {
  switch (index % 3) {
    case 0:
      return {};
    case 1:
      return {InputOutcome::Kind::was_there};
    default:
      return {InputOutcome::Kind::refused, "bad " + std::to_string(index), "a hint"};
  }
}

TEST_CASE("cli batch workers: each input is done once, by as many workers as are asked for") {
  for (const unsigned count : {1u, 2u, 7u}) {
    constexpr std::size_t inputs = 300;
    std::vector<std::atomic<int>> done(inputs);
    std::atomic<unsigned> workers = 0;
    std::vector<std::size_t> told;
    std::size_t last = 0;
    const auto here = std::this_thread::get_id();
    const BatchTally tally = cli::run_workers(inputs, count,
                                              [&]() -> Worker {
                                                ++workers;
                                                return [&](std::size_t index) {
                                                  ++done[index];
                                                  return outcome_of(index);
                                                };
                                              },
                                              {[&](const RefusedInput& one) {
                                                 CHECK(std::this_thread::get_id() == here);
                                                 told.push_back(one.index);
                                               },
                                               [&](std::size_t finished) {
                                                 CHECK(finished >= last);
                                                 last = finished;
                                               }});
    CHECK(workers == count);
    CHECK(std::ranges::all_of(done, [](const std::atomic<int>& times) { return times == 1; }));
    CHECK(tally.computed == 100);
    CHECK(tally.were_there == 100);
    REQUIRE(tally.refused.size() == 100);
    CHECK(last == inputs);
    for (std::size_t i = 0; i < 100; ++i) CHECK(tally.refused[i].index == 3 * i + 2);
    CHECK(tally.refused[1].message == "bad 5");
    CHECK(tally.refused[1].hint == "a hint");
    std::ranges::sort(told);
    CHECK(std::ranges::equal(told, tally.refused, {}, {}, &RefusedInput::index));
  }
}

TEST_CASE("cli batch workers: an error of one ends all, and is thrown") {
  const BatchListener deaf{[](const RefusedInput&) {}, [](std::size_t) {}};
  std::atomic<std::size_t> done = 0;
  const auto with_error_at = [&](std::size_t wrong) -> Worker {
    return [&, wrong](std::size_t index) -> InputOutcome {
      if (index == wrong) throw std::runtime_error("the disk is full");
      ++done;
      return {};
    };
  };
  constexpr std::size_t many = std::size_t{1} << 40;  // would never end
  CHECK_THROWS_WITH(cli::run_workers(
                        many, 3, [&] { return with_error_at(1000); }, deaf),
                    "the disk is full");
  CHECK(done >= 1);
  const auto cannot_start = []() -> Worker { throw std::runtime_error("no memory for a worker"); };
  CHECK_THROWS_WITH(cli::run_workers(5, 2, cannot_start, deaf), "no memory for a worker");
  CHECK(cli::run_workers(
            0, 2, [&] { return with_error_at(0); }, deaf)
            .finished() == 0);
}

}  // namespace
}  // namespace webnn::tests::batch_workers_test
