// Chooses kernels for one graph by measurements on this machine.
//
// Kernels are timed where they will run: inside the graph, with its constants and with the results of neighbouring
// steps in the caches. A trial is therefore the whole graph, compiled with a table that selects the first, second, ..
// candidate for each call, and every step is timed. `full` tuning also tries all calls row-major and all calls
// channels-last, where possible. Trials take turns with the default program.
//
// From the times of the steps, proposals are made. `fast` proposes every kernel that seems faster; `full` also proposes
// only those that are faster by far, with and without other layouts. Each proposal is then measured as a whole. The
// fastest one is finally measured once more against the default, which is kept unless the proposal is faster beyond
// doubt.
#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <string>

#include "api/runner/session.hpp"
#include "cli/tuning/tuning_file.hpp"

namespace webnn::cli {

enum class TuneExtent : std::uint8_t {
  fast,  // candidates in the layouts of the default program; short trials
  full,  // layouts as well; longer trials
};

struct TuneOptions {
  TuneExtent extent = TuneExtent::fast;
  double trial_seconds = 0, check_seconds = 0;                // 0: determined by the extent
  std::function<void(double done)> progress = {};             // share of the work, 0 to 1
  std::uint64_t max_tensor_bytes = schema::max_tensor_bytes;  // of a random input
};

/// Tunes a graph with fixed dimensions on the session's device; uses the session's context and leaves it empty.
/// `options` are those of the default program; `model` is its name in the tuning file. Nullopt when the graph cannot be
/// compiled, for which there are diagnostics.
std::optional<MeasuredTuning> tune(const compiler::Graph& graph, const compiler::Options& options,
                                   api::Session& session, const std::string& model, const TuneOptions& tuning,
                                   schema::Diagnostics& diagnostics);

/// Prints the choices and their reasons: for calls with another choice than the default or, with `all`, for every call.
void print_tuning(std::ostream& out, const MeasuredTuning& tuning, bool all);

}  // namespace webnn::cli
