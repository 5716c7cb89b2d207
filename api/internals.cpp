#include "api/internals.hpp"

#include <utility>

#include "api/runner/compile_program.hpp"
#include "api/state.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/text.hpp"

namespace webnn {
namespace {

std::vector<NamedDescriptor> named_descriptors(const std::vector<schema::Binding>& bindings) {
  std::vector<NamedDescriptor> list;
  for (const schema::Binding& binding : bindings) {
    const schema::OperandDescriptor& descriptor = binding.descriptor;
    list.push_back({binding.name, descriptor.type, Dimensions(descriptor.shape.begin(), descriptor.shape.end())});
  }
  return list;
}

/// How many results a call has; nullopt: it is wrong.
std::optional<std::size_t> result_count(schema::OperatorId op, const std::vector<Operand>& operands,
                                        const schema::Attributes& attributes) {
  const schema::Operator& row = schema::row(op);
  if (attributes.size() != row.attributes.size()) return std::nullopt;
  if (!row.variadic() && operands.size() > row.operands.size()) return std::nullopt;
  std::vector<schema::OperandDescriptor> descriptors;
  for (const Operand& operand : operands)
    descriptors.push_back(operand.empty() ? schema::OperandDescriptor{} : checked(operand.dataType(), operand.shape()));
  std::vector<const schema::OperandDescriptor*> given;
  for (std::size_t i = 0; i < operands.size(); ++i) given.push_back(operands[i].empty() ? nullptr : &descriptors[i]);
  if (!row.variadic()) given.resize(row.operands.size());
  const schema::Inference inference = schema::check_operator(schema::OperatorCall(op, given, attributes));
  if (!inference.ok()) return std::nullopt;
  return inference.outputs().size();
}

}  // namespace

std::uint64_t api::Internals::max_memory(const Context& context) { return context.state().limits.memory; }

std::uint64_t api::Internals::max_work(const Context& context) { return context.state().limits.work; }

const runtime::Device& api::Internals::device(const Context& context) { return context.state().context.device(); }

std::optional<Graph> api::Internals::compile(const Context& context, compiler::Graph graph, compiler::Options options,
                                             schema::Diagnostics& diagnostics) {
  const schema::AccountScope account(context.state().limits.memory);
  options.max_work = context.state().limits.work;
  const runtime::Team team(context.state().context.threads());
  std::optional<schema::Program> program = compile_program(std::move(graph), std::move(options), device(context),
                                                           context.state().device.provider, diagnostics);
  if (!program) return std::nullopt;
  return prepare(context, std::move(*program));
}

void api::Internals::fail_reads_at_end(const Tensor& tensor) { tensor.state().last_handle_fails_reads = true; }

Graph api::Internals::prepare(const Context& context, schema::Program program) {
  Context::State& state = context.state();
  std::vector<NamedDescriptor> inputs = named_descriptors(program.inputs);
  std::vector<NamedDescriptor> outputs = named_descriptors(program.outputs);
  const runtime::ExecutableId id = state.context.load(std::move(program), state.limits);
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

std::vector<Operand> api::Internals::call(GraphBuilder& builder, schema::OperatorId op,
                                          const std::vector<Operand>& operands, schema::Attributes attributes,
                                          const std::string& label, std::size_t room) {
  const std::optional<std::size_t> count = result_count(op, operands, attributes);
  if (count && *count != room)
    refuse(std::string(schema::row(op).name) + " has " + schema::counted(*count, "result") +
           ", but outputs has room for " + std::to_string(room));
  return builder.call(op, operands, std::move(attributes), label);
}

}  // namespace webnn
