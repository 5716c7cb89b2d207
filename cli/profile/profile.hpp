// A program's running time, step by step: what each step is, where it comes from, and what the machine would allow.
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
  std::vector<SourceOperator> sources;  // that the step computes; of a program file only the one of its label
  bool is_reorder = false;              // it only brings a tensor into another layout
  double nanoseconds = 0;               // mean over the runs that count
  double share = 0, cumulative = 0;     // of the steps' sum; cumulative in falling order of time
  schema::Cost cost;
  double limit_nanoseconds = 0;  // what the machine's limits allow
  bool memory_bound = false;     // the limit is that of memory
};

struct Phase {
  std::string name;
  double milliseconds = 0;
  bool is_pass = false;  // a part of the phase "compile"
};

/// One run, for traces: nanoseconds from the first run's beginning.
struct TracedRun {
  double begin = 0, end = 0;
  std::vector<runtime::StepTime> steps;
};

struct Profile {
  std::string model, device;
  std::vector<std::string> random_inputs;  // that nobody gave data for
  unsigned threads = 1;
  std::vector<StepProfile> steps;                   // in the order of execution
  std::vector<std::size_t> by_time;                 // indices of steps, longest first
  std::vector<std::vector<std::size_t>> followers;  // by step: those that read what it writes
  std::vector<ArenaUse> arena;
  std::uint64_t arena_bytes = 0;
  std::vector<Phase> phases;
  Limits limits;
  std::size_t runs = 0;
  double run_nanoseconds = 0;     // of a run with profiling, from asking until it is done
  double plain_nanoseconds = 0;   // of a run without
  double steps_nanoseconds = 0;   // sum over the steps
  std::vector<TracedRun> traced;  // a few of the runs

  /// What profiling costs, as a share of a plain run.
  double overhead() const { return run_nanoseconds / plain_nanoseconds - 1; }
};

struct ProfileOptions {
  double seconds = 2;
  std::size_t runs = 10;  // of each kind, at least
  std::function<void(double done)> progress = {};
};

/// Runs the session, whose inputs are written, with and without profiling by turns. `source` is the graph of the file
/// with its dimensions fixed; null for a program.
Profile profile_session(api::Session& session, const compiler::Graph* source, const Limits& limits,
                        const ProfileOptions& options);

/// Which operators of the graph each step computes: those between its operands and its results. Values keep their names
/// through the compiler, so a step's results are found in the graph, and the way back from there ends where another
/// step's result, an input or a constant is reached.
std::vector<std::vector<SourceOperator>> sources_of(const schema::Program& program, const compiler::Graph& graph);

}  // namespace webnn::cli
