#include "tests/random_graphs/variants.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string_view>

#include "api/devices.hpp"
#include "api/kernels.hpp"
#include "api/runner/compile_program.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "schema/file/program_file.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/forged_file.hpp"
#include "tests/harness/providers.hpp"

namespace webnn::tests {

namespace {

/// A CPU whose kernels are damaged.
class DamagedCpu : public runtime::CpuDevice {
 public:
  explicit DamagedCpu(Damage damage) : damage_(std::move(damage)) {}

  runtime::Kernel make_kernel(KernelId id, const KernelSpec& spec,
                              std::span<const std::span<const std::byte>> constants) override {
    KernelSpec changed = spec;
    if (damage_.spec) damage_.spec(changed);
    runtime::Kernel kernel = CpuDevice::make_kernel(id, changed, constants);
    return damage_.kernel ? damage_.kernel(spec, std::move(kernel)) : kernel;
  }

 private:
  Damage damage_;
};

std::unique_ptr<runtime::Device> open(const Variant& variant, const Damage& damage) {
  if (damage.spec || damage.kernel) return std::make_unique<DamagedCpu>(damage);
  ContextOptions options;
  options.device = variant.device;
  options.isa = variant.isa;
  options.gpuValidation = variant.validated;
  return api::open_device(options);
}

Program written_and_read(const Program& program, const Target& target) {
  File file = written_file([&](const FileSink& sink) { write_program(program, sink); });
  Diagnostics diagnostics;
  auto read = read_program(Bytes(std::move(file)), "random.wnnc", api::kernel_table(), &target, diagnostics);
  if (!read) throw std::runtime_error("the written program cannot be read: " + render(diagnostics));
  return std::move(*read);
}

}  // namespace

std::vector<Variant> cpu_variants() {
  std::vector<Variant> variants = {
      {.name = "-O0, reference kernels", .device = "cpu:reference", .level = 0},
      {.name = "-O0, 2 threads", .threads = 2, .level = 0},
      {.name = "-O1, a program file", .level = 1, .through_file = true},
      {.name = "-O2"},
      {.name = "-O2, 3 threads", .threads = 3, .same_as = "-O2"},
      {.name = "-O2, results pass on line by line", .passes_lines = true, .same_as = "-O2"},
      {.name = "-O2, the same, 3 threads", .threads = 3, .passes_lines = true, .same_as = "-O2"},
      {.name = "-O3, a program file, 2 threads", .threads = 2, .level = 3, .through_file = true},
      {.name = "baseline", .isa = "baseline"},
      {.name = "kernels that are not chosen otherwise, 2 threads", .threads = 2, .any_kernels = true},
  };
  if (has_provider("onednn")) variants.push_back({.name = "oneDNN, 2 threads", .device = "cpu:onednn", .threads = 2});
  if (has_provider("xnnpack")) variants.push_back({.name = "XNNPACK", .device = "cpu:xnnpack"});
  const Feature machine = runtime::detect_cpu_features();
  for (const std::string_view isa : runtime::isa_names())
    if (const Feature features = *runtime::parse_isa(isa);
        features != Feature::none && includes(machine, features) && machine != features)
      variants.push_back({.name = std::string(isa), .isa = std::string(isa)});
  return variants;
}

std::vector<Variant> gpu_variants() {
  return {{.name = "GPU", .device = "gpu"},
          {.name = "GPU, -O0, a program file, validated",
           .device = "gpu",
           .level = 0,
           .through_file = true,
           .validated = true},
          {.name = "GPU, kernels that are not chosen otherwise, validated",
           .device = "gpu",
           .validated = true,
           .any_kernels = true}};
}

VariantRunner::VariantRunner(Variant variant, Damage damage)
    : variant_(std::move(variant)),
      damage_(std::move(damage)),
      provider_(api::parse_device_name(variant_.device).provider),
      context_(std::make_unique<runtime::Context>(open(variant_, damage_), variant_.threads)) {}

std::vector<TestTensor> VariantRunner::run(const Network& network) {
  runtime::Context& context = *context_;
  Diagnostics diagnostics;
  compiler::Options options = options_of_tests();
  options.level = variant_.level;
  if (variant_.passes_lines) options.least_bytes_of_lines = 1;
  if (variant_.any_kernels)
    options.available = [graph = network.graph.value_count()](const KernelRow& kernel, const KernelSpec&) {
      return (std::hash<std::string_view>()(kernel.name) + graph) % 3 != 0;
    };
  auto program = api::compile_program(network.graph, options, context.device(), provider_, diagnostics);
  if (!program && variant_.any_kernels) {  // an operator has no other kernel
    options.available = nullptr;
    diagnostics = {};
    program = api::compile_program(network.graph, options, context.device(), provider_, diagnostics);
  }
  if (!program) throw std::runtime_error("a valid graph does not compile: " + render(diagnostics));
  if (damage_.program) damage_.program(*program);
  if (variant_.through_file) program = written_and_read(*program, context.device().target());

  const runtime::ExecutableId executable = context.load(std::move(*program));
  const Program& loaded = context.executable(executable).program();
  std::vector<runtime::NamedTensor> inputs, outputs;
  for (const Binding& input : loaded.inputs) {
    inputs.push_back({input.name, context.create_tensor({input.descriptor, false, true})});
    const auto given = std::ranges::find(network.inputs, input.name, &TestTensors::value_type::first);
    context.write(inputs.back().tensor, given->second.data);
  }
  for (const Binding& output : loaded.outputs)
    outputs.push_back({output.name, context.create_tensor({output.descriptor, true, false})});

  std::vector<TestTensor> results;
  bool repeats = true;
  for (int turn = 0; turn < 2; ++turn) {
    context.dispatch(executable, inputs, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      TestTensor result{loaded.outputs[i].descriptor, context.read(outputs[i].tensor).get()};
      if (turn == 0) {
        results.push_back(std::move(result));
      } else {
        repeats = repeats && result == results[i];
      }
    }
  }
  for (const auto* tensors : {&inputs, &outputs})
    for (const runtime::NamedTensor& tensor : *tensors) context.destroy(tensor.tensor);
  context.destroy(executable);
  if (!repeats) throw std::runtime_error("the second run gives other bits");
  return results;
}

}  // namespace webnn::tests
