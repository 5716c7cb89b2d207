// The gate of `bench`: what it makes of measurements that are as they were, slower, or too noisy to tell.
#include "cli/measure/baseline.hpp"

#include <algorithm>
#include <chrono>
#include <doctest/doctest.h>
#include <random>

#include "schema/error.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::baseline_test {
namespace {

using namespace webnn::cli;
using Kind = BaselineVerdict::Kind;

/// Rounds of ten runs around `nanoseconds`; each round is off by up to `noise`.
Measurement measured(double nanoseconds, double noise, std::uint32_t seed, std::size_t rounds = 20) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> off(-noise, noise), small(0, 0.01);
  Measurement measurement{"model/threads:1", {}, true, 10};
  for (std::size_t i = 0; i < rounds; ++i) {
    const double of_round = nanoseconds * (1 + off(engine));
    Round round;
    for (int run = 0; run < 10; ++run) round.latencies.push_back(of_round * (1 + small(engine)));
    std::ranges::sort(round.latencies);
    for (const double latency : round.latencies) round.wall += latency;
    round.items = 10;
    measurement.rounds.push_back(std::move(round));
  }
  return measurement;
}

Baseline baseline_of(const Measurement& measurement) {
  Baseline baseline;
  for (const std::string metric : {"p50", "mean", "throughput"})
    baseline.rounds[measurement.name][metric] =
        measurement.by_round([&](const Round& round) { return metric_of(round, metric); });
  return baseline;
}

BaselineVerdict verdict_on(const Measurement& before, const Measurement& after, const std::string& rule) {
  const auto verdicts = judge(baseline_of(before), {after}, {{parse_fail_rule(rule)}, 0.05});
  REQUIRE(verdicts.size() == 1);
  return verdicts[0];
}

TEST_CASE("bench gate: 30 % slower fails, equal passes, and an improvement passes") {
  const Measurement before = measured(1e6, 0.02, 1);
  CHECK(verdict_on(before, measured(1.3e6, 0.02, 2), "p50>+5%").kind == Kind::regression);
  CHECK(verdict_on(before, measured(1.1e6, 0.02, 2), "p50>+5%").kind == Kind::regression);
  CHECK(verdict_on(before, measured(1e6, 0.02, 3), "p50>+5%").kind == Kind::passed);
  CHECK(verdict_on(before, measured(0.7e6, 0.02, 3), "p50>+5%").kind == Kind::passed);
  CHECK(verdict_on(before, measured(1.3e6, 0.02, 2), "throughput<-5%").kind == Kind::regression);
  CHECK(verdict_on(before, measured(0.7e6, 0.02, 2), "throughput<-5%").kind == Kind::passed);
  CHECK(verdict_on(before, measured(1.3e6, 0.02, 2), "mean>40%").kind == Kind::passed);
}

/// A subject that computes for real: `work` times a loop that the compiler cannot shorten.
Subject busy(const std::string& name, int work) {
  return {
      name, [work](std::size_t runs) {
        Batch batch;
        for (std::size_t i = 0; i < runs; ++i) {
          const auto start = std::chrono::steady_clock::now();
          volatile double value = 1;
          for (int k = 0; k < work * 1000; ++k) value = value * 1.0000001 + 1e-9;
          batch.latencies.push_back(double(std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count()));
          batch.wall += batch.latencies.back();
        }
        return batch;
      }};
}

TEST_CASE("bench gate: 30 % more work is never taken for the same work") {
  // Both take turns, so that what else happens on the machine happens to both.
  const std::vector<Subject> subjects{busy("work", 100), busy("work", 130)};
  const auto measured = measure(subjects, {.seconds = 0.15, .warm_up_seconds = 0.05});
  const auto verdicts = judge(baseline_of(measured[0]), {measured[1]}, {{parse_fail_rule("p50>+5%")}, 0.05});
  CAPTURE(verdicts[0].change);
  CHECK(verdicts[0].kind != Kind::passed);
}

TEST_CASE("bench gate: what noise hides is inconclusive, with the reason") {
  const Measurement before = measured(1e6, 0.4, 1);
  const BaselineVerdict hidden = verdict_on(before, measured(1.02e6, 0.4, 7), "p50>+5%");
  CHECK(hidden.kind == Kind::inconclusive);
  CHECK(!hidden.reason.empty());
  const BaselineVerdict few = verdict_on(measured(1e6, 0.01, 1, 2), measured(1.3e6, 0.01, 2, 2), "p50>+5%");
  CHECK(few.kind == Kind::inconclusive);
  CHECK(few.reason == "there are too few rounds to tell it from chance");
}

TEST_CASE("bench gate: a measurement or metric that the baseline lacks is inconclusive") {
  Measurement other = measured(1e6, 0.01, 1);
  const Baseline baseline = baseline_of(other);
  other.name = "model/threads:2";
  CHECK(judge(baseline, {other}, {{parse_fail_rule("p50>5%")}, 0.05})[0].kind == Kind::inconclusive);
  CHECK(verdict_on(measured(1e6, 0.01, 1), measured(1e6, 0.01, 1), "p99>5%").reason ==
        "the baseline does not say 'p99' of 'model/threads:1'");
}

TEST_CASE("bench gate: a rule that is none is a usage error with a proposal") {
  CHECK(parse_fail_rule("p99.9>+20%").limit == doctest::Approx(0.2));
  CHECK_FALSE(parse_fail_rule("throughput<-5%").above);
  for (const char* wrong : {"", "p50", "p50>", "p50>5", "p50>x%", "p101>5%", ">5%", "p50>nan%"})
    CHECK_THROWS_AS(parse_fail_rule(wrong), schema::Error);
  CHECK_THROWS_WITH(parse_fail_rule("maen>5%"), "--fail-on 'maen>5%' has no known metric, did you mean 'mean'?");
}

TEST_CASE("bench gate: baselines are reports in Google Benchmark's schema, in any unit") {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "report.json";
  write_file(file, R"({"context": {}, "benchmarks": [
    {"name": "m", "run_name": "m", "run_type": "iteration", "real_time": 2.5, "time_unit": "ms", "p50": 2400000},
    {"name": "m", "run_name": "m", "run_type": "iteration", "real_time": 3.5, "time_unit": "ms", "p50": 3400000},
    {"name": "m_mean", "run_name": "m", "run_type": "aggregate", "real_time": 3, "time_unit": "ms"}]})");
  const Baseline baseline = read_baseline(file);
  CHECK(baseline.rounds.at("m").at("mean") == std::vector<double>{2.5e6, 3.5e6});
  CHECK(baseline.rounds.at("m").at("p50") == std::vector<double>{2.4e6, 3.4e6});
  for (const char* wrong : {"", "[]", "{}", R"({"benchmarks": []})", R"({"benchmarks": [{"run_name": 3}]})"}) {
    write_file(file, wrong);
    CHECK_THROWS_AS(read_baseline(file), schema::Error);
  }
}

}  // namespace
}  // namespace webnn::tests::baseline_test
