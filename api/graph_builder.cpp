// GraphBuilder: builds a graph operator by operator, and compiles it.
#include <optional>
#include <utility>

#include "api/internals.hpp"
#include "api/runner/compile_program.hpp"
#include "api/state.hpp"
#include "schema/round_up.hpp"
#include "schema/text.hpp"

namespace webnn {

struct GraphBuilder::State {
  State(const Context& owner, const runtime::Context& its_runtime) : context(owner), runtime(its_runtime) {}

  Context context;
  const runtime::Context& runtime;
  compiler::Graph graph;
  bool built = false;

  void check_open() const {
    runtime.check_open();
    if (built) refuse("the builder has built its graph", "use a new builder");
  }
};

GraphBuilder::GraphBuilder(const Context& context) : state_(std::make_shared<State>(context, context.state().context)) {
  state_->check_open();
}

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
  // Names of constants and results were chosen by the graph itself, so they give way.
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
  std::vector<std::byte> data(schema::div_up(schema::bits_of(dataType), 8));
  schema::store(value, dataType, data.data());
  return operand(state_->graph.add_constant("constant", {dataType, {}}, schema::Bytes(std::move(data))).index);
}

Operand GraphBuilder::constant(const Tensor& tensor) {
  state_->check_open();
  if (tensor.state().context != state_->context.state_) refuse("the tensor belongs to another context");
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

Graph GraphBuilder::build(const NamedOperands& outputs, const BuildOptions& options) {
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

  compiler::Options compiler_options;
  compiler_options.keep_layouts = options.keepLayouts;
  schema::Diagnostics diagnostics;
  std::optional<Graph> result =
      api::Internals::compile(state_->context, std::move(graph), std::move(compiler_options), diagnostics);
  for (const schema::Diagnostic& diagnostic : diagnostics.all())
    if (diagnostic.severity == schema::Severity::error)
      throw Error(exit_code_of(diagnostics), diagnostic.message,
                  diagnostic.hints.empty() ? std::string() : diagnostic.hints.front());
  return std::move(*result);
}

}  // namespace webnn
