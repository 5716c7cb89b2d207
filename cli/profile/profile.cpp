#include "cli/profile/profile.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "cli/measure/statistics.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_traced_runs = 5;

std::uint64_t now() { return std::uint64_t(std::chrono::nanoseconds(Clock::now().time_since_epoch()).count()); }

std::uint32_t owner_of(const Program& program, std::uint32_t value) {
  return value == no_index || program.values[value].view_of == no_index ? value : program.values[value].view_of;
}

/// "channels_last", or "row_major -> channels_last" for a step that changes the layout.
std::string layout_text(const Program& program, const Step& step) {
  const std::string output(name_of(program.values[step.outputs[0]].layout));
  if (step.inputs.empty() || step.inputs[0] == no_index) return output;
  const Layout input = program.values[step.inputs[0]].layout;
  return input == program.values[step.outputs[0]].layout || input == Layout::private_form
             ? output
             : std::string(name_of(input)) + " -> " + output;
}

/// The bytes of the constants that a step reads. Until its next run all others are read, so they are in the cache that
/// holds all, if any.
std::uint64_t constant_bytes_of(const Program& program, const Step& step) {
  std::uint64_t bytes = 0;
  for (const std::uint32_t value : step.inputs)
    if (value != no_index && program.values[value].slot.kind == Slot::Kind::constant)
      bytes += byte_length(program.values[value].descriptor);
  return bytes;
}

/// Whether the step's arithmetic is products of bytes.
bool multiplies_bytes(const KernelSpec& spec) {
  const auto is_byte = [&](std::size_t i) {
    return spec.inputs[i]->type == DataType::int8 || spec.inputs[i]->type == DataType::uint8;
  };
  return row(spec.op).family == Family::convolution && is_byte(0) && is_byte(1);
}

void describe_steps(const Program& program, const compiler::Graph* source, Profile& profile) {
  std::vector<std::vector<SourceOperator>> sources(program.steps.size());
  std::uint64_t all_constants = 0;
  for (const Bytes& bytes : program.constants) all_constants += bytes.size();
  if (source) sources = sources_of(program, *source);
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    StepProfile one;
    one.label = step.label;
    one.op = row(step.op).name;
    one.kernel = row(step.kernel).name;
    one.layout = layout_text(program, step);
    one.is_reorder = step.op == "@reorder"_op;
    for (const PostOp& post_op : step.post_ops) one.post_ops.emplace_back(row(post_op.op).name);
    one.sources = std::move(sources[i]);
    if (one.sources.empty() && !one.is_reorder) one.sources.push_back({step.label, one.op});
    const KernelSpec spec = spec_of(program, step);
    one.cost = cost_of(spec);
    const double arithmetic =
        profile.limits.nanoseconds_of_arithmetic(one.cost, multiplies_bytes(spec)) * row(step.kernel).arithmetic;
    std::uint64_t constants = std::min(constant_bytes_of(program, step), one.cost.bytes);
    const std::uint64_t others = one.cost.bytes - constants;
    // A table is read where indices point.
    if (row(step.op).family == Family::indexed) constants = std::min(constants, byte_length(spec.outputs[0]));
    const double memory = profile.limits.nanoseconds_of_memory(others, others) +
                          profile.limits.nanoseconds_of_memory(constants, all_constants);
    one.limit_nanoseconds = std::max(arithmetic, memory);
    profile.limit_nanoseconds += one.limit_nanoseconds;
    one.memory_bound = memory > arithmetic;
    profile.steps.push_back(std::move(one));
  }
}

void connect_steps(const Program& program, Profile& profile) {
  std::vector<std::size_t> writer(program.values.size(), program.steps.size());
  profile.followers.resize(program.steps.size());
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    for (const std::uint32_t input : program.steps[i].inputs) {
      if (input == no_index) continue;
      const std::size_t from = writer[owner_of(program, input)];
      if (from < i && std::ranges::find(profile.followers[from], i) == profile.followers[from].end())
        profile.followers[from].push_back(i);
    }
    for (const std::uint32_t output : program.steps[i].outputs) writer[output] = i;
  }
}

struct TimedRun {
  double begin = 0, wall = 0;
  std::vector<runtime::StepTime> steps;
};

double sum_of(const std::vector<runtime::StepTime>& steps) {
  double sum = 0;
  for (const runtime::StepTime& step : steps) sum += double(step.end - step.begin);
  return sum;
}

/// The runs in the middle half around the median: drops disturbed runs, while the times of steps still add up.
std::vector<const TimedRun*> middle_half(const std::vector<TimedRun>& runs) {
  std::vector<const TimedRun*> sorted;
  for (const TimedRun& run : runs) sorted.push_back(&run);
  std::ranges::stable_sort(sorted, {}, [](const TimedRun* run) { return run->wall; });
  const std::size_t count = std::max<std::size_t>(1, (sorted.size() + 1) / 2), first = (sorted.size() - count) / 2;
  return {sorted.begin() + std::ptrdiff_t(first), sorted.begin() + std::ptrdiff_t(first + count)};
}

void add_times(const std::vector<TimedRun>& runs, std::vector<double> plain, Profile& profile) {
  const std::vector<const TimedRun*> counted = middle_half(runs);
  for (const TimedRun* run : counted) {
    profile.run_nanoseconds += run->wall / double(counted.size());
    profile.steps_nanoseconds += sum_of(run->steps) / double(counted.size());
    for (std::size_t i = 0; i < profile.steps.size(); ++i)
      profile.steps[i].nanoseconds += double(run->steps[i].end - run->steps[i].begin) / double(counted.size());
  }
  std::ranges::sort(plain);
  const std::size_t half = std::max<std::size_t>(1, (plain.size() + 1) / 2);
  profile.plain_nanoseconds = mean_of(std::span(plain).subspan((plain.size() - half) / 2, half));
  profile.runs = runs.size();

  profile.by_time.resize(profile.steps.size());
  std::iota(profile.by_time.begin(), profile.by_time.end(), std::size_t{0});
  std::ranges::stable_sort(profile.by_time, std::greater(),
                           [&](std::size_t i) { return profile.steps[i].nanoseconds; });
  double cumulative = 0;
  for (const std::size_t i : profile.by_time) {
    StepProfile& step = profile.steps[i];
    step.share = profile.steps_nanoseconds > 0 ? step.nanoseconds / profile.steps_nanoseconds : 0;
    step.cumulative = cumulative += step.share;
  }
  for (std::size_t i = 0; i < counted.size() && i < most_traced_runs; ++i)
    profile.traced.push_back({counted[i]->begin, counted[i]->begin + counted[i]->wall, counted[i]->steps});
  std::ranges::sort(profile.traced, {}, &TracedRun::begin);
}

}  // namespace

std::vector<std::vector<SourceOperator>> sources_of(const Program& program, const compiler::Graph& graph) {
  std::vector<bool> ends(graph.value_count());  // where the search backwards ends
  // A reorder may have taken over the name of the value that it converts.
  std::vector<std::uint32_t> reordered(program.values.size(), no_index);
  for (const Step& step : program.steps)
    if (step.op == "@reorder"_op) reordered[step.inputs[0]] = step.outputs[0];
  const auto find = [&](std::uint32_t value) {
    const compiler::ValueId named = graph.find_value(program.values[value].name);
    return named.valid() || reordered[value] == no_index ? named
                                                         : graph.find_value(program.values[reordered[value]].name);
  };
  for (const Step& step : program.steps)
    for (const std::vector<std::uint32_t>* values : {&step.inputs, &step.outputs})
      for (const std::uint32_t value : *values)
        if (value != no_index)
          if (const compiler::ValueId named = find(value); named.valid()) ends[named.index] = true;
  const auto source = [&](compiler::NodeId id) {
    const compiler::Node& node = graph.node(id);
    return SourceOperator{node.label.empty() ? graph.value(node.outputs[0]).name : node.label,
                          std::string(row(node.op).name)};
  };
  std::vector<std::vector<SourceOperator>> result;
  for (const Step& step : program.steps) {
    if (step.op == "@reorder"_op) {
      result.emplace_back();
      continue;
    }
    std::vector<bool> seen(graph.node_count());
    std::vector<compiler::ValueId> way;
    for (const std::uint32_t output : step.outputs)
      if (const compiler::ValueId named = find(output); named.valid()) way.push_back(named);
    std::vector<compiler::NodeId> nodes;
    for (std::size_t next = 0; next < way.size(); ++next) {
      const compiler::Value& value = graph.value(way[next]);
      if (value.kind != compiler::Value::Kind::result || seen[value.producer.index]) continue;
      seen[value.producer.index] = true;
      nodes.push_back(value.producer);
      for (const compiler::ValueId input : graph.node(value.producer).inputs)
        if (input.valid() && !ends[input.index]) way.push_back(input);
    }
    std::vector<SourceOperator> sources;
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) sources.push_back(source(*node));
    if (sources.empty())  // a result that is not in the file: a part of the operator in the label
      for (const compiler::NodeId id : graph.order())
        if (graph.node(id).label == step.label) sources.push_back(source(id));
    result.push_back(std::move(sources));
  }
  return result;
}

Profile profile_session(api::Session& session, const compiler::Graph* source, const Limits& limits,
                        const ProfileOptions& options) {
  Profile profile;
  profile.limits = limits;
  profile.device = session.context().device().name();
  profile.threads = session.context().threads();
  const Program& program = session.program();
  describe_steps(program, source, profile);
  connect_steps(program, profile);
  profile.arena = arena_uses(program);
  profile.arena_bytes = program.arena_bytes;

  for (int i = 0; i < 3; ++i) session.compute();
  std::vector<TimedRun> runs;
  std::vector<double> plain;
  const std::uint64_t start = now();
  const auto seconds = [&] { return double(now() - start) * 1e-9; };
  while (runs.size() < options.runs || seconds() < options.seconds) {
    const std::uint64_t before = now();
    session.compute();
    plain.push_back(double(now() - before));
    TimedRun run{0, 0, std::vector<runtime::StepTime>(program.steps.size())};
    const std::uint64_t begin = now();
    session.compute_timed(run.steps);
    run.wall = double(now() - begin);
    run.begin = double(begin - start);
    for (runtime::StepTime& step : run.steps) step = {step.begin - start, step.end - start};
    runs.push_back(std::move(run));
    if (options.progress)
      options.progress(std::min(seconds() / options.seconds, double(runs.size()) / double(options.runs)));
  }
  add_times(runs, std::move(plain), profile);
  return profile;
}

}  // namespace webnn::cli
