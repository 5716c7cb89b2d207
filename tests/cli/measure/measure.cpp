// The order and the number of measured runs, with subjects whose running times are made up.
#include "cli/measure/measure.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <memory>

namespace webnn::tests::measure_test {
namespace {

using namespace webnn::cli;

/// A subject that claims to take `nanoseconds(run number)` and writes its name down for each batch.
Subject made_up(const std::string& name, std::function<double(std::size_t)> nanoseconds, std::string& log) {
  auto count = std::make_shared<std::size_t>(0);
  return {name, [=, &log](std::size_t runs) {
            log += name;
            Batch batch;
            for (std::size_t i = 0; i < runs; ++i) batch.latencies.push_back(nanoseconds((*count)++));
            for (const double latency : batch.latencies) batch.wall += latency;
            batch.cpu = batch.wall;
            return batch;
          }};
}

TEST_CASE("measure: warm-up ends when three windows agree") {
  std::string log;
  const Subject subject = made_up(
      "a", [](std::size_t run) { return run < 50 ? 4e6 - double(run) * 6e4 : 1e6; }, log);
  const auto results = measure(std::span(&subject, 1), {.seconds = 0.1, .rounds = 5});
  REQUIRE(results.size() == 1);
  CHECK(results[0].steady);
  CHECK(results[0].warm_up_runs >= 50);
  CHECK(results[0].sorted_latencies().back() == 1e6);  // nothing of the warm-up is among what was measured
}

TEST_CASE("measure: what never becomes steady is measured all the same, and says so") {
  std::string log;
  const Subject subject = made_up(
      "a", [](std::size_t run) { return 1e6 * double(run + 1); }, log);
  const auto results = measure(std::span(&subject, 1), {.seconds = 0.01, .warm_up_seconds = 0.2});
  CHECK_FALSE(results[0].steady);
  CHECK(results[0].runs() >= 10);
}

TEST_CASE("measure: at least the asked time and runs, in rounds that take turns") {
  std::string log;
  const auto constant = [](double nanoseconds) { return [=](std::size_t) { return nanoseconds; }; };
  const std::vector<Subject> subjects{made_up("a", constant(1e6), log), made_up("b", constant(2e9), log)};
  const auto results = measure(subjects, {.seconds = 1, .runs = 4, .rounds = 8});
  CHECK(results[0].rounds.size() == 8);
  CHECK(results[0].runs() == 1000);
  CHECK(results[1].rounds.size() == 4);  // long runs: each is a round
  CHECK(results[1].runs() == 4);
  // After the warm-up: forwards, backwards, ...; b has only four rounds.
  CHECK(log.ends_with("abbaabbaaaaa"));
}

TEST_CASE("measure: the time is met when runs become faster than they were in the warm-up") {
  std::string log;
  const Subject subject = made_up(
      "a", [](std::size_t run) { return run < 30 ? 1e7 : 1e6; }, log);
  const auto results = measure(std::span(&subject, 1), {.seconds = 1, .rounds = 10});
  double wall = 0;
  for (const Round& round : results[0].rounds) wall += round.wall;
  CHECK(wall >= 1e9);
  CHECK(wall < 1.3e9);
}

TEST_CASE("measure: the share of work that is done only grows") {
  std::string log;
  const Subject subject = made_up(
      "a", [](std::size_t) { return 1e6; }, log);
  std::vector<double> shares;
  measure(std::span(&subject, 1), {.seconds = 0.1, .progress = [&](double done) { shares.push_back(done); }});
  CHECK(std::ranges::is_sorted(shares));
  CHECK(shares.back() == doctest::Approx(1));
}

}  // namespace
}  // namespace webnn::tests::measure_test
