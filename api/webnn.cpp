#include "api/webnn.hpp"

#include <atomic>
#include <utility>

#include "api/compile_program.hpp"
#include "api/devices.hpp"
#include "api/internals.hpp"
#include "runtime/context.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "schema/text.hpp"

namespace webnn {

using schema::ExitCode;

namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& hint = {}) {
  throw Error(ExitCode::usage, message, hint);
}

/// Throws Error (usage) when such a tensor cannot exist.
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

}  // namespace

// ---- context, tensor, graph

struct Context::State {
  explicit State(const ContextOptions& options)
      : device(api::parse_device_name(options.device)),
        context(api::open_device(device, options.isa),
                options.threads ? options.threads : runtime::available_threads()),
        max_memory(options.maxMemory) {}

  api::DeviceName device;
  runtime::Context context;
  std::uint64_t max_memory;
};

struct Tensor::State {
  State(std::shared_ptr<Context::State> owner, const TensorDescriptor& words)
      : context(std::move(owner)), descriptor(words) {}
  ~State() {
    if (!constant) context->context.destroy(id);
  }

  std::shared_ptr<Context::State> context;
  TensorDescriptor descriptor;
  runtime::TensorId id;   // of a tensor that is not constant
  bool constant = false;  // it lives in `data` and never reaches the device by itself
  schema::Bytes data;     // of a constant
  std::atomic<bool> destroyed = false;
};

struct Graph::State {
  ~State() { context->context.destroy(id); }

  std::shared_ptr<Context::State> context;
  runtime::ExecutableId id;
  std::vector<NamedDescriptor> inputs, outputs;
};

DataType Tensor::dataType() const { return state_->descriptor.dataType; }
const Dimensions& Tensor::shape() const { return state_->descriptor.shape; }
bool Tensor::readable() const { return state_->descriptor.readable; }
bool Tensor::writable() const { return state_->descriptor.writable; }
bool Tensor::constant() const { return state_->constant; }

void Tensor::destroy() {
  state_->destroyed = true;
  if (!state_->constant) state_->context->context.destroy(state_->id);
}

const std::vector<NamedDescriptor>& Graph::inputs() const { return state_->inputs; }
const std::vector<NamedDescriptor>& Graph::outputs() const { return state_->outputs; }

void Graph::destroy() { state_->context->context.destroy(state_->id); }

Context::Context(const ContextOptions& options) : state_(std::make_shared<State>(options)) {}

Tensor Context::createTensor(const TensorDescriptor& descriptor) {
  const schema::OperandDescriptor operand = checked(descriptor.dataType, descriptor.shape);
  const runtime::TensorId id = state_->context.create_tensor({operand, descriptor.readable, descriptor.writable});
  auto tensor = std::make_shared<Tensor::State>(state_, descriptor);
  tensor->id = id;
  return Tensor(std::move(tensor));
}

Tensor Context::createConstantTensor(DataType dataType, const Dimensions& shape, std::span<const std::byte> data) {
  schema::Bytes copy = checked_copy(checked(dataType, shape), data);
  auto tensor = std::make_shared<Tensor::State>(state_, TensorDescriptor{dataType, shape, false, false});
  tensor->constant = true;
  tensor->data = std::move(copy);
  return Tensor(std::move(tensor));
}

namespace {

/// The id of a tensor that is written, read or bound; the runtime checks everything else about it.
template <class State>
runtime::TensorId device_tensor(const std::shared_ptr<State>& tensor) {
  if (!tensor) refuse("the tensor is empty");
  if (tensor->constant) refuse("the tensor is constant", "use it with GraphBuilder::constant");
  return tensor->id;
}

}  // namespace

void Context::writeTensor(const Tensor& tensor, std::span<const std::byte> data) {
  state_->context.write(device_tensor(tensor.state_), data);
}

std::future<std::vector<std::byte>> Context::readTensor(const Tensor& tensor) {
  return state_->context.read(device_tensor(tensor.state_));
}

std::future<void> Context::readTensor(const Tensor& tensor, std::span<std::byte> data) {
  return state_->context.read(device_tensor(tensor.state_), data);
}

void Context::dispatch(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs) {
  if (!graph.state_) refuse("the graph is empty");
  const auto bindings = [](const NamedTensors& tensors) {
    std::vector<runtime::NamedTensor> list;
    for (const auto& [name, tensor] : tensors) list.push_back({name, device_tensor(tensor.state_)});
    return list;
  };
  state_->context.dispatch(graph.state_->id, bindings(inputs), bindings(outputs));
}

// ---- builder

struct GraphBuilder::State {
  explicit State(const Context& owner) : context(owner) {}

  Context context;
  compiler::Graph graph;
  bool built = false;

  void check_open() const {
    if (built) refuse("the builder has built its graph", "use a new builder");
  }
};

GraphBuilder::GraphBuilder(const Context& context) : state_(std::make_shared<State>(context)) {}

GraphBuilder::~GraphBuilder() = default;

Operand GraphBuilder::operand(std::uint32_t value) const {
  Operand operand;
  operand.builder_ = state_;
  operand.value_ = value;
  const schema::OperandDescriptor& descriptor = state_->graph.value(compiler::ValueId{value}).descriptor;
  operand.data_type_ = descriptor.type;
  operand.shape_.assign(descriptor.shape.begin(), descriptor.shape.end());
  return operand;
}

Operand GraphBuilder::input(const std::string& name, DataType dataType, const Dimensions& shape) {
  state_->check_open();
  const schema::OperandDescriptor inner = checked(dataType, shape);
  compiler::Graph& graph = state_->graph;
  if (name.empty()) refuse("an input needs a name");
  for (const compiler::ValueId input : graph.inputs())
    if (graph.value(input).name == name) refuse("there is already an input " + schema::in_quotes(name));
  // Names of constants and results are the graph's own choice and give way.
  if (const compiler::ValueId taken = graph.find_value(name); taken.valid())
    graph.rename(taken, graph.unique_name(name));
  return operand(graph.add_input(name, inner).index);
}

Operand GraphBuilder::constant(DataType dataType, const Dimensions& shape, std::span<const std::byte> data) {
  state_->check_open();
  const schema::OperandDescriptor inner = checked(dataType, shape);
  return operand(state_->graph.add_constant("constant", inner, checked_copy(inner, data)).index);
}

Operand GraphBuilder::constant(DataType dataType, Number value) {
  state_->check_open();
  std::vector<std::byte> data((schema::bits_of(dataType) + 7) / 8);
  schema::store(value, dataType, data.data());
  return operand(state_->graph.add_constant("constant", {dataType, {}}, schema::Bytes(std::move(data))).index);
}

Operand GraphBuilder::constant(const Tensor& tensor) {
  state_->check_open();
  if (!tensor.state_ || tensor.state_->context != state_->context.state_)
    refuse("the tensor belongs to another context");
  if (!tensor.state_->constant) refuse("the tensor is not constant", "make it with createConstantTensor");
  if (tensor.state_->destroyed) refuse("the tensor is destroyed");
  const schema::OperandDescriptor inner = checked(tensor.dataType(), tensor.shape());
  return operand(state_->graph.add_constant("constant", inner, tensor.state_->data).index);
}

std::vector<Operand> GraphBuilder::call(schema::OperatorId op, const std::vector<Operand>& operands,
                                        schema::Attributes attributes, const std::string& label) {
  state_->check_open();
  const std::string name(schema::row(op).name);
  std::vector<compiler::ValueId> inputs;
  for (const Operand& operand : operands) {
    if (!operand.empty() && operand.builder_ != state_) refuse(name + ": an operand belongs to another builder");
    inputs.push_back(operand.empty() ? compiler::ValueId{} : compiler::ValueId{operand.value_});
  }
  std::vector<schema::CallError> errors;
  const compiler::NodeId node =
      state_->graph.add_node(op, std::move(inputs), std::move(attributes), {}, label, &errors);
  if (!node.valid()) refuse(name + ": " + errors.front().message, errors.front().hint);
  std::vector<Operand> results;
  for (const compiler::ValueId output : state_->graph.node(node).outputs) results.push_back(operand(output.index));
  return results;
}

Graph GraphBuilder::build(const NamedOperands& outputs) {
  state_->check_open();
  compiler::Graph& graph = state_->graph;
  if (outputs.empty()) refuse("a graph needs an output");
  for (const auto& [name, operand] : outputs) {
    if (name.empty()) refuse("an output needs a name");
    if (operand.empty() || operand.builder_ != state_)
      refuse("output " + schema::in_quotes(name) + " belongs to another builder");
    if (graph.value(compiler::ValueId{operand.value_}).kind != compiler::Value::Kind::result)
      refuse("output " + schema::in_quotes(name) + " is an input or a constant", "put identity() between");
  }
  state_->built = true;
  for (const auto& [name, operand] : outputs) graph.add_output(name, compiler::ValueId{operand.value_});

  schema::Diagnostics diagnostics;
  std::optional<Graph> result = api::Internals::compile(state_->context, std::move(graph), {}, diagnostics);
  for (const schema::Diagnostic& diagnostic : diagnostics.all())
    if (diagnostic.severity == schema::Severity::error)
      throw Error(exit_code_of(diagnostics), diagnostic.message,
                  diagnostic.hints.empty() ? std::string() : diagnostic.hints.front());
  return std::move(*result);
}

// ---- internals

namespace {

std::vector<NamedDescriptor> named_descriptors(const std::vector<schema::Binding>& bindings) {
  std::vector<NamedDescriptor> list;
  for (const schema::Binding& binding : bindings) {
    const schema::OperandDescriptor& descriptor = binding.descriptor;
    list.push_back({binding.name, descriptor.type, Dimensions(descriptor.shape.begin(), descriptor.shape.end())});
  }
  return list;
}

}  // namespace

std::optional<Graph> api::Internals::compile(const Context& context, compiler::Graph graph, compiler::Options options,
                                             schema::Diagnostics& diagnostics) {
  Context::State& state = *context.state_;
  std::optional<schema::Program> program = compile_program(std::move(graph), std::move(options), state.context.device(),
                                                           {state.device.provider, state.max_memory}, diagnostics);
  if (!program) return std::nullopt;
  std::vector<NamedDescriptor> inputs = named_descriptors(program->inputs);
  std::vector<NamedDescriptor> outputs = named_descriptors(program->outputs);
  const runtime::ExecutableId id = state.context.load(std::move(*program));
  auto result = std::make_shared<Graph::State>();
  result->context = context.state_;
  result->id = id;
  result->inputs = std::move(inputs);
  result->outputs = std::move(outputs);
  return Graph(std::move(result));
}

std::vector<Operand> api::Internals::call(GraphBuilder& builder, schema::OperatorId op,
                                          const std::vector<Operand>& operands, schema::Attributes attributes,
                                          const std::string& label) {
  return builder.call(op, operands, std::move(attributes), label);
}

}  // namespace webnn
