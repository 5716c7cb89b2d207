// Measuring running times: warm-up until they are steady, then rounds in which all subjects take turns.
//
// Runs that follow each other share the state of the machine, so the unit of every test and interval is a round, not a
// run. Every second round goes through the subjects backwards, so that none always follows the same other.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace webnn::cli {

/// Runs that were made at a stretch. Nanoseconds.
struct Batch {
  std::vector<double> latencies;  // of each run
  double wall = 0;                // of the whole batch; less than the sum of latencies when runs overlap
  double cpu = 0;                 // processor time of all threads
};

/// What is measured.
struct Subject {
  std::string name;
  std::function<Batch(std::size_t runs)> run;
  double items_per_run = 1;  // for the throughput: inputs of a batch
};

struct MeasureOptions {
  double seconds = 3;           // of measured runs, at least, for each subject
  std::size_t runs = 10;        // at least
  std::size_t rounds = 20;      // fewer when runs are so long that each is a round
  double warm_up_seconds = 5;   // at most
  double steady_within = 0.02;  // medians of three windows in a row differ by no more than this share
  std::function<void(double done)> progress = {};  // share of the work, 0 to 1
};

/// A round's runs in ascending order of latency.
struct Round {
  std::vector<double> latencies;
  double wall = 0, cpu = 0;
  double items = 0;  // that its runs took
};

struct Measurement {
  std::string name;
  std::vector<Round> rounds;
  bool steady = false;  // before the warm-up's time was over
  std::size_t warm_up_runs = 0;

  std::size_t runs() const;
  std::vector<double> sorted_latencies() const;
  /// A statistic of each round.
  std::vector<double> by_round(const std::function<double(const Round&)>& statistic) const;
};

/// One measurement for each subject, in order.
std::vector<Measurement> measure(std::span<const Subject> subjects, const MeasureOptions& options);

}  // namespace webnn::cli
