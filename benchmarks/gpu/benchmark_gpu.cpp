// benchmark-gpu: measures a GPU. First what it does at most: arithmetic, copies; then calls (calls.hpp), each with every
// kernel that takes it, as shares of these ceilings; then dispatches, transfers and networks. Every result is compared
// with the CPU's. Prints a JSON object per line.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "api/devices.hpp"
#include "api/kernels.hpp"
#include "api/runner/compile_program.hpp"
#include "benchmarks/gpu/arithmetic.hpp"
#include "benchmarks/gpu/calls.hpp"
#include "benchmarks/gpu/repetitions.hpp"
#include "benchmarks/gpu/trial.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/ir/call_text.hpp"
#include "compiler/ir/parse.hpp"
#include "compiler/passes/parts/choose_kernel.hpp"
#include "runtime/context.hpp"
#include "runtime/threads/processors.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/kernels/cost.hpp"

namespace webnn::benchmarks {
namespace {

using namespace schema;
using Json = nlohmann::ordered_json;
using runtime::TensorId;

struct Options {
  std::string device = "gpu", only, output;
  std::vector<std::string> networks, without;
  double seconds = 0.3;
  bool quick = false, list = false, prepare = false, validation = false;
};

/// What a device does at most.
struct Ceilings {
  // Per second. half: of float16 by matrix units; byte: of bytes, four products at a time. Where a device has neither, as
  // many as of float32.
  double flops = 0, half_flops = 0, byte_flops = 0, bytes = 0;
};

std::string graph_text(const GpuCall& call) {
  std::string text = "graph \"call\" {\n", inputs(call.inputs);
  for (std::size_t at = 0; at < inputs.size();) {
    const std::size_t end = std::min(inputs.find(';', at), inputs.size());
    std::string input = inputs.substr(at, end - at);
    input.erase(0, input.find_first_not_of(' '));
    text += "  %" + input.insert(input.find(' '), " = input") + "\n";
    at = end + 1;
  }
  return text + "  %y = " + std::string(call.call) + "\n  output \"y\" = %y\n}\n";
}

compiler::Graph graph_of(const std::string& text) {
  Diagnostics diagnostics;
  auto graph = compiler::parse(text, {"calls.hpp", {}}, diagnostics);
  if (graph) return std::move(*graph);
  throw Error(ExitCode::internal, diagnostics.all().empty() ? "no graph" : diagnostics.all()[0].message + "\n" + text);
}

void print_call(std::ostream& out, const GpuCall& call) {
  const compiler::Graph graph = graph_of(graph_text(call));
  const Cost cost = cost_of(graph.spec(graph.order().front()));
  out << Json{{"call", call.name},   {"inputs", call.inputs}, {"text", call.call},
              {"flops", cost.flops}, {"bytes", cost.bytes},   {"quick", call.quick}}
             .dump()
      << "\n";
}

class Benchmark {
 public:
  Benchmark(const Options& options, std::ostream& out)
      : options_(options),
        out_(out),
        context_(api::open_device({.device = options.device, .gpuValidation = options.validation}), 1),
        cpu_(api::open_device({}), runtime::available_threads()) {}

  /// False when a result was wrong.
  bool run() {
    const runtime::Device& device = context_.device();
    print({{"device", device.name()},
           {"features", text_of(device.target().features)},
           {"computeUnits", device.target().compute_units}});
    if (!options_.prepare) measure_ceilings();
    for (const GpuCall& call : gpu_calls)
      if ((!options_.quick || call.quick) && call.name.find(options_.only) != std::string_view::npos) measure(call);
    const auto wants = [&](std::string_view name) {
      return !options_.prepare && name.find(options_.only) != std::string_view::npos;
    };
    if (wants("dispatches")) measure_dispatches();
    if (wants("transfers")) measure_transfers();
    for (const std::string& file : options_.networks) measure_network(file);
    return all_right_;
  }

 private:
  void print(const Json& row) { out_ << row.dump() << std::endl; }

  std::optional<Program> compile(const compiler::Graph& graph, runtime::Context& context,
                                 const compiler::Tuning& tuning = {}, int level = compiler::Options().level) {
    Diagnostics diagnostics;
    compiler::Options options;
    options.tuning = tuning;
    options.level = level;
    return api::compile_program(graph, std::move(options), context.device(), {}, diagnostics);
  }

  runtime::vulkan::VulkanDevice& device() {
    return const_cast<runtime::vulkan::VulkanDevice&>(
        dynamic_cast<const runtime::vulkan::VulkanDevice&>(context_.device()));
  }

  void warm_up() {
    if (warmth_) warmth_->restore();
  }

  void measure_ceilings() {
    if (!options_.quick) warmth_.emplace(device());
    warm_up();
    const auto flops_of = [&](Arithmetic& arithmetic) {
      return arithmetic.flops() / median(times_of(options_.seconds, [&] { return arithmetic.run(); }));
    };
    const auto [lanes, turns] = options_.quick ? std::pair(1u << 12, 1000u) : std::pair(1u << 20, 20'000u);
    ceilings_.flops = flops_of(*Arithmetic::of_lanes(device(), lanes, turns));
    ceilings_.half_flops = ceilings_.byte_flops = ceilings_.flops;
    print({{"ceiling", "float32 multiplications and additions"}, {"tflops", ceilings_.flops * 1e-12}});
    if (const auto units = Arithmetic::of_units(device(), lanes / 256, turns / 2)) {
      ceilings_.half_flops = flops_of(*units);
      print({{"ceiling", "float16 products of matrix units"}, {"tflops", ceilings_.half_flops * 1e-12}});
    }
    if (const auto dots = Arithmetic::of_dots(device(), lanes, turns)) {
      ceilings_.byte_flops = flops_of(*dots);
      print({{"ceiling", "sums of four products of bytes"}, {"tflops", ceilings_.byte_flops * 1e-12}});
    }
    const std::string size = options_.quick ? "1048576" : "67108864";
    const std::string text =
        "graph \"copy\" {\n  %x = input float32[" + size + "]\n  %y = neg(%x)\n  output \"y\" = %y\n}\n";
    const auto program = compile(graph_of(text), context_);
    Trial copy(context_, *program, random_data(*program), 2);
    warm_up();
    const double best = times_of(options_.seconds, [&] { return copy.run_timed(); }).front();
    ceilings_.bytes = 2 * double(byte_length(program->inputs[0].descriptor)) / best;
    print({{"ceiling", "copy"}, {"gigabytesPerSecond", ceilings_.bytes * 1e-9}});
  }

  void measure(const GpuCall& call) {
    const compiler::Graph graph = graph_of(graph_text(call));
    const auto usual = compile(graph, context_);
    if (!usual || usual->steps.size() != 1) return print({{"call", call.name}, {"skipped", "it is not one step"}});
    const KernelSpec spec = spec_of(*usual, usual->steps[0]);
    const std::string text = compiler::call_text(spec, std::vector<bool>(spec.inputs.size()));
    compiler::Options choice;
    choice.target = context_.device().target();
    choice.kernel_table = api::kernel_table();
    choice.available = [&](const KernelRow& kernel, const KernelSpec& of) {
      return context_.device().can_run({&kernel}, of);
    };
    const std::vector<Data> data = random_data(*usual);
    std::vector<std::byte> expected;
    if (!options_.prepare) {
      const auto on_cpu = compile(graph, cpu_);
      if (on_cpu) expected = Trial(cpu_, *on_cpu, data, 1).result_of_run();
    }
    std::vector<KernelId> kernels = compiler::kernels_to_measure(spec, choice);
    if (std::ranges::find(kernels, usual->steps[0].kernel) == kernels.end()) kernels.push_back(usual->steps[0].kernel);
    for (const KernelId kernel : kernels) {
      const auto is_left_out = [&](const std::string& end) { return row(kernel).name.ends_with(end); };
      if (kernel != usual->steps[0].kernel && std::ranges::any_of(options_.without, is_left_out)) continue;
      compiler::Tuning tuning;
      tuning.calls.emplace(text, compiler::CallPreference{kernel, kernel, 0});
      const auto program = compile(graph, context_, tuning);
      if (!program || program->steps[0].kernel != kernel) continue;
      measure(call, *program, data, expected, kernel == usual->steps[0].kernel);
    }
  }

  void measure(const GpuCall& call, const Program& program, std::span<const Data> data,
               std::span<const std::byte> expected, bool is_chosen) {
    if (options_.prepare) {
      print_plan(call, program, is_chosen);
      Trial(context_, program, data, 1).run();
      return;
    }
    const KernelSpec spec = spec_of(program, program.steps[0]);
    const Cost cost = cost_of(spec);
    constexpr double beyond_caches = 256e6;
    const auto sets = std::size_t(std::clamp(beyond_caches / double(cost.bytes), 1.0, 8.0));
    Repetitions repetitions(device(), program, data, options_.quick ? 2 : sets);
    warm_up();
    // As many as hide what the timestamps take, and no more than end soon on a slow device.
    constexpr double least_seconds = 2e-3, most_repetitions = 200;
    const double first = times_of(0, [&] { return repetitions.run(); }).front();
    repetitions.repeat(std::size_t(std::clamp(least_seconds / first, 1.0, most_repetitions)));
    const std::vector<double> times = times_of(options_.seconds, [&] { return repetitions.run(); });
    const double seconds = median(times);
    Json result{{"call", call.name},
                {"kernel", row(program.steps[0].kernel).name},
                {"class", compiler::call_class(spec)},
                {"chosen", is_chosen},
                {"microseconds", seconds * 1e6},
                {"best", times.front() * 1e6},
                {"runs", times.size()},
                {"repetitions", repetitions.count()},
                {"tflops", double(cost.flops) / seconds * 1e-12},
                {"gigabytesPerSecond", double(cost.bytes) / seconds * 1e-9},
                {"shareOfFloor", floor_of(spec) / seconds}};
    const OperandDescriptor& output = program.outputs[0].descriptor;
    judge(result, output, repetitions.result(), expected, tolerance_of(output.type));
    print(result);
  }

  /// Of one call's results, as a share of the largest. Bytes may be rounded either way.
  static double tolerance_of(DataType type) {
    if (type == DataType::float16) return 4e-3;
    return bits_of(type) <= 8 ? 1.5 / 127 : 1e-4;
  }

  /// What is prepared next, and what it is about to dispatch: a line of standard error before what a driver says of it.
  void print_plan(const GpuCall& call, const Program& program, bool is_chosen) {
    const KernelSpec spec = spec_of(program, program.steps[0]);
    const auto& device = dynamic_cast<const runtime::vulkan::VulkanDevice&>(context_.device());
    const Cost cost = cost_of(spec);
    Json plan{{"call", call.name},          {"kernel", row(program.steps[0].kernel).name},
              {"chosen", is_chosen},        {"class", compiler::call_class(spec)},
              {"flops", cost.flops},        {"bytes", cost.bytes},
              {"dispatches", Json::array()}};
    const auto* const kernel = runtime::vulkan::gpu_kernels().find(program.steps[0].kernel);
    runtime::vulkan::Dispatches list = kernel->dispatches(spec, device.target());
    list.unroll();
    for (const auto& dispatch : list.dispatches) {
      plan["dispatches"].push_back({{"shader", dispatch.shader.name},
                                    {"groups", dispatch.groups},
                                    {"lanes", dispatch.lanes_of(device.queue().profile().subgroup_size)},
                                    {"sharedBytes", dispatch.shared_bytes},
                                    {"turns", dispatch.turns},
                                    {"mainTurns", dispatch.main_turns}});
    }
    std::cerr << "PREPARE " << plan.dump() << std::endl;
  }

  /// The time that the ceilings allow.
  double floor_of(const KernelSpec& spec) const {
    const Cost cost = cost_of(spec);
    const double flops = spec.op == "@quantizedConv2d"_op            ? ceilings_.byte_flops
                         : spec.outputs[0].type == DataType::float16 ? ceilings_.half_flops
                                                                     : ceilings_.flops;
    return std::max(double(cost.flops) / flops, double(cost.bytes) / ceilings_.bytes);
  }

  /// A graph file as a whole: one run at a time, and with the next one requested before the last has ended.
  void measure_network(const std::string& file) {
    const std::string name = std::filesystem::path(file).stem().string();
    Diagnostics diagnostics;
    const auto graph = compiler::load_graph(file, {}, diagnostics);
    if (!graph) throw Error(ExitCode::invalid_input, file + " is no graph file");
    const auto program = compile(*graph, context_);
    if (!program) return print({{"network", name}, {"skipped", "the device does not run it"}});
    const std::vector<Data> data = random_data(*program);
    if (options_.prepare) {
      std::cerr << "PREPARE " << name << std::endl;
      Trial(context_, *program, data, 1).run();
      return;
    }
    double floor = 0;
    Cost all;
    for (const Step& step : program->steps) {
      const KernelSpec spec = spec_of(*program, step);
      floor += floor_of(spec);
      all += cost_of(spec);
    }
    Trial trial(context_, *program, data, 2);
    constexpr std::size_t at_once = 10;
    warm_up();
    const std::vector<double> times = times_of(options_.seconds, [&] { return trial.run(); });
    const std::vector<double> queued = times_of(options_.seconds, [&] { return trial.run_all(at_once); });
    const double seconds = median(queued);
    const OperandDescriptor &input = program->inputs[0].descriptor, &output = program->outputs[0].descriptor;
    Json result{{"network", name},
                {"batch", input.shape.rank() == 0 ? 1 : input.shape[0]},
                {"type", name_of(input.type)},
                {"steps", program->steps.size()},
                {"milliseconds", median(times) * 1e3},
                {"best", times.front() * 1e3},
                {"millisecondsQueued", seconds * 1e3},
                {"tflops", double(all.flops) / seconds * 1e-12},
                {"gigabytesPerSecond", double(all.bytes) / seconds * 1e-9},
                {"shareOfFloor", floor / seconds}};
    const auto on_cpu = compile(*graph, cpu_);
    const auto expected = on_cpu ? Trial(cpu_, *on_cpu, data, 1).result_of_run() : std::vector<std::byte>();
    // A byte that is rounded the other way where it lies halfway changes all bytes behind it.
    const bool has_bytes = std::ranges::any_of(
        program->steps, [](const Step& step) { return row(step.op).family == Family::quantization; });
    judge(result, output, trial.result(), expected, has_bytes ? 0.2 : output.type == DataType::float16 ? 5e-2 : 1e-3);
    print(result);
  }

  /// Says in the row how far the result is from the CPU's, as a share of its largest element.
  void judge(Json& row, const OperandDescriptor& descriptor, std::span<const std::byte> result,
             std::span<const std::byte> expected, double most) {
    row["right"] = nullptr;
    if (expected.empty()) return;  // the CPU did not compile it
    const double apart = difference(descriptor, result, expected);
    row["difference"] = apart;
    row["right"] = apart < most;
    all_right_ = all_right_ && apart < most;
  }

  /// Many small steps: one after another, and all at the same time.
  void measure_dispatches() {
    constexpr int count = 200;
    const auto single = compile(
        graph_of("graph \"one\" {\n  %x = input float32[64]\n  %y = neg(%x)\n  output \"y\" = %y\n}\n"), context_);
    if (single) {  // part of the time of a network that is measured on the device
      Trial trial(context_, *single, random_data(*single), 1);
      warm_up();
      print({{"dispatches", "one, with its timestamps"},
             {"count", 1},
             {"microsecondsEach", median(times_of(options_.seconds, [&] { return trial.run_timed(); })) * 1e6}});
    }
    for (const bool dependent : {true, false}) {
      std::string text = "graph \"dispatches\" {\n  %v0 = input float32[64]\n";
      for (int i = 1; i <= count; ++i)
        text += "  %v" + std::to_string(i) + " = neg(%v" + std::to_string(dependent ? i - 1 : 0) + ")\n";
      for (int i = dependent ? count : 1; i <= count; ++i)
        text += "  output \"y" + std::to_string(i) + "\" = %v" + std::to_string(i) + "\n";
      const auto program = compile(graph_of(text + "}\n"), context_, {}, 0);
      if (!program) continue;
      Trial trial(context_, *program, random_data(*program), 1);
      warm_up();
      const std::vector<double> times = times_of(options_.seconds, [&] { return trial.run(); });
      print({{"dispatches", dependent ? "dependent" : "independent"},
             {"count", program->steps.size()},
             {"microsecondsEach", median(times) * 1e6 / double(program->steps.size())}});
    }
  }

  void measure_transfers() {
    const std::uint32_t size = options_.quick ? 1u << 18 : 1u << 24;
    const runtime::TensorDescriptor descriptor{{DataType::float32, Shape{size}}, true, true};
    const TensorId tensor = context_.create_tensor(descriptor);
    std::vector<std::byte> bytes(byte_length(descriptor.operand), std::byte{1});
    const auto seconds_of = [&](auto act) {
      return median(times_of(options_.seconds, [&] {
        const auto begin = Clock::now();
        act();
        return std::chrono::duration<double>(Clock::now() - begin).count();
      }));
    };
    warm_up();
    const double write = seconds_of([&] { context_.write(tensor, bytes), context_.wait(); });
    const double read = seconds_of([&] { context_.read(tensor, bytes).get(); });
    print({{"transfer", "write"}, {"gigabytesPerSecond", double(bytes.size()) / write * 1e-9}});
    print({{"transfer", "read"}, {"gigabytesPerSecond", double(bytes.size()) / read * 1e-9}});
    context_.destroy(tensor);
  }

  const Options& options_;
  std::ostream& out_;
  runtime::Context context_, cpu_;
  Ceilings ceilings_;
  std::optional<Warmth> warmth_;
  bool all_right_ = true;
};

int run(int argc, char** argv) {
  Options options;
  CLI::App app{"Measures a GPU: ceilings, calls with every kernel that takes them, dispatches, transfers, networks."};
  app.add_option("--device", options.device, "gpu, gpu:N or gpu:UUID");
  app.add_option("--only", options.only, "calls whose names contain this text; dispatches; transfers");
  app.add_option("--output", options.output, "the file for the JSON lines, else standard output");
  app.add_option("--seconds", options.seconds, "for each kernel")->check(CLI::PositiveNumber);
  app.add_option("--networks", options.networks, "graph files to be measured, too; each may be named by its own option")
      ->check(CLI::ExistingFile);
  app.add_option("--without", options.without,
                 "kernels whose names end with this are not measured unless they are chosen")
      ->delimiter(',');
  app.add_flag("--quick", options.quick, "small calls only, for software");
  app.add_flag("--list", options.list, "prints the calls as JSON lines");
  app.add_flag("--prepare", options.prepare,
               "compiles the kernels, names each on standard error before, measures nothing");
  app.add_flag("--gpu-validation", options.validation, "with the validation layers");
  CLI11_PARSE(app, argc, argv);
  std::ofstream file;
  if (!options.output.empty()) file.open(options.output);
  std::ostream& out = options.output.empty() ? std::cout : file;
  if (!out) {
    std::cerr << "benchmark-gpu: cannot write " << options.output << "\n";
    return int(ExitCode::io);
  }
  try {
    if (options.list) {
      for (const GpuCall& call : gpu_calls) print_call(out, call);
      return 0;
    }
    if (!Benchmark(options, out).run()) return int(ExitCode::negative);
  } catch (const Error& error) {
    std::cerr << "benchmark-gpu: " << error.what() << "\n";
    return int(error.code());
  }
  return 0;
}

}  // namespace
}  // namespace webnn::benchmarks

int main(int argc, char** argv) { return webnn::benchmarks::run(argc, argv); }
