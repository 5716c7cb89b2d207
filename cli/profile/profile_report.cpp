#include "cli/profile/profile_report.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <ostream>

#include "cli/json/json.hpp"
#include "cli/measure/bench_result.hpp"
#include "cli/output/summary.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

template <typename... Values>
std::string formatted(const char* form, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, form, values...);
  return text;
}

double per_second(std::uint64_t amount, double nanoseconds) {
  return nanoseconds > 0 ? double(amount) / nanoseconds * 1e9 : 0;
}

/// The share of the machine's limit that a step reaches; 1 is the limit.
double share_of_limit(const StepProfile& step) {
  return step.nanoseconds > 0 ? step.limit_nanoseconds / step.nanoseconds : 0;
}

void print_step(std::ostream& out, const Profile& profile, std::size_t index) {
  const StepProfile& step = profile.steps[index];
  out << formatted("%4zu %9.1f %6.2f %6.2f %8.1f %8.1f %6.0f %-7s", index, step.nanoseconds * 1e-3, step.share * 100,
                   step.cumulative * 100, per_second(step.cost.flops, step.nanoseconds) * 1e-9,
                   per_second(step.cost.bytes, step.nanoseconds) * 1e-9, share_of_limit(step) * 100,
                   step.memory_bound ? "memory" : "compute")
      << " " << step.kernel << "  " << operators_text(step) << "  " << step.layout
      << (step.is_reorder ? "  REORDER" : "") << "  " << escaped(sources_text(step)) << "\n";
}

void print_operators(std::ostream& out, const Profile& profile) {
  struct Sum {
    double nanoseconds = 0;
    std::size_t steps = 0;
  };
  std::map<std::string, Sum> by_op;
  for (const StepProfile& step : profile.steps) {
    Sum& sum = by_op[step.op];
    sum.nanoseconds += step.nanoseconds;
    ++sum.steps;
  }
  std::vector<std::pair<std::string, Sum>> sorted(by_op.begin(), by_op.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& entry) { return entry.second.nanoseconds; });
  out << "by operator:\n";
  for (const auto& [op, sum] : sorted)
    out << formatted("%14.1f us %6.2f %%  ", sum.nanoseconds * 1e-3,
                     profile.steps_nanoseconds > 0 ? sum.nanoseconds / profile.steps_nanoseconds * 100 : 0)
        << op << " x" << sum.steps << "\n";
}

Json step_json(const StepProfile& step, std::size_t index) {
  Json sources = Json::array();
  for (const SourceOperator& source : step.sources)
    sources.push_back({{"label", source.label}, {"operator", source.op}});
  return {{"step", index},
          {"label", step.label},
          {"operator", step.op},
          {"postOps", step.post_ops},
          {"sources", std::move(sources)},
          {"kernel", step.kernel},
          {"layout", step.layout},
          {"reorder", step.is_reorder},
          {"nanoseconds", step.nanoseconds},
          {"share", step.share},
          {"cumulative", step.cumulative},
          {"flops", step.cost.flops},
          {"bytes", step.cost.bytes},
          {"flopsPerSecond", per_second(step.cost.flops, step.nanoseconds)},
          {"bytesPerSecond", per_second(step.cost.bytes, step.nanoseconds)},
          {"limitNanoseconds", step.limit_nanoseconds},
          {"bound", step.memory_bound ? "memory" : "compute"}};
}

}  // namespace

std::string operators_text(const StepProfile& step) {
  std::string text = step.op;
  for (const std::string& post_op : step.post_ops) text += " + " + post_op;
  return text;
}

std::string sources_text(const StepProfile& step) {
  std::string text;
  for (const SourceOperator& source : step.sources) text += (text.empty() ? "" : ", ") + source.label;
  return text;
}

void print_profile_text(std::ostream& out, const Profile& profile, std::size_t most) {
  out << escaped(profile.model) << "  (" << profile.device << ", " << counted(profile.threads, "thread") << ")\n"
      << "run        " << time_text(profile.run_nanoseconds) << ", of which steps "
      << time_text(profile.steps_nanoseconds)
      << formatted(" (%.2f %%)", profile.steps_nanoseconds / profile.run_nanoseconds * 100)
      << "; mean over the middle of " << counted(profile.runs, "run") << "\n"
      << "overhead   " << formatted("%+.2f %%", profile.overhead() * 100) << " of profiling: a run without takes "
      << time_text(profile.plain_nanoseconds) << "\n"
      << "of limits  " << formatted("%.0f %%", profile.share_of_limits() * 100)
      << ": at its limit each step would take " << time_text(profile.limit_nanoseconds) << " in all\n"
      << "limits     "
      << formatted("%.1f GFLOP/s, %.1f of bytes", profile.limits.flops_per_second * 1e-9,
                   profile.limits.byte_flops_per_second * 1e-9);
  for (const auto& [bytes, speed] : profile.limits.bandwidth)
    out << formatted(", %.1f GB/s at ", speed * 1e-9) << size_text(std::uint64_t(bytes));
  out << "\nphases    ";
  for (const Phase& phase : profile.phases)
    if (!phase.is_pass) out << " " << phase.name << " " << time_text(phase.milliseconds * 1e6);
  out << "\n\nstep        us      %  cum %  GFLOP/s     GB/s limit% bound   kernel  operators  layout  from\n";
  std::size_t printed = 0;
  for (const std::size_t index : profile.by_time) {
    if (most != 0 && printed++ == most) break;
    print_step(out, profile, index);
  }
  if (most != 0 && profile.steps.size() > most)
    out << "... and " << profile.steps.size() - most << " more; --top 0 shows all\n";
  out << "\n";
  print_operators(out, profile);
  std::size_t reorders = 0;
  double reorder_nanoseconds = 0;
  for (const StepProfile& step : profile.steps)
    if (step.is_reorder) {
      ++reorders;
      reorder_nanoseconds += step.nanoseconds;
    }
  out << "reorders   " << reorders << ", " << time_text(reorder_nanoseconds) << "\n";
}

Json profile_json(const Profile& profile) {
  Json steps = Json::array(), phases = Json::array(), passes = Json::array(), bandwidth = Json::array(),
       arena = Json::array();
  for (std::size_t i = 0; i < profile.steps.size(); ++i) steps.push_back(step_json(profile.steps[i], i));
  for (const Phase& phase : profile.phases)
    (phase.is_pass ? passes : phases).push_back({{"name", phase.name}, {"milliseconds", phase.milliseconds}});
  for (const auto& [bytes, speed] : profile.limits.bandwidth)
    bandwidth.push_back({{"bytes", bytes}, {"bytesPerSecond", speed}});
  for (const ArenaUse& use : profile.arena)
    arena.push_back({{"name", use.name},
                     {"offset", use.offset},
                     {"bytes", use.bytes},
                     {"firstStep", use.first_step},
                     {"lastStep", use.last_step}});
  return {{"schema", "webnn-cli/profile/1"},
          {"model", profile.model},
          {"device", profile.device},
          {"threads", profile.threads},
          {"randomInputs", profile.random_inputs},
          {"runs", profile.runs},
          {"runNanoseconds", profile.run_nanoseconds},
          {"plainRunNanoseconds", profile.plain_nanoseconds},
          {"stepsNanoseconds", profile.steps_nanoseconds},
          {"overhead", profile.overhead()},
          {"limitNanoseconds", profile.limit_nanoseconds},
          {"limits",
           {{"flopsPerSecond", profile.limits.flops_per_second},
            {"byteFlopsPerSecond", profile.limits.byte_flops_per_second},
            {"bandwidth", std::move(bandwidth)}}},
          {"phases", std::move(phases)},
          {"passes", std::move(passes)},
          {"steps", std::move(steps)},
          {"arenaBytes", profile.arena_bytes},
          {"arena", std::move(arena)}};
}

}  // namespace webnn::cli
