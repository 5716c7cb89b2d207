#include "cli/measure/measure.hpp"

#include <algorithm>
#include <cmath>

#include "cli/measure/statistics.hpp"

namespace webnn::cli {
namespace {

constexpr double second = 1e9;
constexpr double window_nanoseconds = 1e7;  // a warm-up window has as many runs as fit, at least three

struct WarmUp {
  bool steady = false;
  std::size_t runs = 0;
  double latency = 0;  // median of the last window
  double wall = 0;     // of one run of the last window
};

/// Warms up until three consecutive windows have similar medians, so that neither caches nor clock rates change any
/// more.
WarmUp warm_up(const Subject& subject, const MeasureOptions& options) {
  WarmUp result;
  std::vector<double> medians;
  double spent = 0;
  std::size_t window = 3;
  do {
    const Batch batch = subject.run(window);
    spent += batch.wall;
    result.runs += batch.latencies.size();
    result.latency = median_of(batch.latencies);
    result.wall = batch.wall / double(window);
    medians.push_back(result.latency);
    window = std::clamp<std::size_t>(std::size_t(window_nanoseconds / std::max(1.0, result.wall)), 3, 100000);
    if (medians.size() < 3) continue;
    const auto [low, high] = std::ranges::minmax(std::span(medians).last(3));
    if (high <= low * (1 + options.steady_within)) {
      result.steady = true;
      break;
    }
  } while (spent < options.warm_up_seconds * second);
  return result;
}

/// Distributes the runs of one subject over its rounds.
class Schedule {
 public:
  Schedule(double run_nanoseconds, const MeasureOptions& options)
      : nanoseconds_left_(options.seconds * second), runs_left_(options.runs), run_nanoseconds_(run_nanoseconds) {
    rounds_left_ = std::clamp<std::size_t>(wanted_runs(), 1, std::max<std::size_t>(options.rounds, 1));
  }

  std::size_t rounds_left() const { return rounds_left_; }
  /// The estimated duration of a run follows the latest measurements, so that the total time is met even if it changes.
  std::size_t next_runs() const { return (wanted_runs() + rounds_left_ - 1) / std::max<std::size_t>(rounds_left_, 1); }
  void add(const Batch& batch) {
    const auto runs = double(batch.latencies.size());
    run_nanoseconds_ = batch.wall / std::max(1.0, runs);
    nanoseconds_left_ -= batch.wall;
    runs_left_ -= std::min(runs_left_, batch.latencies.size());
    --rounds_left_;
    if (rounds_left_ == 0 && wanted_runs() > 0) rounds_left_ = 1;  // faster than expected: one more round
  }

 private:
  std::size_t wanted_runs() const {
    const double by_time = std::ceil(std::max(0.0, nanoseconds_left_) / std::max(1.0, run_nanoseconds_));
    return std::max(runs_left_, std::size_t(by_time));
  }

  double nanoseconds_left_;
  std::size_t runs_left_, rounds_left_ = 1;
  double run_nanoseconds_;
};

}  // namespace

std::size_t Measurement::runs() const {
  std::size_t count = 0;
  for (const Round& round : rounds) count += round.latencies.size();
  return count;
}

std::vector<double> Measurement::sorted_latencies() const {
  std::vector<double> all;
  all.reserve(runs());
  for (const Round& round : rounds) all.insert(all.end(), round.latencies.begin(), round.latencies.end());
  std::ranges::sort(all);
  return all;
}

std::vector<double> Measurement::by_round(const std::function<double(const Round&)>& statistic) const {
  std::vector<double> values;
  for (const Round& round : rounds) values.push_back(statistic(round));
  return values;
}

std::vector<Measurement> measure(std::span<const Subject> subjects, const MeasureOptions& options) {
  std::vector<Measurement> results;
  std::vector<Schedule> schedules;
  double told = 0;
  const auto tell = [&](double done) {
    told = std::max(told, done);
    if (options.progress) options.progress(told);
  };
  constexpr double warm_up_share = 0.2;
  std::size_t done_rounds = 0, rounds_left = 0;
  for (const Subject& subject : subjects) {
    tell(warm_up_share * double(results.size()) / double(subjects.size()));
    const WarmUp warm = warm_up(subject, options);
    results.push_back({subject.name, {}, warm.steady, warm.runs});
    schedules.emplace_back(warm.wall, options);
    rounds_left += schedules.back().rounds_left();
  }
  for (std::size_t round = 0; rounds_left != 0; ++round)
    for (std::size_t turn = 0; turn < subjects.size(); ++turn) {
      const std::size_t i = round % 2 == 0 ? turn : subjects.size() - 1 - turn;
      if (schedules[i].rounds_left() == 0) continue;
      Batch batch = subjects[i].run(std::max<std::size_t>(schedules[i].next_runs(), 1));
      rounds_left -= schedules[i].rounds_left();
      schedules[i].add(batch);
      rounds_left += schedules[i].rounds_left();
      std::ranges::sort(batch.latencies);
      const double items = double(batch.latencies.size()) * subjects[i].items_per_run;
      results[i].rounds.push_back({std::move(batch.latencies), batch.wall, batch.cpu, items});
      ++done_rounds;
      tell(warm_up_share + (1 - warm_up_share) * double(done_rounds) / double(done_rounds + rounds_left));
    }
  return results;
}

}  // namespace webnn::cli
