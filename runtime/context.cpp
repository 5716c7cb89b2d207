#include "runtime/context.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "runtime/refuse.hpp"
#include "runtime/threads/forks.hpp"
#include "runtime/threads/processors.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::runtime {
namespace {

constexpr std::size_t pool_limit_bytes = std::size_t{1} << 28;

void check_descriptor(const TensorDescriptor& descriptor) {
  if (const std::string error = descriptor_error(descriptor.operand); !error.empty()) refuse(error);
  if (descriptor.exportable && descriptor.exportable_on_device)
    refuse("a tensor is exportable from the host's memory or from the device's, not from both");
}

/// Kernels address whole elements.
void check_alignment(const void* address, const OperandDescriptor& operand) {
  const std::uintptr_t alignment = std::max(bits_of(operand.type) / 8, 1u);
  if (reinterpret_cast<std::uintptr_t>(address) % alignment != 0)
    refuse("the memory of a " + operand.text() + " tensor is not aligned to " + std::to_string(alignment) + " bytes");
}

/// Waits for the device and finishes `completion`, with the error of the wait.
auto finishing_wait(Device& device, Completion& completion) {
  return [&device, &completion] {
    std::exception_ptr error;
    try {
      device.wait();
    } catch (...) {
      error = std::current_exception();
    }
    completion.finish(error);
  };
}

}  // namespace

Context::Context(std::unique_ptr<Device> device, unsigned threads)
    : device_(std::move(device)),
      threads_(std::max(threads, 1u)),
      born_(fork_count()),
      pool_(*device_, pool_limit_bytes),
      timeline_(threads_) {
  learn_threads();
}

Context::~Context() {
  Completion reached;
  timeline_.append({}, [&reached] { reached.finish(); });
  reached.wait();
  destroy();
}

// ---- the context

bool Context::is_from_before_fork() const { return fork_count() != born_; }

void Context::check_process() const {
  if (is_from_before_fork())
    refuse("the context was made before this process was forked, and its threads are not in the child",
           "make a context in the child");
}

std::unique_lock<std::mutex> Context::guard() const {
  check_process();  // before the mutex, which a thread that is gone may hold
  return std::unique_lock(mutex_);
}

void Context::check_open() const {
  check_process();
  if (is_destroyed_) refuse("the context is destroyed");
  if (has_lost_device_) refuse("the context's device is lost", "a new context may work");
}

void Context::when_lost(std::function<void(const std::string& reason)> call) {
  device_->when_lost([this, call = std::move(call)](const std::string& reason) {
    has_lost_device_ = true;
    call(reason);
  });
}

void Context::check_can_wait() const {
  if (is_timeline()) refuse("a callback cannot wait for its own context", "dispatch, and read with another callback");
}

bool Context::destroy() {
  decltype(tensors_) tensors;
  decltype(executables_) executables;
  {
    const std::unique_lock lock = guard();
    if (is_destroyed_.exchange(true)) return false;
    std::swap(tensors, tensors_);
    std::swap(executables, executables_);
    for (const auto& entry : tensors) entry.second->retire();
    for (const auto& entry : executables) entry.second->retire();
    cache_.clear();
  }
  for (const auto& entry : tensors) entry.second->destroy();
  for (const auto& entry : executables) entry.second->destroy();
  pool_.close();
  host_copies_.close();
  timeline_.append({}, [this] { timeline_.run_waiting(); });
  return true;
}

void Context::wait() {
  check_can_wait();
  Completion reached;
  {
    const std::unique_lock lock = guard();
    timeline_.append({}, finishing_wait(*device_, reached), Task::Kind::barrier);
  }
  reached.wait();
}

// ---- tensors

const std::shared_ptr<TensorState>& Context::find(TensorId tensor, std::string_view name) const {
  const auto refuse_tensor = [name](const char* why) {
    refuse("the tensor " + (name.empty() ? std::string() : "for " + in_quotes(name) + " ") + why);
  };
  if (tensor.context != this) refuse_tensor("belongs to another context");
  check_open();
  const auto found = tensors_.find(tensor.number);
  if (found == tensors_.end()) refuse_tensor("is destroyed");
  return found->second;
}

TensorId Context::add(std::shared_ptr<TensorState> tensor) {
  const std::unique_lock lock = guard();
  check_open();
  const TensorId id{this, next_number_++};
  tensors_.emplace(id.number, std::move(tensor));
  return id;
}

TensorId Context::create_tensor(const TensorDescriptor& descriptor) {
  check_open();
  check_descriptor(descriptor);
  return add(std::make_shared<TensorState>(*device_, pool_, descriptor));
}

TensorId Context::import_tensor(const TensorDescriptor& descriptor, std::span<std::byte> memory,
                                std::function<void()> released) {
  check_open();
  check_descriptor(descriptor);
  if (descriptor.can_be_exported()) refuse("imported memory cannot be exported");
  if (memory.size() != byte_length(descriptor.operand))
    refuse("the tensor " + descriptor.operand.text() + " takes " + std::to_string(byte_length(descriptor.operand)) +
           " bytes of memory, not " + std::to_string(memory.size()));
  check_alignment(memory.data(), descriptor.operand);
  return add(std::make_shared<TensorState>(*device_, pool_, descriptor, memory, std::move(released)));
}

TensorId Context::import_tensor(const TensorDescriptor& descriptor, int file_descriptor, std::uint64_t offset) {
  check_open();
  check_descriptor(descriptor);
  if (descriptor.can_be_exported()) refuse("imported memory cannot be exported", "it has a file descriptor already");
  if (may_be_device_memory(file_descriptor))
    if (Buffer memory = device_->share(ExportedMemory{file_descriptor, offset, byte_length(descriptor.operand)});
        memory.size() != 0)
      return add(std::make_shared<TensorState>(*device_, pool_, descriptor, std::move(memory)));
  SharedMemory memory(file_descriptor, offset, byte_length(descriptor.operand));
  check_alignment(memory.bytes().data(), descriptor.operand);
  if (descriptor.writable && !memory.writable())
    refuse("a writable tensor cannot be imported from a file that is not writable",
           "open the file for reading and writing");
  return add(std::make_shared<TensorState>(*device_, pool_, descriptor, std::move(memory)));
}

TensorId Context::import_tensor(const TensorDescriptor& descriptor, const DeviceMemory& memory) {
  check_open();
  check_descriptor(descriptor);
  if (descriptor.can_be_exported()) refuse("imported memory cannot be exported", "it has a file descriptor already");
  Buffer buffer = device_->share(
      ExportedMemory{memory.file_descriptor, memory.offset, byte_length(descriptor.operand), memory.allocation});
  if (buffer.size() == 0) refuse(std::string(device_->name()) + " does not import this memory of a device");
  return add(std::make_shared<TensorState>(*device_, pool_, descriptor, std::move(buffer)));
}

TensorDescriptor Context::descriptor(TensorId tensor) const {
  const std::unique_lock lock = guard();
  return find(tensor)->descriptor();
}

void Context::write(TensorId id, std::span<const std::byte> data) {
  // A dispatch usually follows. To wake the timeline for each write would cost the caller microseconds.
  constexpr std::size_t large = std::size_t{4} << 20;
  bool is_for_later = device_->host_memory() && data.size() < large;
  {
    const std::unique_lock lock = guard();
    const TensorState& tensor = *find(id);
    if (!tensor.descriptor().writable) refuse("the tensor is not writable", "create it with writable set");
    if (data.size() != tensor.bytes())
      refuse("the tensor " + tensor.descriptor().operand.text() + " takes " + std::to_string(tensor.bytes()) +
             " bytes, not " + std::to_string(data.size()));
    is_for_later = is_for_later && !tensor.is_fixed();
  }
  const auto append = [&](auto use) {
    const std::unique_lock lock = guard();
    const std::shared_ptr<TensorState>& tensor = find(id);
    auto task = [this, tensor, use = std::move(use)]() mutable {
      if (is_destroyed_) return;  // whoever borrows the tensor's memory still reads it
      try {
        use(*tensor);
      } catch (...) {
        tensor->fail(std::current_exception());
      }
    };
    if (is_for_later) return timeline_.append_for_later(tensor->alone(), std::move(task));
    timeline_.append(tensor->alone(), std::move(task));
  };
  if (device_->host_memory()) {  // the copy becomes the tensor's memory
    Buffer copy = pool_.take(data.size());
    std::memcpy(copy.address(), data.data(), data.size());
    append([copy = std::move(copy)](TensorState& tensor) mutable { tensor.replace(std::move(copy)); });
  } else {
    append([copy = host_copies_.copy_of(data)](TensorState& tensor) mutable {
      const HostCopies::Copy used = std::move(copy);  // ends here, for the next write, even if the upload fails
      tensor.upload(used.bytes());
    });
  }
}

/// Removes it from the context's map, so that no new work uses it, and ends it.
template <class Map>
void Context::end(Map& resources, std::uint64_t number, void (Resource::*how)()) {
  typename Map::mapped_type resource;
  {
    const std::unique_lock lock = guard();
    const auto found = resources.find(number);
    if (found == resources.end()) return;
    resource = std::move(found->second);
    resources.erase(found);
    resource->retire();
  }
  timeline_.run_soon();  // its memory goes with the last task that uses it
  ((*resource).*how)();  // may call foreign code, so nothing of the context is used afterwards
}

void Context::destroy(TensorId id) {
  if (is_from_before_fork()) return;
  if (id.context != this) refuse("the tensor belongs to another context");
  end(tensors_, id.number, &Resource::destroy);
}

void Context::forget(TensorId id) {
  if (is_from_before_fork()) return;
  end(tensors_, id.number, &Resource::forget);
}

// ---- executables

const std::shared_ptr<ExecutableState>& Context::find(ExecutableId executable) const {
  if (executable.context != this) refuse("the graph belongs to another context");
  check_open();
  const auto found = executables_.find(executable.number);
  if (found == executables_.end()) refuse("the graph is destroyed");
  return found->second;
}

ExecutableId Context::load(Program program, const Limits& limits) {
  check_open();
  check_can_wait();
  const auto is_row_major = [](const Binding& binding) { return binding.layout == Layout::row_major; };
  if (!device_->host_memory() &&
      !(std::ranges::all_of(program.inputs, is_row_major) && std::ranges::all_of(program.outputs, is_row_major)))
    throw Error(ExitCode::unsupported, "tensors of this device are always row-major",
                "compile the graph without keeping layouts");
  auto ready = timeline_.call([this, program = std::move(program), limits]() mutable {
    return std::make_shared<ExecutableState>(std::move(program), *device_, threads_, limits);
  });
  auto state = ready.get();
  const std::unique_lock lock = guard();
  check_open();
  const ExecutableId id{this, next_number_++};
  executables_.emplace(id.number, std::move(state));
  return id;
}

const Executable& Context::executable(ExecutableId executable) const {
  const std::unique_lock lock = guard();
  return *find(executable)->executable();
}

void Context::initialize(ExecutableId id) {
  const std::unique_lock lock = guard();
  const std::shared_ptr<ExecutableState>& executable = find(id);
  timeline_.append(executable->alone(), [executable] {
    try {
      executable->executable()->touch_memory();
    } catch (...) {  // if this fails, the runs will fail too
    }
  });
}

void Context::destroy(ExecutableId id) {
  if (is_from_before_fork()) return;
  if (id.context != this) refuse("the graph belongs to another context");
  end(executables_, id.number, &Resource::destroy);
}

// ---- dispatch

/// The caller holds the mutex.
std::shared_ptr<Bindings> Context::find_or_bind(const DispatchWords& words) {
  check_open();
  if (auto known = cache_.find(words)) return known;
  auto bindings = Bindings::make(
      words, find(words.executable),
      [this](TensorId id, std::string_view name) -> const std::shared_ptr<TensorState>& { return find(id, name); });
  cache_.keep(words, bindings);
  return bindings;
}

std::shared_ptr<Bindings> Context::bind(ExecutableId executable, std::span<const NamedTensor> inputs,
                                        std::span<const NamedTensor> outputs) {
  const std::unique_lock lock = guard();
  return find_or_bind({executable, inputs, outputs});
}

/// The caller holds the mutex.
void Context::append_dispatch(std::shared_ptr<Bindings> bindings) {
  const std::span<Resource* const> uses = bindings->uses();
  timeline_.append(uses, [this, bindings = std::move(bindings)] {
    if (is_destroyed_) return;
    try {
      bindings->run();
    } catch (...) {  // the outputs keep the error for their readers
    }
  });
}

void Context::dispatch(ExecutableId executable, std::span<const NamedTensor> inputs,
                       std::span<const NamedTensor> outputs) {
  const std::unique_lock lock = guard();
  append_dispatch(find_or_bind({executable, inputs, outputs}));
}

void Context::dispatch(std::shared_ptr<Bindings> bindings) {
  if (bindings->executable().context != this) refuse("the graph belongs to another context");
  const std::unique_lock lock = guard();
  check_open();
  bindings->check_alive();
  append_dispatch(std::move(bindings));
}

void Context::submit(std::shared_ptr<Recording> recording) {
  const std::unique_lock lock = guard();
  check_open();
  recording->check_alive();
  const std::span<Resource* const> uses = recording->uses();
  timeline_.append(uses, [this, recording = std::move(recording)] {
    if (!is_destroyed_) recording->run();
  });
}

void Context::run_and_wait(const std::shared_ptr<Bindings>& bindings, std::span<StepTime> times) {
  check_can_wait();
  if (bindings->executable().context != this) refuse("the graph belongs to another context");
  Completion completion;
  {
    const std::unique_lock lock = guard();
    check_open();
    bindings->check_alive();
    timeline_.append_and_wait_soon(bindings->uses(), [this, bindings, times, &completion] {
      std::exception_ptr error;
      try {
        check_open();
        bindings->run(times);
        device_->wait();
      } catch (...) {
        error = std::current_exception();
      }
      completion.finish(error);
    });
  }
  timeline_.wait_for(completion);
}

void Context::compute(ExecutableId executable, std::span<const NamedTensor> inputs,
                      std::span<const NamedTensor> outputs) {
  run_and_wait(bind(executable, inputs, outputs), {});
}

void Context::compute(const std::shared_ptr<Bindings>& bindings) { run_and_wait(bindings, {}); }

void Context::compute_timed(const std::shared_ptr<Bindings>& bindings, std::span<StepTime> times) {
  if (times.size() != bindings->step_count())
    refuse("the graph has " + std::to_string(bindings->step_count()) + " steps, but there is room for the times of " +
           std::to_string(times.size()));
  run_and_wait(bindings, times);
}

}  // namespace webnn::runtime
