#include "compiler/passes/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ostream>

#include "compiler/ir/verify.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/passes/print_unit.hpp"
#include "compiler/passes/program_stats.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"
#include "schema/verify_program.hpp"

namespace webnn::compiler {
namespace {

constexpr Pass passes[] = {
#define PASS(name, level, summary) {#name, level, summary, name},
#include "compiler/passes/passes.def"
#undef PASS
};

/// Names of passes, or "all".
class Selection {
 public:
  explicit Selection(const std::vector<std::string>& names) : names_(names) {
    for (const std::string& name : names)
      if (name != "all") find_pass(name);
  }
  bool contains(std::string_view pass) const { return names(pass) || names("all"); }
  /// Requested by its own name.
  bool names(std::string_view pass) const { return std::ranges::find(names_, pass) != names_.end(); }

 private:
  const std::vector<std::string>& names_;
};

std::size_t live_nodes(const Graph& graph) {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) count += graph.node({i}).alive;
  return count;
}

void print_timings(std::ostream& log, const std::vector<PassTime>& timings) {
  const auto row = [&](std::string_view pass, double milliseconds, const std::string& before,
                       const std::string& after) {
    char line[100];
    std::snprintf(line, sizeof line, "%-18.*s %10.3f %9s %9s\n", int(pass.size()), pass.data(), milliseconds,
                  before.c_str(), after.c_str());
    log << line;
  };
  log << "pass                       ms    before     after  (nodes)\n";
  double total = 0;
  for (const PassTime& timing : timings) {
    const bool is_pass = &timing != &timings.back();
    row(timing.pass, timing.milliseconds, is_pass ? std::to_string(timing.nodes_before) : "",
        is_pass ? std::to_string(timing.nodes_after) : "");
    total += timing.milliseconds;
  }
  row("total", total, "", "");
}

/// False when the unit has errors: reported by the pass, or found when verifying its result. `verified` is the revision
/// of the graph that was verified last.
bool check_result(const Pass& pass, Unit& unit, std::optional<std::uint64_t>& verified) {
  if (unit.diagnostics.has_errors()) return false;
  const auto report = [&](const std::vector<std::string>& problems) {
    for (const std::string& problem : problems)
      unit.diagnostics.error(Code::bad_pass_result, {}, "after " + std::string(pass.name) + ": " + problem);
  };
  if (verified != unit.graph.revision()) report(verify(unit.graph));
  verified = unit.graph.revision();
  report(verify_program(unit.program));
  return !unit.diagnostics.has_errors();
}

/// Milliseconds that `work` takes.
template <typename Work>
double time_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::span<const Pass> pass_table() { return passes; }

const Pass& find_pass(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Pass& pass : passes) {
    if (pass.name == name) return pass;
    names.push_back(pass.name);
  }
  const std::string_view near = nearest(name, names);
  std::string hint = near.empty() ? "the passes are" : "did you mean " + in_quotes(near) + "? the passes are";
  for (std::string_view known : names) hint += " " + std::string(known);
  throw Error(ExitCode::usage, "no pass is named " + in_quotes(name), hint);
}

bool run_pass(const Pass& pass, Unit& unit) {
  pass.run(unit);
  std::optional<std::uint64_t> verified;
  return check_result(pass, unit, verified);
}

bool run_pipeline(Unit& unit) {
  const Options& options = unit.options;
  const Selection before(options.print_before), after(options.print_after);
  if (!options.stop_after.empty()) find_pass(options.stop_after);
  const auto print_at = [&](std::string_view when, const Pass& pass) {
    if (options.log) *options.log << "// " << when << " " << pass.name << "\n" << print(unit);
  };

  const std::size_t nodes = live_nodes(unit.graph);
  std::vector<PassTime> timings;
  double verification = 0;
  bool stopped = false, failed = false;
  std::optional<std::uint64_t> verified;
  for (const Pass& pass : passes) {
    stopped = pass.name == options.stop_after;
    if (pass.level > options.level) {
      if ((before.names(pass.name) || after.names(pass.name)) && options.log)
        *options.log << "// " << pass.name << " does not run at -O" << options.level << "; the graph is as before\n"
                     << print(unit);
      if (stopped) break;
      continue;
    }
    if (before.contains(pass.name)) print_at("before", pass);
    const std::size_t nodes_before = live_nodes(unit.graph);
    const double milliseconds = time_of([&] { pass.run(unit); });
    timings.push_back({pass.name, milliseconds, nodes_before, live_nodes(unit.graph)});
    verification += time_of([&] { failed = !check_result(pass, unit, verified); });
    if (failed) break;
    if (after.contains(pass.name)) print_at("after", pass);
    if (stopped) break;
  }
  if (options.last_unit && !failed) options.last_unit(unit, timings.empty() ? std::string_view() : timings.back().pass);
  timings.push_back({"(verification)", verification, 0, 0});
  if (options.time_passes && options.log) print_timings(*options.log, timings);
  if (options.pass_times) options.pass_times(timings);
  const bool last = stopped && options.stop_after == std::rbegin(passes)->name;
  unit.program.verified = !failed && (!stopped || last);
  if (options.stats && options.log && unit.program.verified)
    *options.log << text_of(stats_of(unit.program, options.kernels), nodes);
  return unit.program.verified && !stopped;
}

}  // namespace webnn::compiler
