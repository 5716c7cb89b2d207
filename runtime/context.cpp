#include "runtime/context.hpp"

#include <atomic>
#include <exception>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "schema/error.hpp"

namespace webnn::runtime {
namespace {

constexpr std::size_t pool_limit_bytes = std::size_t{1} << 28;

[[noreturn]] void refuse(const std::string& message, std::string hint = {}) {
  throw Error(ExitCode::usage, message, std::move(hint));
}

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace

struct Context::TensorState {
  TensorDescriptor descriptor;
  Buffer buffer;
  std::atomic<bool> destroyed = false;  // tells reads that are still waiting
  std::exception_ptr failure;           // of the dispatch that should have written it; the timeline's thread only

  std::size_t bytes() const { return byte_length(descriptor.operand); }
  void check_usable() const {
    if (failure) std::rethrow_exception(failure);
  }
};

struct Context::ExecutableState {
  ExecutableState(Program program, Device& device, unsigned threads) : executable(std::move(program), device, threads) {
    const Program& ready = executable.program();
    for (std::uint32_t i = 0; i < ready.inputs.size(); ++i) input_names.emplace(ready.inputs[i].name, i);
    for (std::uint32_t i = 0; i < ready.outputs.size(); ++i) output_names.emplace(ready.outputs[i].name, i);
  }

  Executable executable;
  std::unordered_map<std::string_view, std::uint32_t> input_names, output_names;  // views on the program's names
};

/// A checked dispatch: tensors in the order of the program's bindings, null for an input that is not given.
struct Context::Dispatch {
  Executable* executable;
  std::vector<TensorState*> inputs, outputs;

  /// On the timeline's thread. With `nanoseconds`, adds the time of each step there.
  void run(std::vector<std::uint64_t>* nanoseconds) const {
    try {
      std::vector<const std::byte*> from;
      std::vector<std::byte*> to;
      for (const TensorState* tensor : inputs) {
        if (tensor) tensor->check_usable();
        from.push_back(tensor ? tensor->buffer.address() : nullptr);
      }
      for (const TensorState* tensor : outputs) to.push_back(tensor->buffer.address());
      if (nanoseconds)
        executable->run_timed(from, to, *nanoseconds);
      else
        executable->run(from, to);
      for (TensorState* tensor : outputs) tensor->failure = nullptr;
    } catch (...) {
      for (TensorState* tensor : outputs) tensor->failure = std::current_exception();
      throw;
    }
  }
};

Context::Context(std::unique_ptr<Device> device, unsigned threads)
    : device_(std::move(device)), threads_(std::max(threads, 1u)), pool_(*device_, pool_limit_bytes) {}

Context::~Context() = default;

// ---- tensors
// -----------------------------------------------------------------------------------------------------------

Context::TensorState& Context::find(TensorId tensor) const {
  if (tensor.context != this) refuse("the tensor belongs to another context");
  const auto found = tensors_.find(tensor.number);
  if (found == tensors_.end()) refuse("the tensor is destroyed");
  return *found->second;
}

TensorId Context::create_tensor(const TensorDescriptor& descriptor) {
  if (const std::string error = descriptor_error(descriptor.operand); !error.empty()) refuse(error);
  auto state = std::make_unique<TensorState>();
  state->descriptor = descriptor;
  state->buffer = pool_.take(byte_length(descriptor.operand));
  const std::lock_guard lock(mutex_);
  TensorState* tensor = state.get();
  const TensorId id{this, next_number_++};
  tensors_.emplace(id.number, std::move(state));
  timeline_.append([this, tensor] { device_->clear(tensor->buffer); });
  return id;
}

TensorDescriptor Context::descriptor(TensorId tensor) const {
  const std::lock_guard lock(mutex_);
  return find(tensor).descriptor;
}

void Context::write(TensorId id, std::span<const std::byte> data) {
  const std::lock_guard lock(mutex_);
  TensorState& tensor = find(id);
  if (!tensor.descriptor.writable) refuse("the tensor is not writable", "create it with writable set");
  if (data.size() != tensor.bytes())
    refuse("the tensor " + tensor.descriptor.operand.text() + " takes " + std::to_string(tensor.bytes()) +
           " bytes, not " + std::to_string(data.size()));
  timeline_.append([this, &tensor, copy = std::vector<std::byte>(data.begin(), data.end())] {
    device_->upload(tensor.buffer, copy);
    tensor.failure = nullptr;
  });
}

/// Checks a read of `bytes` bytes and appends it; `copy(tensor)` does the work.
template <class Function>
auto Context::append_read(TensorId id, std::size_t bytes, Function copy) {
  TensorState& tensor = find(id);
  if (!tensor.descriptor.readable) refuse("the tensor is not readable", "create it with readable set");
  if (bytes != tensor.bytes())
    refuse("the tensor " + tensor.descriptor.operand.text() + " holds " + std::to_string(tensor.bytes()) +
           " bytes, not " + std::to_string(bytes));
  return timeline_.append([&tensor, copy] {
    if (tensor.destroyed) refuse("the tensor was destroyed before it was read");
    tensor.check_usable();
    return copy(tensor);
  });
}

std::future<std::vector<std::byte>> Context::read(TensorId tensor) {
  const std::lock_guard lock(mutex_);
  return append_read(tensor, find(tensor).bytes(), [this](const TensorState& state) {
    std::vector<std::byte> data(state.bytes());
    device_->download(data, state.buffer);
    return data;
  });
}

std::future<void> Context::read(TensorId tensor, std::span<std::byte> to) {
  const std::lock_guard lock(mutex_);
  return append_read(tensor, to.size(), [this, to](const TensorState& state) { device_->download(to, state.buffer); });
}

void Context::destroy(TensorId tensor) {
  if (tensor.context != this) refuse("the tensor belongs to another context");
  const std::lock_guard lock(mutex_);
  const auto found = tensors_.find(tensor.number);
  if (found == tensors_.end()) return;
  found->second->destroyed = true;
  timeline_.append([this, state = std::move(found->second)] { pool_.give(std::move(state->buffer)); });
  tensors_.erase(found);
}

// ---- executables
// -------------------------------------------------------------------------------------------------------

Context::ExecutableState& Context::find(ExecutableId executable) const {
  if (executable.context != this) refuse("the graph belongs to another context");
  const auto found = executables_.find(executable.number);
  if (found == executables_.end()) refuse("the graph is destroyed");
  return *found->second;
}

ExecutableId Context::load(Program program) {
  auto ready = timeline_.append([this, program = std::move(program)]() mutable {
    return std::make_unique<ExecutableState>(std::move(program), *device_, threads_);
  });
  auto state = ready.get();
  const std::lock_guard lock(mutex_);
  const ExecutableId id{this, next_number_++};
  executables_.emplace(id.number, std::move(state));
  return id;
}

const Executable& Context::executable(ExecutableId executable) const {
  const std::lock_guard lock(mutex_);
  return find(executable).executable;
}

void Context::destroy(ExecutableId executable) {
  if (executable.context != this) refuse("the graph belongs to another context");
  const std::lock_guard lock(mutex_);
  const auto found = executables_.find(executable.number);
  if (found == executables_.end()) return;
  timeline_.append([state = std::move(found->second)]() mutable { state.reset(); });
  executables_.erase(found);
}

// ---- dispatch
// ----------------------------------------------------------------------------------------------------------

/// "Validate tensors with descriptors" of the specification, with an exception for inputs that the graph does not use.
std::vector<Context::TensorState*> Context::resolve(const ExecutableState& executable, Direction direction,
                                                    std::span<const NamedTensor> named) const {
  const bool is_input = direction == Direction::input;
  const std::string kind = is_input ? "input " : "output ";
  const Program& program = executable.executable.program();
  const std::vector<Binding>& bindings = is_input ? program.inputs : program.outputs;
  const auto& names = is_input ? executable.input_names : executable.output_names;

  std::vector<TensorState*> tensors(bindings.size(), nullptr);
  for (const NamedTensor& entry : named) {
    const auto found = names.find(entry.name);
    if (found == names.end()) refuse("the graph has no " + kind + quoted(entry.name));
    const Binding& binding = bindings[found->second];
    TensorState& tensor = find(entry.tensor);
    if (tensor.descriptor.operand != binding.descriptor)
      refuse(kind + quoted(entry.name) + " is " + binding.descriptor.text() + ", the tensor for it is " +
             tensor.descriptor.operand.text());
    if (tensors[found->second]) refuse(kind + quoted(entry.name) + " is given twice");
    tensors[found->second] = &tensor;
  }
  for (std::size_t i = 0; i < bindings.size(); ++i)
    if (!tensors[i] && (!is_input || bindings[i].value != no_index))
      refuse("no tensor is given for " + kind + quoted(bindings[i].name));
  return tensors;
}

Context::Dispatch Context::prepare(ExecutableId id, std::span<const NamedTensor> inputs,
                                   std::span<const NamedTensor> outputs) const {
  ExecutableState& executable = find(id);
  Dispatch dispatch{&executable.executable, resolve(executable, Direction::input, inputs),
                    resolve(executable, Direction::output, outputs)};
  std::unordered_set<const TensorState*> seen;
  for (const std::span<const NamedTensor> list : {inputs, outputs})
    for (const NamedTensor& entry : list)
      if (!seen.insert(&find(entry.tensor)).second) refuse("the tensor for " + quoted(entry.name) + " is bound twice");
  return dispatch;
}

std::future<void> Context::enqueue(ExecutableId executable, std::span<const NamedTensor> inputs,
                                   std::span<const NamedTensor> outputs, std::vector<std::uint64_t>* nanoseconds) {
  const std::lock_guard lock(mutex_);
  Dispatch dispatch = prepare(executable, inputs, outputs);
  if (nanoseconds) nanoseconds->resize(find(executable).executable.program().steps.size());
  return timeline_.append([dispatch = std::move(dispatch), nanoseconds] { dispatch.run(nanoseconds); });
}

void Context::dispatch(ExecutableId executable, std::span<const NamedTensor> inputs,
                       std::span<const NamedTensor> outputs) {
  enqueue(executable, inputs, outputs, nullptr);
}

void Context::compute(ExecutableId executable, std::span<const NamedTensor> inputs,
                      std::span<const NamedTensor> outputs) {
  enqueue(executable, inputs, outputs, nullptr).get();
}

std::vector<std::uint64_t> Context::compute_timed(ExecutableId id, std::span<const NamedTensor> inputs,
                                                  std::span<const NamedTensor> outputs) {
  std::vector<std::uint64_t> nanoseconds;
  enqueue(id, inputs, outputs, &nanoseconds).get();
  return nanoseconds;
}

void Context::wait() {
  timeline_.append([] {}).get();
}

}  // namespace webnn::runtime
