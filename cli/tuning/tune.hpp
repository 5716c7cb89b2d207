// Measured choice of kernels for one graph on this machine.
//
// Kernels are timed where they will run: inside of the graph, with its constants and its neighbours' results in the
// caches. So every trial is the whole graph, compiled with a table that sends each call to its first, second, ..
// candidate (and with `full` tuning also all that can to row-major, and to channels-last), and the time of each step is
// read off. Trials take turns with the default program. What the steps' times propose - `full`: all that seems faster,
// or what is so by far, with other layouts and without - is then measured as a whole, and the fastest proposal once
// more against the default, which stays unless the proposal is faster beyond doubt.
#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <string>

#include "api/runner/session.hpp"
#include "cli/tuning/tuning_file.hpp"

namespace webnn::cli {

enum class TuneExtent : std::uint8_t {
  fast,  // candidates in the layouts of the default program, short trials
  full,  // layouts as well, longer trials
};

struct TuneOptions {
  TuneExtent extent = TuneExtent::fast;
  double trial_seconds = 0, check_seconds = 0;                // 0: as the extent says
  std::function<void(double done)> progress = {};             // share of the work, 0 to 1
  std::uint64_t max_tensor_bytes = schema::max_tensor_bytes;  // of a chance input
};

/// Tunes a graph with fixed dimensions on the session's device, whose context is used and left empty. `options` are
/// those of the default program; `model` is its name in the file. Nullopt when the graph cannot be compiled, which
/// diagnostics say.
std::optional<MeasuredTuning> tune(const compiler::Graph& graph, const compiler::Options& options,
                                   api::Session& session, const std::string& model, const TuneOptions& tuning,
                                   schema::Diagnostics& diagnostics);

/// What was chosen and why: calls for which something else than the default was chosen or, with `all`, every call.
void print_tuning(std::ostream& out, const MeasuredTuning& tuning, bool all);

}  // namespace webnn::cli
