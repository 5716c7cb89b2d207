#include "cli/tuning/trial.hpp"

#include "cli/inputs/bound_inputs.hpp"
#include "cli/measure/statistics.hpp"
#include "cli/programs/loaded_model.hpp"
#include "compiler/ir/call_text.hpp"

namespace webnn::cli {

using namespace schema;

namespace {

bool is_channels_last(const KernelSpec& spec) {
  for (std::size_t i = 0; i < spec.inputs.size(); ++i)
    if (spec.inputs[i] && spec.is_activation(i) && spec.input_layout(i) == Layout::channels_last &&
        !layouts_coincide(spec.inputs[i]->shape))
      return true;
  for (std::size_t i = 0; i < spec.outputs.size(); ++i)
    if (spec.output_layout(i) == Layout::channels_last && !layouts_coincide(spec.outputs[i].shape)) return true;
  return false;
}

}  // namespace

std::vector<Way> ways_of(const Program& program) {
  std::vector<Way> ways;
  for (const Step& step : program.steps) {
    std::vector<bool> constant;
    for (const std::uint32_t input : step.inputs)
      constant.push_back(input != no_index && program.values[input].slot.kind == Slot::Kind::constant);
    const KernelSpec spec = spec_of(program, step);
    ways.push_back({compiler::call_text(spec, constant), step.kernel,
                    is_channels_last(spec) ? Layout::channels_last : Layout::row_major});
  }
  return ways;
}

TrialTensors::TrialTensors(runtime::Context& context, const Program& program, std::uint64_t max_tensor_bytes)
    : context_(context) {
  InputOptions chance;
  chance.fill = "random(seed=1)";
  const auto data = gather_inputs(chance, api::slots_of(program.inputs), max_tensor_bytes);
  for (std::size_t i = 0; i < data.size(); ++i) {
    names_.push_back(program.inputs[i].name);
    inputs_.push_back(context_.create_tensor({program.inputs[i].descriptor, false, true}));
    context_.write(inputs_.back(), data[i].data.view());
  }
  for (const Binding& output : program.outputs) {
    names_.push_back(output.name);
    outputs_.push_back(context_.create_tensor({output.descriptor, true, false}));
  }
}

TrialTensors::~TrialTensors() {
  for (const auto* tensors : {&inputs_, &outputs_})
    for (const runtime::TensorId tensor : *tensors) context_.destroy(tensor);
}

std::shared_ptr<runtime::Bindings> TrialTensors::bind(runtime::ExecutableId executable) const {
  std::vector<runtime::NamedTensor> inputs, outputs;
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs.push_back({names_[i], inputs_[i]});
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs.push_back({names_[inputs_.size() + i], outputs_[i]});
  return context_.bind(executable, inputs, outputs);
}

Trial::Trial(runtime::Context& context, const TrialTensors& tensors, Program program)
    : context_(context), ways_(ways_of(program)), times_(program.steps.size()), last_(program.steps.size()) {
  for (const Step& step : program.steps) {
    std::uint64_t bytes = 0;
    for (const std::uint32_t output : step.outputs) bytes += byte_length(program.values[output].descriptor);
    output_bytes_.push_back(bytes);
  }
  executable_ = context_.load(std::move(program));
  bindings_ = tensors.bind(executable_);
}

Trial::~Trial() {
  bindings_.reset();
  context_.destroy(executable_);
}

double Trial::run() {
  const std::uint64_t begin = runtime::steady_nanoseconds();
  context_.compute(bindings_);
  return double(runtime::steady_nanoseconds() - begin);
}

double Trial::run_timed() {
  const std::uint64_t begin = runtime::steady_nanoseconds();
  context_.compute_timed(bindings_, last_);
  const double whole = double(runtime::steady_nanoseconds() - begin);
  for (std::size_t i = 0; i < last_.size(); ++i) times_[i].push_back(double(last_[i].end - last_[i].begin));
  return whole;
}

std::vector<double> Trial::take_step_times() {
  std::vector<double> medians;
  for (std::vector<double>& times : times_) {
    medians.push_back(times.empty() ? 0 : median_of(times));
    times.clear();
  }
  return medians;
}

}  // namespace webnn::cli
