// Contexts, tensors and graphs: handles over the runtime's ids.
#include "api/webnn.hpp"

#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "api/op_support_limits.hpp"
#include "api/state.hpp"
#include "runtime/threads/processors.hpp"

namespace webnn {

using schema::ExitCode;

void refuse(const std::string& message, const std::string& hint) { throw Error(ExitCode::usage, message, hint); }

schema::OperandDescriptor checked(DataType data_type, const Dimensions& shape) {
  if (shape.size() > schema::max_rank)
    refuse("a tensor has at most " + std::to_string(schema::max_rank) + " dimensions, not " +
           std::to_string(shape.size()));
  const schema::OperandDescriptor descriptor{data_type, schema::Shape(std::span(shape))};
  if (const std::string error = schema::descriptor_error(descriptor); !error.empty()) refuse(error);
  return descriptor;
}

schema::Bytes checked_copy(const schema::OperandDescriptor& descriptor, std::span<const std::byte> data) {
  if (data.size() != schema::byte_length(descriptor))
    refuse(descriptor.text() + " takes " + std::to_string(schema::byte_length(descriptor)) + " bytes, not " +
           std::to_string(data.size()));
  return schema::Bytes(std::vector<std::byte>(data.begin(), data.end()));
}

// ---- tensor and graph

Tensor::State& Tensor::state() const {
  if (!state_) refuse("the tensor is empty", "it was moved from");
  return *state_;
}

DataType Tensor::dataType() const { return state().descriptor.dataType; }
const Dimensions& Tensor::shape() const { return state().descriptor.shape; }
bool Tensor::readable() const { return state().descriptor.readable; }
bool Tensor::writable() const { return state().descriptor.writable; }
bool Tensor::constant() const { return state().constant; }

void Tensor::destroy() {
  state().destroyed = true;
  if (!state_->constant) state_->end(true);
}

void Tensor::State::end(bool fails_reads) {
  if (!context->context.is_from_before_fork())
    return fails_reads ? context->context.destroy(id) : context->context.forget(id);
  if (release) release->tell();  // nothing in this process uses the memory
}

Graph::State& Graph::state() const {
  if (!state_) refuse("the graph is empty", "it was moved from");
  return *state_;
}

const std::vector<NamedDescriptor>& Graph::inputs() const { return state().inputs; }
const std::vector<NamedDescriptor>& Graph::outputs() const { return state().outputs; }

void Graph::destroy() { state().context->context.destroy(state_->id); }

Tensor Tensor::State::wrap(const std::shared_ptr<Context::State>& context, const TensorDescriptor& words,
                           runtime::TensorId id) {
  auto state = std::make_shared<State>(context, words);
  state->id = id;
  return Tensor(std::move(state));
}

runtime::TensorId Tensor::State::id_of(const Tensor& tensor) {
  if (tensor.state().constant) refuse("the tensor is constant", "use it with GraphBuilder::constant");
  return tensor.state_->id;
}

// ---- context

Context::State::State(const ContextOptions& options)
    : device(api::parse_device_name(options.device)),
      lost(lose.get_future().share()),
      context(api::open_device(options), runtime::threads_for(options.threads)),
      limits{options.maxMemory, options.maxWork} {
  context.when_lost([this](const std::string& reason) { report_lost(reason); });
}

void Context::State::report_lost(const std::string& reason) {
  if (!is_lost.exchange(true)) lose.set_value({reason});
}

namespace {

constexpr const char* last_handle_ended = "the last handle to the context ended";

}  // namespace

/// Whoever waits for the end of the context is told when its device is gone.
void Context::State::destroy(State* state) {
  const bool is_known = state->is_lost.exchange(true);
  std::promise<ContextLostInfo> lose;
  if (!is_known) lose = std::move(state->lose);
  delete state;
  if (!is_known) lose.set_value({last_handle_ended});
}

void Context::State::end(State* state) {
  if (state->context.is_from_before_fork())  // its threads, which would have to end, are not in this process
    return state->report_lost(last_handle_ended);
  if (!state->context.is_timeline()) return destroy(state);
  try {
    std::thread([state] { destroy(state); }).detach();
  } catch (const std::system_error&) {  // no more threads: the context stays until the process ends
    state->report_lost(last_handle_ended);
  }
}

Context::Context(const ContextOptions& options) : state_(new State(options), State::end) {}

Context::State& Context::state() const {
  if (!state_) refuse("the context is empty", "it was moved from");
  return *state_;
}

void Context::wait() { state().context.wait(); }

OpSupportLimits Context::opSupportLimits() const { return api::op_support_limits(state().context.device().target()); }

void Context::destroy() {
  if (state().context.destroy()) state_->report_lost("destroy() was called");
}

std::shared_future<ContextLostInfo> Context::lost() const { return state().lost; }

// ---- tensors

namespace {

runtime::TensorDescriptor runtime_descriptor(const TensorDescriptor& words) {
  return {checked(words.dataType, words.shape), words.readable, words.writable, words.exportable,
          words.exportableOnDevice};
}

}  // namespace

Tensor Context::createTensor(const TensorDescriptor& descriptor) {
  return Tensor::State::wrap(state_, descriptor, state().context.create_tensor(runtime_descriptor(descriptor)));
}

Tensor Context::createConstantTensor(DataType dataType, const Dimensions& shape, std::span<const std::byte> data) {
  state().context.check_open();
  schema::Bytes copy = checked_copy(checked(dataType, shape), data);
  auto tensor = std::make_shared<Tensor::State>(state_, TensorDescriptor{dataType, shape});
  tensor->constant = true;
  tensor->data = std::move(copy);
  return Tensor(std::move(tensor));
}

Tensor Context::importTensor(const TensorDescriptor& descriptor, std::span<std::byte> memory,
                             std::function<void()> released) {
  const auto release = std::make_shared<Release>(std::move(released));
  Tensor tensor = Tensor::State::wrap(
      state_, descriptor,
      state().context.import_tensor(runtime_descriptor(descriptor), memory, [release] { release->tell(); }));
  tensor.state_->release = release;
  return tensor;
}

Tensor Context::importTensor(const TensorDescriptor& descriptor, int fileDescriptor, std::uint64_t offset) {
  return Tensor::State::wrap(state_, descriptor,
                             state().context.import_tensor(runtime_descriptor(descriptor), fileDescriptor, offset));
}

Tensor Context::importTensor(const TensorDescriptor& descriptor, const DeviceMemory& memory) {
  const runtime::DeviceMemory words{memory.fileDescriptor, memory.offset, {memory.bytes, memory.memoryType}};
  return Tensor::State::wrap(state_, descriptor, state().context.import_tensor(runtime_descriptor(descriptor), words));
}

void Context::writeTensor(const Tensor& tensor, std::span<const std::byte> data) {
  state().context.write(Tensor::State::id_of(tensor), data);
}

std::future<std::vector<std::byte>> Context::readTensor(const Tensor& tensor) {
  return state().context.read(Tensor::State::id_of(tensor));
}

std::future<void> Context::readTensor(const Tensor& tensor, std::span<std::byte> data) {
  return state().context.read(Tensor::State::id_of(tensor), data);
}

void Context::readTensor(const Tensor& tensor, std::function<void(std::future<std::vector<std::byte>>)> callback) {
  if (!callback) refuse("the callback is empty");
  state().context.read(Tensor::State::id_of(tensor), std::move(callback));
}

void Context::readTensor(const Tensor& tensor, std::span<std::byte> data,
                         std::function<void(std::future<void>)> callback) {
  if (!callback) refuse("the callback is empty");
  state().context.read(Tensor::State::id_of(tensor), data, std::move(callback));
}

// ---- export

struct ExportedTensor::State {
  State(std::shared_ptr<Context::State> owner, runtime::TensorExport what)
      : context(std::move(owner)), lent(std::move(what)) {}

  std::shared_ptr<Context::State> context;  // must outlive what it has lent
  runtime::TensorExport lent;
};

std::future<ExportedTensor> Context::exportTensor(const Tensor& tensor) {
  auto promise = std::make_shared<std::promise<ExportedTensor>>();
  auto result = promise->get_future();
  state().context.export_tensor(Tensor::State::id_of(tensor), [promise, context = state_](auto lent) {
    try {
      promise->set_value(ExportedTensor(std::make_unique<ExportedTensor::State>(context, lent.get())));
    } catch (...) {
      promise->set_exception(std::current_exception());
    }
  });
  return result;
}

ExportedTensor::ExportedTensor(std::unique_ptr<State> state) : state_(std::move(state)) {}
ExportedTensor::ExportedTensor(ExportedTensor&&) noexcept = default;
ExportedTensor& ExportedTensor::operator=(ExportedTensor&&) noexcept = default;
ExportedTensor::~ExportedTensor() = default;

ExportedTensor::State& ExportedTensor::state() const {
  if (!state_) refuse("the exported tensor is closed");
  return *state_;
}

int ExportedTensor::fileDescriptor() const { return state().lent.file_descriptor(); }
std::span<std::byte> ExportedTensor::memory() const { return state().lent.memory(); }
DeviceMemory ExportedTensor::deviceMemory() const {
  const auto& allocation = state().lent.device_allocation();
  if (!allocation) refuse("the exported tensor is in memory of the host", "create it with exportableOnDevice set");
  return {fileDescriptor(), 0, allocation->bytes, allocation->memory_type};
}
void ExportedTensor::close() { state_ = nullptr; }

}  // namespace webnn
