// Measures running times: warms up until they are steady, then runs rounds in which all subjects take turns.
//
// Consecutive runs share the state of the machine, so the unit of every test and interval is a round, not a run. Every
// second round goes through the subjects in reverse, so that none always follows the same other one.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace webnn::cli {

/// Consecutive runs; times in nanoseconds.
struct Batch {
  std::vector<double> latencies;  // of each run
  double wall = 0;                // of the whole batch; less than the sum of latencies when runs overlap
  double cpu = 0;                 // processor time of all threads
};

/// One thing to measure.
struct Subject {
  std::string name;
  std::function<Batch(std::size_t runs)> run;
  double items_per_run = 1;  // inputs of a batch, for the throughput
};

struct MeasureOptions {
  double seconds = 3;           // of measured runs for each subject, at least
  std::size_t runs = 10;        // at least
  std::size_t rounds = 20;      // fewer when each run is so long that it is a round
  double warm_up_seconds = 5;   // at most
  double steady_within = 0.02;  // maximum relative difference of the medians of three consecutive windows
  std::function<void(double done)> progress = {};  // share of the work, 0 to 1
};

/// The runs of one round, in ascending order of latency.
struct Round {
  std::vector<double> latencies;
  double wall = 0, cpu = 0;
  double items = 0;  // items of its runs
};

struct Measurement {
  std::string name;
  std::vector<Round> rounds;
  bool steady = false;  // before the end of the warm-up time
  std::size_t warm_up_runs = 0;

  std::size_t runs() const;
  std::vector<double> sorted_latencies() const;
  /// One statistic of each round.
  std::vector<double> by_round(const std::function<double(const Round&)>& statistic) const;
};

/// One measurement for each subject, in order.
std::vector<Measurement> measure(std::span<const Subject> subjects, const MeasureOptions& options);

}  // namespace webnn::cli
