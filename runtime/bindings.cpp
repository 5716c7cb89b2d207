#include "runtime/bindings.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "runtime/refuse.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::runtime {
namespace {

enum class Direction { input, output };

/// The tensors in the order of the program's bindings; null for a missing input.
Bindings::Tensors resolve(const ExecutableState& executable, Direction direction, std::span<const NamedTensor> named,
                          const Bindings::FindTensor& find) {
  const bool is_input = direction == Direction::input;
  const std::string kind = is_input ? "input " : "output ";
  const Program& program = executable.executable()->program();
  const std::vector<Binding>& bindings = is_input ? program.inputs : program.outputs;
  const auto& names = is_input ? executable.input_names() : executable.output_names();

  Bindings::Tensors tensors(bindings.size());
  for (const NamedTensor& entry : named) {
    const auto found = names.find(entry.name);
    if (found == names.end()) refuse("the graph has no " + kind + in_quotes(entry.name));
    const Binding& binding = bindings[found->second];
    const std::shared_ptr<TensorState>& tensor = find(entry.tensor, entry.name);
    if (tensor->descriptor().operand != binding.descriptor)
      refuse(kind + in_quotes(entry.name) + " is " + binding.descriptor.text() + ", the tensor for it is " +
             tensor->descriptor().operand.text());
    if (!is_input && !tensor->can_be_output())
      refuse("the tensor for output " + in_quotes(entry.name) + " is imported from a file that is not writable",
             "open the file for reading and writing");
    if (tensors[found->second]) refuse(kind + in_quotes(entry.name) + " is given twice");
    tensors[found->second] = tensor;
  }
  for (std::size_t i = 0; i < bindings.size(); ++i)
    if (!tensors[i] && (!is_input || bindings[i].value != no_index))
      refuse("no tensor is given for " + kind + in_quotes(bindings[i].name));
  return tensors;
}

}  // namespace

ExecutableState::ExecutableState(Program program, Device& device, unsigned threads, const Limits& limits)
    : executable_(std::make_unique<Executable>(std::move(program), device, threads, limits)) {
  const Program& ready = executable_->program();
  for (std::uint32_t i = 0; i < ready.inputs.size(); ++i) input_names_.emplace(ready.inputs[i].name, i);
  for (std::uint32_t i = 0; i < ready.outputs.size(); ++i) output_names_.emplace(ready.outputs[i].name, i);
}

// ---- bindings -----------------------------------------------------------------------------------------------------

std::shared_ptr<Bindings> Bindings::make(const DispatchWords& words, std::shared_ptr<ExecutableState> executable,
                                         const FindTensor& find) {
  Tensors inputs = resolve(*executable, Direction::input, words.inputs, find);
  Tensors outputs = resolve(*executable, Direction::output, words.outputs, find);
  std::unordered_set<std::uint64_t> seen;  // all belong to the context
  for (const std::span<const NamedTensor> list : {words.inputs, words.outputs})
    for (const NamedTensor& entry : list)
      if (!seen.insert(entry.tensor.number).second)
        refuse("the tensor for " + in_quotes(entry.name) + " is bound twice");
  return std::make_shared<Bindings>(words, std::move(executable), std::move(inputs), std::move(outputs));
}

Bindings::Bindings(const DispatchWords& words, std::shared_ptr<ExecutableState> executable, Tensors inputs,
                   Tensors outputs)
    : id_(words.executable),
      executable_(std::move(executable)),
      inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      input_addresses_(inputs_.size()),
      output_addresses_(outputs_.size()),
      step_count_(executable_->executable()->program().steps.size()) {
  for (const NamedTensor& entry : words.inputs) asked_inputs_.push_back({std::string(entry.name), entry.tensor});
  for (const NamedTensor& entry : words.outputs) asked_outputs_.push_back({std::string(entry.name), entry.tensor});
  uses_.push_back(executable_.get());
  for (const Tensors* tensors : {&inputs_, &outputs_})
    for (const auto& tensor : *tensors)
      if (tensor) uses_.push_back(tensor.get());
}

bool Bindings::is_for(const DispatchWords& words) const {
  const auto same = [](const std::vector<NamedId>& asked, std::span<const NamedTensor> now) {
    return std::equal(asked.begin(), asked.end(), now.begin(), now.end());
  };
  return words.executable == id_ && same(asked_inputs_, words.inputs) && same(asked_outputs_, words.outputs);
}

void Bindings::check_alive() const {
  if (!executable_->alive()) refuse("the graph is destroyed");
  const auto check = [](const Tensors& tensors, const std::vector<Binding>& bindings) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i] && !tensors[i]->alive()) refuse("the tensor for " + in_quotes(bindings[i].name) + " is destroyed");
  };
  const Program& program = executable_->executable()->program();
  check(inputs_, program.inputs);
  check(outputs_, program.outputs);
}

void Bindings::run(std::span<StepTime> times) {
  try {
    run_or_throw(times);
  } catch (...) {
    fail(std::current_exception());
    throw;
  }
}

void Bindings::run_or_throw(std::span<StepTime> times) {
  Executable& executable = *executable_->executable();
  const Program& program = executable.program();
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i] || program.inputs[i].value == no_index) continue;  // its address stays null
    inputs_[i]->check_content();
    input_addresses_[i] = inputs_[i]->begin_input(program.inputs[i].layout);
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    output_addresses_[i] = outputs_[i]->begin_output(program.outputs[i].layout);
  if (times.empty())
    executable.run(input_addresses_, output_addresses_);
  else
    executable.run_timed(input_addresses_, output_addresses_, times);
  for (const auto& tensor : inputs_)
    if (tensor) tensor->end_use();
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs_[i]->end_output(program.outputs[i].layout);
}

void Bindings::fail(const std::exception_ptr& failure) {
  for (const auto& tensor : inputs_)
    if (tensor) tensor->end_use();
  for (const auto& tensor : outputs_) {
    tensor->end_use();
    tensor->fail(failure);
  }
}

// ---- cache --------------------------------------------------------------------------------------------------------

std::size_t BindingsCache::place_of(const DispatchWords& words) {
  std::uint64_t hash = words.executable.number;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  };
  for (const std::span<const NamedTensor> list : {words.inputs, words.outputs})
    for (const NamedTensor& entry : list) mix(entry.tensor.number);
  return hash % place_count;
}

std::shared_ptr<Bindings> BindingsCache::find(const DispatchWords& words) {
  std::shared_ptr<Bindings>& place = places_[place_of(words)];
  if (!place || !place->is_for(words)) return nullptr;
  if (!std::ranges::all_of(place->uses(), &Resource::alive)) place = nullptr;
  return place;
}

void BindingsCache::keep(const DispatchWords& words, std::shared_ptr<Bindings> bindings) {
  places_[place_of(words)] = std::move(bindings);
}

}  // namespace webnn::runtime
