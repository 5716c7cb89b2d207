// A program's running time, step by step: what each step is, where it comes from, and the limit of the machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "api/runner/session.hpp"
#include "cli/inspect/arena_plan.hpp"
#include "cli/profile/limits.hpp"
#include "cli/programs/loaded_model.hpp"
#include "schema/kernels/cost.hpp"

namespace webnn::cli {

/// An operator of the graph file.
struct SourceOperator {
  std::string label, op;
};

struct StepProfile {
  std::string label, op, kernel, layout;
  std::vector<std::string> post_ops;
  std::vector<SourceOperator> sources;  // computed by the step; for a program file only the one of its label
  bool is_reorder = false;              // it only changes the layout of a tensor
  double nanoseconds = 0;               // mean over the runs that count
  double share = 0, cumulative = 0;     // of the steps' sum; cumulative in descending order of time
  schema::Cost cost;
  double limit_nanoseconds = 0;  // lower bound from the machine's limits, for the kernel's algorithm
  bool memory_bound = false;     // the limit is memory bandwidth
};

struct Phase {
  std::string name;
  double milliseconds = 0;
  bool is_pass = false;  // part of the phase "compile"
};

/// One run, for traces: nanoseconds since the beginning of the first run.
struct TracedRun {
  double begin = 0, end = 0;
  std::vector<runtime::StepTime> steps;
};

struct Profile {
  std::string model, device;
  std::vector<std::string> random_inputs;  // inputs without data from the user
  unsigned threads = 1;
  std::vector<StepProfile> steps;                   // in execution order
  std::vector<std::size_t> by_time;                 // indices of steps, slowest first
  std::vector<std::vector<std::size_t>> followers;  // by step: the steps that read its results
  std::vector<ArenaUse> arena;
  std::uint64_t arena_bytes = 0;
  std::vector<Phase> phases;
  Limits limits;
  std::size_t runs = 0;
  double run_nanoseconds = 0;     // of a run with profiling, from request to completion
  double plain_nanoseconds = 0;   // of a run without profiling
  double steps_nanoseconds = 0;   // sum over the steps
  double limit_nanoseconds = 0;   // sum of the steps' limits
  std::vector<TracedRun> traced;  // a few of the runs

  /// The cost of profiling, as a share of a plain run.
  double overhead() const { return run_nanoseconds / plain_nanoseconds - 1; }
  /// The share of the machine's limits at which the whole network runs; 1 is the limit of every step.
  double share_of_limits() const { return plain_nanoseconds > 0 ? limit_nanoseconds / plain_nanoseconds : 0; }
};

struct ProfileOptions {
  double seconds = 2;
  std::size_t runs = 10;  // of each kind, at least
  std::function<void(double done)> progress = {};
};

/// Runs the session, whose inputs have been written, alternately with and without profiling. `source` is the graph of
/// the file with its dimensions fixed; null for a program.
Profile profile_session(api::Session& session, const compiler::Graph* source, const Limits& limits,
                        const ProfileOptions& options);

/// The operators of the graph that each step computes: those between its operands and its results. The compiler keeps
/// the names of values, so a step's results are found in the graph; the backward search from there ends at results of
/// other steps, inputs and constants.
std::vector<std::vector<SourceOperator>> sources_of(const schema::Program& program, const compiler::Graph& graph);

}  // namespace webnn::cli
