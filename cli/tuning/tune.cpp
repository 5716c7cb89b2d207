#include "cli/tuning/tune.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "api/kernels.hpp"
#include "api/runner/compile_program.hpp"
#include "cli/measure/bench_result.hpp"
#include "cli/measure/machine.hpp"
#include "cli/measure/measure.hpp"
#include "cli/measure/statistics.hpp"
#include "cli/tuning/proposal.hpp"
#include "cli/tuning/trial.hpp"
#include "compiler/passes/parts/choose_kernel.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using compiler::CallPreference;
using compiler::most_layout_bytes;

/// The minimum gains for a call to be proposed: just beyond noise, and well beyond. Proposing everything that looks
/// faster may be slower as a whole, because a kernel also determines what its neighbours find in the caches.
constexpr double least_gains[] = {0.03, 0.08, 0.2};

class Tuner {
 public:
  Tuner(const compiler::Graph& graph, const compiler::Options& options, api::Session& session,
        const TuneOptions& tuning, Diagnostics& diagnostics)
      : graph_(graph), options_(options), context_(session.context()), tuning_(tuning), diagnostics_(diagnostics) {
    const bool full = tuning.extent == TuneExtent::full;
    if (tuning_.trial_seconds == 0) tuning_.trial_seconds = full ? 1 : 0.2;
    if (tuning_.check_seconds == 0) tuning_.check_seconds = full ? 4 : 1;
  }

  std::optional<MeasuredTuning> run(const std::string& model) {
    auto usual = compile({});
    if (!usual) return std::nullopt;
    collect_calls(*usual);
    const TrialTensors tensors(context_, *usual, tuning_.max_tensor_bytes);
    tensors_ = &tensors;
    MeasuredTuning result;
    result.machine = machine_class(context_.device(), context_.device().target(), context_.threads());
    result.model = model;
    result.extent = tuning_.extent == TuneExtent::full ? "full" : "fast";
    {
      Trial usual_trial(context_, tensors, std::move(*usual));
      time_trials(usual_trial);
      result.reorder_nanoseconds_per_byte = reordered_bytes_ > 0 ? reorder_nanoseconds_ / reordered_bytes_ : 0;
      nanoseconds_per_byte_ = result.reorder_nanoseconds_per_byte;
      choose(usual_trial, result);
    }
    describe(result);
    tell(1);
    return result;
  }

 private:
  void tell(double done) const {
    if (tuning_.progress) tuning_.progress(done);
  }

  std::optional<Program> compile(PreferenceTable calls) {
    compiler::Options options = options_;
    options.tuning = {std::move(calls), 0};
    return api::compile_program(graph_, std::move(options), context_.device(), {}, diagnostics_);
  }

  void collect_calls(const Program& program) {
    compiler::Options options = options_;
    options.target = program.target;
    options.kernel_table = api::kernel_table();
    options.available = [&](const KernelRow& kernel, const KernelSpec& spec) {
      return context_.device().can_run({&kernel}, spec);
    };
    const std::vector<Way> ways = ways_of(program);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (program.steps[i].op == "@reorder"_op) continue;
      TimedCall* call = find(ways[i].call);
      if (!call) {
        call = &calls_.emplace_back(TimedCall{ways[i].call, ways[i].kernel, ways[i].layout, 0, {}, {}});
        KernelSpec plain = spec_of(program, program.steps[i]);
        plain.input_layouts.clear(), plain.output_layouts.clear(), plain.input_forms.clear();
        call->kernels = compiler::kernels_to_measure(plain, options);
        std::erase(call->kernels, call->usual);
        call->kernels.insert(call->kernels.begin(), call->usual);
      }
      ++call->steps;
    }
  }

  TimedCall* find(const std::string& text) {
    const auto found = std::ranges::find(calls_, text, &TimedCall::text);
    return found == calls_.end() ? nullptr : &*found;
  }

  // ---- trials

  /// Assigns each call its candidate of this number, or its last one; `bytes` is the value of channels-last for all
  /// calls.
  PreferenceTable table_of_trial(std::size_t candidate, std::int64_t bytes) const {
    PreferenceTable table;
    for (const TimedCall& call : calls_) {
      const KernelId kernel = call.kernels[std::min(candidate, call.kernels.size() - 1)];
      table.emplace(call.text, CallPreference{kernel, kernel, bytes});
    }
    return table;
  }

  std::vector<PreferenceTable> tables_of_trials() const {
    std::size_t candidates = 1;
    for (const TimedCall& call : calls_) candidates = std::max(candidates, call.kernels.size());
    std::vector<PreferenceTable> tables;
    for (std::size_t i = 0; i < candidates; ++i) {
      if (i > 0) tables.push_back(table_of_trial(i, 0));
      if (tuning_.extent == TuneExtent::full)
        for (const std::int64_t bytes : {-most_layout_bytes, most_layout_bytes})
          tables.push_back(table_of_trial(i, bytes));
    }
    return tables;
  }

  void time_trials(Trial& usual) {
    std::vector<std::vector<Way>> done{usual.ways()};
    const std::vector<PreferenceTable> tables = tables_of_trials();
    for (std::size_t i = 0; i < tables.size(); ++i) {
      tell(0.7 * double(i) / double(tables.size()));
      auto program = compile(tables[i]);
      if (!program) continue;
      std::vector<Way> ways = ways_of(*program);
      if (std::ranges::find(done, ways) != done.end()) continue;
      Trial trial(context_, *tensors_, std::move(*program));
      time_side_by_side({&usual, &trial});
      done.push_back(std::move(ways));
    }
    if (done.size() == 1) time_side_by_side({&usual});
  }

  /// The first trial is the default program: its times in the first call are the reference for the machine's speed in
  /// later ones.
  void time_side_by_side(const std::vector<Trial*>& trials) {
    for (Trial* trial : trials) trial->run();
    const double run = trials.back()->run();
    const auto batch = std::size_t(std::clamp(1e7 / std::max(run, 1.0), 1.0, 100.0));
    double spent = 0;
    for (std::size_t round = 0; round < 4 || spent < tuning_.trial_seconds * 1e9 * double(trials.size()); ++round)
      for (Trial* trial : trials) {
        spent += trial->run();  // brings its constants back into the caches
        for (std::size_t i = 0; i < batch; ++i) spent += trial->run_timed();
      }
    double speed = 1;
    for (Trial* trial : trials) {
      const std::vector<double> times = trial->take_step_times();
      double sum = 0;
      for (const double time : times) sum += time;
      if (trial == trials.front()) {
        if (usual_nanoseconds_ == 0) usual_nanoseconds_ = sum;
        speed = sum > 0 ? usual_nanoseconds_ / sum : 1;
      }
      keep_times(*trial, times, speed);
    }
  }

  void keep_times(const Trial& trial, const std::vector<double>& times, double speed) {
    struct Sum {
      TimedCall* call;
      const Way* way;
      double nanoseconds = 0;
      std::size_t steps = 0;
    };
    std::vector<Sum> sums;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Way& way = trial.ways()[i];
      TimedCall* call = find(way.call);
      if (!call) {  // a reorder
        reordered_bytes_ += double(trial.output_bytes()[i]);
        reorder_nanoseconds_ += times[i] * speed;
        continue;
      }
      auto sum = std::ranges::find_if(sums, [&](const Sum& other) { return *other.way == way; });
      if (sum == sums.end()) sum = sums.insert(sums.end(), {call, &way});
      sum->nanoseconds += times[i] * speed;
      ++sum->steps;
    }
    for (const Sum& sum : sums)
      sum.call->time_of(sum.way->kernel, sum.way->layout).nanoseconds.push_back(sum.nanoseconds / double(sum.steps));
  }

  // ---- the choice

  struct Candidate {
    PreferenceTable table;
    std::unique_ptr<Trial> trial;
  };

  /// The fastest proposal whose program differs from the default; without a trial if there is none.
  Candidate fastest_proposal(const Trial& usual) {
    Candidate best;
    std::vector<std::vector<Way>> done{usual.ways()};
    const bool full = tuning_.extent == TuneExtent::full;
    for (const double per_byte : {nanoseconds_per_byte_, 0.0})
      for (const double least_gain : least_gains) {
        if (!full && (per_byte != 0 || least_gain != least_gains[0])) continue;
        PreferenceTable table = propose(calls_, least_gain, per_byte);
        auto program = compile(table);
        if (!program) continue;
        std::vector<Way> ways = ways_of(*program);
        if (std::ranges::find(done, ways) != done.end()) continue;
        done.push_back(std::move(ways));
        // Only two at a time, because each has the graph's constants in memory.
        Candidate next{std::move(table), std::make_unique<Trial>(context_, *tensors_, std::move(*program))};
        if (best.trial) {
          const std::vector<std::vector<double>> rounds = take_turns({best.trial.get(), next.trial.get()}, 0.7, 0);
          if (median_of(rounds[1]) >= median_of(rounds[0])) continue;
        }
        best = std::move(next);
      }
    return best;
  }

  void choose(Trial& usual, MeasuredTuning& result) {
    const Candidate best = fastest_proposal(usual);
    result.keeps_default = true;
    if (!best.trial) {
      result.default_milliseconds = usual_nanoseconds_ * 1e-6;
      result.verdict = "no other kernel or layout is faster for any call";
      return;
    }
    // Measured again, because the fastest of several was also the luckiest.
    check(usual, best, result);
  }

  /// Medians of each trial's rounds, in nanoseconds, with whole runs taking turns. Progress goes from `done` on by
  /// `share`.
  std::vector<std::vector<double>> take_turns(const std::vector<Trial*>& trials, double done, double share) {
    std::vector<Subject> subjects;
    for (Trial* const trial : trials)
      subjects.push_back({std::to_string(subjects.size()), [trial](std::size_t runs) {
                            Batch batch{{}, 0, 0};
                            for (std::size_t i = 0; i < runs; ++i) batch.latencies.push_back(trial->run());
                            for (const double latency : batch.latencies) batch.wall += latency;
                            return batch;
                          }});
    MeasureOptions options;
    options.seconds = tuning_.check_seconds;
    options.warm_up_seconds = tuning_.check_seconds / 4;
    options.progress = [&](double of_share) { tell(done + share * of_share); };
    std::vector<std::vector<double>> rounds;
    for (const Measurement& one : measure(subjects, options))
      rounds.push_back(one.by_round([](const Round& round) { return percentile(round.latencies, 50); }));
    return rounds;
  }

  void check(Trial& usual, const Candidate& candidate, MeasuredTuning& result) {
    const std::vector<std::vector<double>> rounds = take_turns({&usual, candidate.trial.get()}, 0.85, 0.15);
    // Rounds with the same number follow each other, so long disturbances affect both.
    std::vector<double> changes;
    for (std::size_t i = 0; i < std::min(rounds[0].size(), rounds[1].size()); ++i)
      changes.push_back(rounds[1][i] / rounds[0][i] - 1);
    const Interval change = bootstrap_interval(changes, median_of, 0.99);
    // Not the median of the tuned graph's own rounds, which may contradict that of the changes.
    const double before = median_of(rounds[0]), after = before * (1 + median_of(changes));
    result.default_milliseconds = before * 1e-6;
    result.tuned_milliseconds = after * 1e-6;
    result.keeps_default = change.high >= 0;
    result.verdict = "tuned " + time_text(after) + ", default " + time_text(before) + ": " +
                     percent_text(median_of(changes)) + " (with 99 % confidence between " + percent_text(change.low) +
                     " and " + percent_text(change.high) + ")" +
                     (result.keeps_default ? ", which is not faster beyond noise" : "");
    if (!result.keeps_default) chosen_ = candidate.table;
  }

  // ---- the report

  std::string reason_of(const TimedCall& call, const CallPreference* use) const {
    const TimedCall::Time* usual = call.usual_time();
    std::string reason;
    const auto compare = [&](Layout layout, const std::optional<KernelId>& kernel) {
      if (!kernel || !usual || (*kernel == call.usual && layout == call.usual_layout)) return;
      for (const TimedCall::Time& time : call.times)
        if (time.kernel == *kernel && time.layout == layout)
          reason += (reason.empty() ? "" : ", ") + std::string(row(*kernel).name) + " in " +
                    std::string(name_of(layout)) + " takes " + percent_text(time.median() / usual->median() - 1);
    };
    if (call.times.size() < 2) return "the only candidate";
    if (!use) return "the default: no other candidate is kept";
    compare(Layout::row_major, use->row_major);
    compare(Layout::channels_last, use->channels_last);
    return reason.empty() ? "the default" : reason + " against the default";
  }

  void describe(MeasuredTuning& result) const {
    for (const TimedCall& call : calls_) {
      MeasuredCall one{call.text, call.steps, {}, std::nullopt, {}};
      for (const TimedCall::Time& time : call.times)
        one.candidates.push_back({time.kernel, time.layout, time.median() * 1e-3,
                                  time.kernel == call.usual && time.layout == call.usual_layout});
      const auto used = chosen_.find(call.text);
      if (used != chosen_.end()) one.use = used->second;
      one.reason = reason_of(call, used == chosen_.end() ? nullptr : &used->second);
      result.calls.push_back(std::move(one));
    }
  }

  const compiler::Graph& graph_;
  const compiler::Options& options_;
  runtime::Context& context_;
  TuneOptions tuning_;
  Diagnostics& diagnostics_;
  const TrialTensors* tensors_ = nullptr;
  std::vector<TimedCall> calls_;
  PreferenceTable chosen_;
  double usual_nanoseconds_ = 0;  // of all steps of the default program, in the first trial
  double reordered_bytes_ = 0, reorder_nanoseconds_ = 0, nanoseconds_per_byte_ = 0;
};

}  // namespace

std::optional<MeasuredTuning> tune(const compiler::Graph& graph, const compiler::Options& options,
                                   api::Session& session, const std::string& model, const TuneOptions& tuning,
                                   Diagnostics& diagnostics) {
  return Tuner(graph, options, session, tuning, diagnostics).run(model);
}

void print_tuning(std::ostream& out, const MeasuredTuning& tuning, bool all) {
  std::size_t candidates = 0, chosen = 0;
  for (const MeasuredCall& call : tuning.calls) {
    candidates += call.candidates.size();
    chosen += call.use ? 1 : 0;
  }
  out << "measured " << counted(candidates, "way") << " to run " << counted(tuning.calls.size(), "call") << " with "
      << counted(tuning.machine.threads, "thread") << "\n";
  for (const MeasuredCall& call : tuning.calls) {
    if (!all && !call.use) continue;
    out << "  " << call.call << ", " << counted(call.steps, "step") << ": " << call.reason << "\n";
    for (const MeasuredKernel& candidate : call.candidates) {
      char line[160];
      const std::string name(row(candidate.kernel).name), layout(name_of(candidate.layout));
      std::snprintf(line, sizeof line, "    %-32s %-14s %10.1f us%s\n", name.c_str(), layout.c_str(),
                    candidate.microseconds, candidate.is_default ? "  default" : "");
      out << line;
    }
  }
  out << "whole graph: " << tuning.verdict << "; " << (tuning.keeps_default ? "the default stays" : "tuned is kept")
      << ", with other choices for " << counted(chosen, "call") << "\n";
}

}  // namespace webnn::cli
