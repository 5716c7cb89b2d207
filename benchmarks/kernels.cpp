// benchmark-kernels MODEL..: times every kernel row that takes an operator call of these graphs, each distinct call
// once.
//
// A call is a step of the compiled program: its operator, shapes, attributes and post-ops. A row runs it in the
// program's layouts or those that it works in, with constants packed as it wants them and random numbers everywhere.
// Rows stand in no order that matters. With --copy
// a plain copy that touches as many bytes as the call's inputs and outputs runs in turns with each row.
#include "api/kernels.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/runner/session.hpp"
#include "compiler/frontend/load.hpp"
#include "models/writer/random.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/elements.hpp"
#include "schema/kernels/cost.hpp"

namespace webnn::benchmarks {
namespace {

using namespace schema;
using Clock = std::chrono::steady_clock;

struct Options {
  std::vector<std::string> models;
  std::string op, kernel;
  unsigned threads = 1;
  double seconds = 0.2;
  bool reference = false, copy = false;
};

/// A call, and which of its operands are constants.
struct Call {
  KernelSpec spec;
  std::vector<bool> constant;
  std::vector<std::size_t> first;  // by operand: the first one that is the same value
  std::size_t count = 1;           // steps of the programs that make it
};

bool same_call(const KernelSpec& a, const KernelSpec& b) {
  return a.op == b.op && a.attributes == b.attributes && a.inputs == b.inputs && a.outputs == b.outputs &&
         a.post_ops == b.post_ops;
}

void collect_calls(const std::string& model, const Options& options, std::vector<Call>& calls) {
  Diagnostics diagnostics;
  auto graph = compiler::load_graph(model, {}, diagnostics);
  api::Session session({.threads = 1});
  if (!graph || !session.compile(std::move(*graph), {}, diagnostics))
    throw Error(ExitCode::invalid_input, diagnostics.all().empty() ? "no program" : diagnostics.all()[0].message);
  const Program& program = session.context().executable(session.executable()).program();
  for (const Step& step : program.steps) {
    if (!options.op.empty() && row(step.op).name != options.op) continue;
    Call call{spec_of(program, step), {}, {}};
    for (const std::uint32_t input : step.inputs)
      call.first.push_back(std::size_t(std::ranges::find(step.inputs, input) - step.inputs.begin()));
    for (const std::uint32_t input : step.inputs)
      call.constant.push_back(input != no_index && program.values[input].slot.kind == Slot::Kind::constant);
    const auto known = std::ranges::find_if(calls, [&](const Call& other) { return same_call(other.spec, call.spec); });
    if (known != calls.end())
      ++known->count;
    else
      calls.push_back(std::move(call));
  }
}

std::string text_of(const Call& call) {
  std::string text(row(call.spec.op).name);
  for (const auto& input : call.spec.inputs) text += input ? " " + input->text() : " -";
  for (const PostOp& post_op : call.spec.post_ops) text += ", " + std::string(row(post_op.op).name);
  return text + (call.count > 1 ? ", " + std::to_string(call.count) + " times" : "");
}

/// Memory at the alignment that kernels get from the arena.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : storage_(bytes + arena_alignment), bytes_(bytes) {}
  std::span<std::byte> view() {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    return {storage_.data() + (arena_alignment - address % arena_alignment) % arena_alignment, bytes_};
  }

 private:
  std::vector<std::byte> storage_;
  std::size_t bytes_;
};

/// Normally distributed numbers; small ones for integers, so that they are indices too.
Buffer random_tensor(const OperandDescriptor& descriptor, models::Random& random) {
  Buffer buffer(byte_length(descriptor));
  for (std::size_t i = 0; i < element_count(descriptor.shape); ++i)
    store_element(is_float(descriptor.type) ? Number(double(random.normal())) : Number(int(random.below(2))),
                  descriptor.type, buffer.view().data(), i);
  return buffer;
}

/// The spec with its constants unpacked, in the program's layouts if the row works in those, else in the row's own.
KernelSpec in_layouts_of(const KernelRow& kernel, KernelSpec spec) {
  spec.input_forms.clear();
  spec.input_layouts.resize(spec.inputs.size());
  spec.output_layouts.resize(spec.outputs.size());
  std::ranges::replace(spec.input_layouts, Layout::private_form, Layout::row_major);
  if (takes_layouts(kernel, spec)) return spec;
  return in_required_layouts(std::move(spec), kernel.layouts);
}

/// A prepared kernel with memory for everything that it reads and writes.
class Trial {
 public:
  Trial(const KernelRow& kernel, const Call& call) : spec_(in_layouts_of(kernel, call.spec)) {
    const runtime::ListedCpuKernel& entry = *runtime::cpu_kernels().find({&kernel});
    models::Random random(1);
    std::vector<std::span<const std::byte>> constants(spec_.inputs.size());
    for (std::size_t i = 0; i < spec_.inputs.size(); ++i) {
      const bool is_new = spec_.inputs[i] && call.first[i] == i;
      tensors_.push_back(is_new ? random_tensor(*spec_.inputs[i], random) : Buffer(0));
      inputs_.push_back(spec_.inputs[i] ? tensors_[call.first[i]].view().data() : nullptr);
      if (!call.constant[i]) continue;
      constants[i] = tensors_[call.first[i]].view();
      if (i < 8 && ((kernel.packs >> i) & 1u)) pack(entry, i, constants);
      inputs_[i] = constants[i].data();
    }
    for (const OperandDescriptor& output : spec_.outputs) outputs_.push_back(new_buffer(byte_length(output)));
    prepared_ = entry.prepare(spec_, constants);
    scratch_ = new_buffer(prepared_.scratch_bytes);
  }

  void run() { prepared_.run({inputs_, outputs_, scratch_}); }

 private:
  std::byte* new_buffer(std::size_t bytes) { return more_.emplace_back(bytes).view().data(); }

  void pack(const runtime::ListedCpuKernel& entry, std::size_t operand,
            std::vector<std::span<const std::byte>>& constants) {
    auto packed = entry.pack(spec_, operand, constants[operand]);
    if (!packed) return;
    spec_.input_forms.resize(spec_.inputs.size());
    spec_.input_forms[operand] = packed->form;
    spec_.input_layouts[operand] = Layout::private_form;
    Buffer& copy = more_.emplace_back(packed->bytes.size());
    std::ranges::copy(packed->bytes.view(), copy.view().begin());
    constants[operand] = copy.view();
  }

  KernelSpec spec_;
  std::vector<Buffer> tensors_, more_;
  std::vector<const std::byte*> inputs_;
  std::vector<std::byte*> outputs_;
  std::byte* scratch_ = nullptr;
  runtime::Kernel prepared_;
};

/// Bytes of the call's inputs and outputs, each value once.
std::size_t bytes_touched(const Call& call) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < call.spec.inputs.size(); ++i)
    if (call.spec.inputs[i] && call.first[i] == i) bytes += byte_length(*call.spec.inputs[i]);
  for (const OperandDescriptor& output : call.spec.outputs) bytes += byte_length(output);
  return bytes;
}

/// A plain copy that touches so many bytes, half of them by writing.
class Copy {
 public:
  explicit Copy(std::size_t bytes) : from_(bytes / 2), to_(bytes / 2) { std::ranges::fill(from_.view(), std::byte{1}); }
  void run() {
    constexpr std::size_t grain = 64 * 1024;
    runtime::parallel_for(from_.view().size(), grain, [&](std::size_t begin, std::size_t end) {
      std::memcpy(to_.view().data() + begin, from_.view().data() + begin, end - begin);
    });
  }

 private:
  Buffer from_, to_;
};

double seconds_of(const auto& work) {
  const Clock::time_point begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double>& times) {
  std::ranges::nth_element(times, times.begin() + std::ptrdiff_t(times.size() / 2));
  return times[times.size() / 2];
}

struct Medians {
  double kernel = 0;  // seconds of a run
  double copy = 0;    // of the copy; 0: there is none
};

/// Both in turns; one run of each before is not counted.
Medians median_seconds(Trial& trial, std::optional<Copy>& copy, double seconds) {
  std::vector<double> kernel_times, copy_times;
  trial.run();
  if (copy) copy->run();
  for (double spent = 0; spent < seconds || kernel_times.size() < 3; spent += kernel_times.back()) {
    kernel_times.push_back(seconds_of([&] { trial.run(); }));
    if (copy) copy_times.push_back(seconds_of([&] { copy->run(); }));
  }
  return {median(kernel_times), copy ? median(copy_times) : 0};
}

Cost cost_of_root(const KernelSpec& spec) { return cost_of(SpecCall(spec), spec.outputs); }

/// Prints what the rows take for the call; the seconds of the fastest, nullopt when no row is timed.
std::optional<double> time_call(const Call& call, const Options& options) {
  const Target target{DeviceKind::cpu, runtime::detect_cpu_features()};
  const Cost cost = cost_of_root(call.spec);
  std::optional<double> fastest;
  for (const KernelRow& kernel : api::kernel_table()) {
    if (!options.reference && kernel.provider() == "reference") continue;
    if (kernel.name.find(options.kernel) == std::string_view::npos || !takes(kernel, call.spec, target)) continue;
    const runtime::Team team(options.threads);
    Trial trial(kernel, call);
    std::optional<Copy> copy;
    if (options.copy) copy.emplace(bytes_touched(call));
    const auto [seconds, copy_seconds] = median_seconds(trial, copy, options.seconds);
    if (!fastest) std::cout << text_of(call) << "\n";
    fastest = std::min(seconds, fastest.value_or(seconds));
    char line[160];
    std::snprintf(line, sizeof line, "  %-32.*s %10.4f ms %9.1f GFLOP/s %8.1f GB/s\n", int(kernel.name.size()),
                  kernel.name.data(), seconds * 1e3, double(cost.flops) / seconds / 1e9,
                  double(cost.bytes) / seconds / 1e9);
    std::string text = line;
    if (copy) {  // the bandwidth in bytes touched as a share of the copy's
      std::snprintf(line, sizeof line, " %6.1f %% of a copy (%.4f ms)\n", 100 * copy_seconds / seconds,
                    copy_seconds * 1e3);
      text.replace(text.size() - 1, 1, line);
    }
    std::cout << text << std::flush;
  }
  return fastest;
}

void time_calls(const std::vector<Call>& calls, const Options& options) {
  std::size_t steps = 0, timed = 0;
  double seconds = 0;
  for (const Call& call : calls) {
    steps += call.count;
    const std::optional<double> fastest = time_call(call, options);
    if (!fastest) continue;
    timed += call.count;
    seconds += double(call.count) * *fastest;
  }
  std::cout << timed << " of " << steps << " steps, by the fastest rows: " << seconds * 1e3 << " ms\n";
}

}  // namespace
}  // namespace webnn::benchmarks

int main(int count, char** arguments) {
  using namespace webnn;
  benchmarks::Options options;
  CLI::App app("times every kernel row that takes an operator call of these graphs", "benchmark-kernels");
  app.add_option("models", options.models, "graph files")->required();
  app.add_option("--op", options.op, "calls of this operator only");
  app.add_option("--kernel", options.kernel, "rows whose name contains this only");
  app.add_option("--threads", options.threads, "threads of each run")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "of runs for each row")->capture_default_str();
  app.add_flag("--copy", options.copy, "compare with a plain copy that touches as many bytes");
  app.add_flag("--reference", options.reference, "reference rows too, which are slow");
  CLI11_PARSE(app, count, arguments);
  try {
    std::vector<benchmarks::Call> calls;
    for (const std::string& model : options.models) benchmarks::collect_calls(model, options, calls);
    benchmarks::time_calls(calls, options);
    return 0;
  } catch (const schema::Error& error) {
    std::cerr << "error: " << error.what() << "\n";
    return int(error.code());
  }
}
