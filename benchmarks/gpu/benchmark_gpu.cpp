// benchmark-gpu: measures a GPU. First what it does at most: arithmetic, copies; then calls (calls.hpp), each with every
// kernel that takes it, as shares of these ceilings; then dispatches and transfers. Every result is compared with the
// CPU's. Prints a JSON object per line.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "api/devices.hpp"
#include "api/kernels.hpp"
#include "api/runner/compile_program.hpp"
#include "benchmarks/gpu/calls.hpp"
#include "compiler/ir/call_text.hpp"
#include "compiler/ir/parse.hpp"
#include "compiler/passes/parts/choose_kernel.hpp"
#include "models/writer/random.hpp"
#include "runtime/context.hpp"
#include "runtime/threads/processors.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/elements/elements.hpp"
#include "schema/kernels/cost.hpp"

namespace webnn::benchmarks {
namespace {

using namespace schema;
using Json = nlohmann::ordered_json;
using runtime::TensorId;
using Clock = std::chrono::steady_clock;

struct Options {
  std::string device = "gpu", only, output;
  double seconds = 0.3;
  bool quick = false, list = false, prepare = false, validation = false;
};

/// What a device does at most.
struct Ceilings {
  double flops = 0, bytes = 0;  // per second
};

struct Data {
  Binding binding;
  std::vector<std::byte> bytes;
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

std::vector<Data> random_data(const Program& program) {
  std::vector<Data> all;
  models::Random chance(1);
  for (const Binding& input : program.inputs) {
    Data& data = all.emplace_back(Data{input, std::vector<std::byte>(byte_length(input.descriptor))});
    const std::size_t count = element_count(input.descriptor.shape);
    // Integers are indices into the shortest axis of the list that is gathered from.
    const bool real = input.descriptor.type == DataType::float32 || input.descriptor.type == DataType::float16;
    for (std::size_t i = 0; i < count; ++i)
      store_element(real ? Number(double(chance.uniform(-1, 1))) : Number(std::int64_t(chance.below(1000))),
                    input.descriptor.type, data.bytes.data(), i);
  }
  return all;
}

/// A program on a context, with its tensors. Several sets of them take turns, so that caches do not hold all data.
class Trial {
 public:
  Trial(runtime::Context& context, Program program, std::span<const Data> data, std::size_t sets)
      : context_(context), times_(program.steps.size()) {
    outputs_ = program.outputs;
    executable_ = context_.load(std::move(program));
    for (std::size_t set = 0; set < sets; ++set) {
      std::vector<runtime::NamedTensor> inputs, outputs;
      for (const Data& input : data) {
        inputs.push_back({input.binding.name, keep(context_.create_tensor({input.binding.descriptor, false, true}))});
        context_.write(inputs.back().tensor, input.bytes);
      }
      for (const Binding& output : outputs_)
        outputs.push_back({output.name, keep(context_.create_tensor({output.descriptor, true, false}))});
      results_.push_back(outputs.front().tensor);
      bindings_.push_back(context_.bind(executable_, inputs, outputs));
    }
  }
  ~Trial() {
    bindings_.clear();
    context_.destroy(executable_);
    for (const TensorId tensor : tensors_) context_.destroy(tensor);
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  /// Seconds on the device, from the first step's begin to the last one's end.
  double run_timed() {
    context_.compute_timed(next(), times_);
    return double(times_.back().end - times_.front().begin) * 1e-9;
  }
  /// Seconds from the request to the end.
  double run() {
    const auto begin = Clock::now();
    context_.compute(next());
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }
  std::vector<std::byte> result_of_run() {
    run();
    return result();
  }
  std::vector<std::byte> result() { return context_.read(results_.front()).get(); }

 private:
  TensorId keep(TensorId tensor) { return tensors_.emplace_back(tensor); }
  const std::shared_ptr<runtime::Bindings>& next() { return bindings_[turn_++ % bindings_.size()]; }

  runtime::Context& context_;
  std::vector<runtime::StepTime> times_;
  std::vector<Binding> outputs_;
  runtime::ExecutableId executable_;
  std::vector<TensorId> tensors_, results_;
  std::vector<std::shared_ptr<runtime::Bindings>> bindings_;
  std::size_t turn_ = 0;
};

template <typename Run>
std::vector<double> times_of(double seconds, Run run) {
  std::vector<double> times;
  run();  // compiles, and touches the memory
  const auto begin = Clock::now();
  while (times.size() < 5 ||
         (std::chrono::duration<double>(Clock::now() - begin).count() < seconds && times.size() < 10'000))
    times.push_back(run());
  std::ranges::sort(times);
  return times;
}
double median(const std::vector<double>& sorted) { return sorted[sorted.size() / 2]; }

/// The largest difference of sampled elements, as a share of the largest element. The samples are random, with the first
/// and last ones, so that no row, column or lane is left out by a stride.
double difference(const OperandDescriptor& descriptor, std::span<const std::byte> a, std::span<const std::byte> b) {
  constexpr std::size_t samples = 40'000, ends = 300;
  const std::size_t count = element_count(descriptor.shape);
  models::Random chance(2);
  double most = 0, largest = 0;
  for (std::size_t sample = 0; sample < std::min(count, samples); ++sample) {
    const bool is_first = count <= samples || sample < ends, is_last = !is_first && sample < 2 * ends;
    const std::size_t i = is_first ? sample : is_last ? count - 1 - (sample - ends) : chance.bits() % count;
    const double x = load_element(descriptor.type, a.data(), i).as_double(),
                 y = load_element(descriptor.type, b.data(), i).as_double();
    if (std::isnan(x) != std::isnan(y)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::abs(y));
    if (!std::isnan(x)) most = std::max(most, std::abs(x - y));
  }
  return largest > 0 ? most / largest : most;
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
    if (options_.prepare || !options_.only.empty()) return all_right_;
    measure_dispatches();
    measure_transfers();
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

  void measure_ceilings() {
    auto& device = const_cast<runtime::vulkan::VulkanDevice&>(
        dynamic_cast<const runtime::vulkan::VulkanDevice&>(context_.device()));
    const std::uint32_t count = options_.quick ? 1u << 12 : 1u << 20, turns = options_.quick ? 1000 : 20'000;
    const OperandDescriptor y{DataType::float32, Shape{count}};
    KernelSpec spec;
    spec.op = *find_operator("identity");
    spec.inputs = {y};
    spec.outputs = {y};
    runtime::vulkan::DispatchMaker maker(runtime::vulkan::shaders::arithmetic(), {});
    maker.output(spec).word(count).word(turns).turns(turns);
    const runtime::Kernel kernel = device.make_kernel(runtime::vulkan::Dispatches(maker.over(count)), spec);
    const runtime::Buffer buffer = device.allocate(byte_length(y));
    const std::byte* const input = buffer.address();
    std::byte* const output = buffer.address();
    const runtime::Invocation invocation{&kernel, {{&input, 1}, {&output, 1}, nullptr}};
    const auto sequence = device.prepare({&invocation, 1});
    runtime::StepTime time;
    const double seconds = median(times_of(options_.seconds, [&] {
      sequence->run_timed({&time, 1});
      return double(time.end - time.begin) * 1e-9;
    }));
    constexpr double flops_of_turn = 8 * 4 * 2;
    ceilings_.flops = double(count) * turns * flops_of_turn / seconds;
    print({{"ceiling", "float32 multiplications and additions"}, {"tflops", ceilings_.flops * 1e-12}});

    const std::string size = options_.quick ? "1048576" : "67108864";
    const std::string text =
        "graph \"copy\" {\n  %x = input float32[" + size + "]\n  %y = neg(%x)\n  output \"y\" = %y\n}\n";
    const auto program = compile(graph_of(text), context_);
    Trial copy(context_, *program, random_data(*program), 2);
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
      compiler::Tuning tuning;
      tuning.calls.emplace(text, compiler::CallPreference{kernel, kernel, 0});
      const auto program = compile(graph, context_, tuning);
      if (!program || program->steps[0].kernel != kernel) continue;
      measure(call, *program, data, expected, kernel == usual->steps[0].kernel);
    }
  }

  void measure(const GpuCall& call, const Program& program, std::span<const Data> data,
               std::span<const std::byte> expected, bool is_chosen) {
    const std::string_view kernel = row(program.steps[0].kernel).name;
    if (options_.prepare) {
      std::cerr << "PREPARE " << call.name << " | " << kernel << (is_chosen ? " | chosen" : "") << std::endl;
      Trial(context_, program, data, 1).run();
      return;
    }
    const Cost cost = cost_of(spec_of(program, program.steps[0]));
    constexpr double beyond_caches = 256e6;
    const auto sets = std::size_t(std::clamp(beyond_caches / double(cost.bytes), 1.0, 8.0));
    Trial trial(context_, program, data, options_.quick ? 2 : sets);
    const std::vector<double> times = times_of(options_.seconds, [&] { return trial.run_timed(); });
    const double seconds = median(times);
    const double floor = std::max(double(cost.flops) / ceilings_.flops, double(cost.bytes) / ceilings_.bytes);
    Json result{{"call", call.name},
                {"kernel", kernel},
                {"chosen", is_chosen},
                {"microseconds", seconds * 1e6},
                {"best", times.front() * 1e6},
                {"runs", times.size()},
                {"tflops", double(cost.flops) / seconds * 1e-12},
                {"gigabytesPerSecond", double(cost.bytes) / seconds * 1e-9},
                {"shareOfFloor", floor / seconds}};
    if (expected.empty()) {
      result["right"] = nullptr;  // the CPU did not compile the call
    } else {
      const double apart = difference(program.outputs[0].descriptor, trial.result(), expected);
      result["difference"] = apart;
      const bool right = apart < (program.outputs[0].descriptor.type == DataType::float16 ? 4e-3 : 1e-4);
      result["right"] = right;
      all_right_ = all_right_ && right;
    }
    print(result);
  }

  /// Many small steps: one after another, and all at the same time.
  void measure_dispatches() {
    constexpr int count = 200;
    for (const bool dependent : {true, false}) {
      std::string text = "graph \"dispatches\" {\n  %v0 = input float32[64]\n";
      for (int i = 1; i <= count; ++i)
        text += "  %v" + std::to_string(i) + " = neg(%v" + std::to_string(dependent ? i - 1 : 0) + ")\n";
      for (int i = dependent ? count : 1; i <= count; ++i)
        text += "  output \"y" + std::to_string(i) + "\" = %v" + std::to_string(i) + "\n";
      const auto program = compile(graph_of(text + "}\n"), context_, {}, 0);
      if (!program) continue;
      Trial trial(context_, *program, random_data(*program), 1);
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
  bool all_right_ = true;
};

int run(int argc, char** argv) {
  Options options;
  CLI::App app{"Measures a GPU: ceilings, calls with every kernel that takes them, dispatches, transfers."};
  app.add_option("--device", options.device, "gpu, gpu:N or gpu:UUID");
  app.add_option("--only", options.only, "calls whose names contain this text");
  app.add_option("--output", options.output, "the file for the JSON lines, else standard output");
  app.add_option("--seconds", options.seconds, "for each kernel")->check(CLI::PositiveNumber);
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
  if (options.list) {
    for (const GpuCall& call : gpu_calls)
      out << Json{{"call", call.name}, {"inputs", call.inputs}, {"text", call.call}, {"quick", call.quick}}.dump()
          << "\n";
    return 0;
  }
  try {
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
