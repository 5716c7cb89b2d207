#include "api/oracle/oracle.hpp"

#include "api/oracle/evaluate.hpp"
#include "schema/elements/elements.hpp"
#include "schema/elements/float64.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::api {
namespace {

using namespace compiler;
using Buffer = std::vector<std::byte>;

OperandDescriptor widened(OperandDescriptor descriptor) {
  if (is_float(descriptor.type)) descriptor.type = float64;
  return descriptor;
}

/// The bytes of a tensor of the graph, with floats widened to float64.
Buffer widen(const OperandDescriptor& descriptor, std::span<const std::byte> data) {
  if (!is_float(descriptor.type)) return {data.begin(), data.end()};
  Buffer wide(byte_length(widened(descriptor)));
  for (std::size_t i = 0; i < element_count(descriptor.shape); ++i)
    store(load_element(descriptor.type, data.data(), i), float64, wide.data() + i * sizeof(double));
  return wide;
}

Number rounded(Number value, DataType type) {
  std::byte element[sizeof(double)];
  store(value, type, element);
  return load_element(type, element, 0);
}

}  // namespace

KernelSpec in_float64(KernelSpec spec) {
  if (!spec.inputs.empty() && spec.inputs[0] && is_float(spec.inputs[0]->type)) {
    const DataType type = spec.inputs[0]->type;
    const SpecCall call(spec);
    Attributes attributes = spec.attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const AttributeRow& attribute = row(spec.op).attributes[i];
      if (attribute.kind == AttributeKind::real)
        attributes[i] = rounded(Number(call.real(attribute.name)), type).as_double();
      else if (attribute.kind == AttributeKind::number && attributes[i])
        attributes[i] = rounded(std::get<Number>(*attributes[i]), type);
    }
    spec.attributes = std::move(attributes);
  }
  for (auto& input : spec.inputs)
    if (input) input = widened(*input);
  for (OperandDescriptor& output : spec.outputs) output = widened(output);
  return spec;
}

namespace {

class Oracle {
 public:
  explicit Oracle(const Graph& graph) : graph_(graph), values_(graph.value_count()), uses_(graph.use_counts()) {}

  std::vector<OracleTensor> run(std::span<const std::span<const std::byte>> inputs) {
    set_inputs(inputs);
    for (const NodeId id : graph_.order()) run_node(id);
    std::vector<OracleTensor> outputs;
    for (const GraphOutput& output : graph_.outputs()) {
      const OperandDescriptor& descriptor = graph_.value(output.value).descriptor;
      const DataType type = widened(descriptor).type;
      const Buffer& bytes = buffer(output.value);
      std::vector<double> values(element_count(descriptor.shape));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = load_element(type, bytes.data(), i).as_double();
      outputs.push_back({output.name, descriptor, std::move(values)});
    }
    return outputs;
  }

 private:
  void set_inputs(std::span<const std::span<const std::byte>> inputs) {
    if (!graph_.named_dimensions().empty())
      throw Error(ExitCode::usage, "dimension " + in_quotes(graph_.named_dimensions()[0].name) + " has no size yet",
                  "give every named dimension a size first");
    if (inputs.size() != graph_.inputs().size())
      throw Error(ExitCode::usage, "the graph has " + std::to_string(graph_.inputs().size()) + " inputs, but " +
                                       std::to_string(inputs.size()) + " are given");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Value& value = graph_.value(graph_.inputs()[i]);
      if (inputs[i].size() != byte_length(value.descriptor))
        throw Error(ExitCode::usage, "input " + in_quotes(value.name) + " is " + value.descriptor.text() + ", " +
                                         std::to_string(byte_length(value.descriptor)) + " bytes, but " +
                                         std::to_string(inputs[i].size()) + " bytes are given");
      values_[graph_.inputs()[i].index] = widen(value.descriptor, inputs[i]);
    }
  }

  /// Constants are widened on first use.
  const Buffer& buffer(ValueId id) {
    Buffer& bytes = values_[id.index];
    if (bytes.empty() && graph_.is_constant(id))
      bytes = widen(graph_.value(id).descriptor, graph_.value(id).data.view());
    return bytes;
  }

  void run_node(NodeId id) {
    const Node& node = graph_.node(id);
    const KernelSpec spec = graph_.spec(id);
    const runtime::PrepareFunction kernel = find_reference_kernel(spec);
    if (!kernel)
      throw Error(ExitCode::unsupported,
                  in_quotes(node.label) + ": no reference kernel takes this " + std::string(row(node.op).name));
    std::vector<std::span<const std::byte>> inputs;
    for (const ValueId input : node.inputs)
      inputs.push_back(input.valid() ? std::span<const std::byte>(buffer(input)) : std::span<const std::byte>());
    const KernelSpec wide = in_float64(spec);
    std::vector<std::span<std::byte>> outputs;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      Buffer& bytes = values_[node.outputs[i].index];
      bytes.resize(byte_length(wide.outputs[i]));
      outputs.push_back(bytes);
    }
    run_once(kernel, wide, inputs, outputs);
    for (const ValueId input : node.inputs)
      if (input.valid() && --uses_[input.index] == 0) values_[input.index] = Buffer();
    for (const ValueId output : node.outputs)
      if (uses_[output.index] == 0) values_[output.index] = Buffer();
  }

  const Graph& graph_;
  std::vector<Buffer> values_;       // by value; empty before its first and after its last use
  std::vector<std::uint32_t> uses_;  // by value: remaining uses
};

}  // namespace

std::vector<OracleTensor> evaluate_in_float64(const Graph& graph, std::span<const std::span<const std::byte>> inputs) {
  return Oracle(graph).run(inputs);
}

}  // namespace webnn::api
