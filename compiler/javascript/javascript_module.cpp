#include "compiler/javascript/javascript_module.hpp"

#include <algorithm>

#include "compiler/javascript/javascript_text.hpp"
#include "schema/error.hpp"
#include "schema/round_up.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

constexpr std::uint64_t weights_alignment = 64;

/// Variables of the written function and globals that it uses.
constexpr std::string_view own_words[] = {"Error",       "MLGraphBuilder", "Uint8Array",   "atob",        "builder",
                                          "constant",    "context",        "inputs",       "loadWeights", "outputs",
                                          "tensorArray", "weights",        "weightsBytes", "weightsFile"};

constexpr std::string_view head =
    R"JS(// A WebNN graph (https://www.w3.org/TR/webnn/), written by webnn-cli. In a page, or where navigator.ml is defined:
//
//   import {build, inputs, outputs, run} from "./THIS_FILE";
//   const context = await navigator.ml.createContext();
//   const results = await run(context, {NAME: new Float32Array(..)});

)JS";

constexpr std::string_view arrays = R"JS(
// The elements of each data type. Two 4-bit elements share a byte, the first in its low half; where there is no
// Float16Array, 16-bit floats are their bits.
const arrays = {
  float32: Float32Array, float16: globalThis.Float16Array ?? Uint16Array,
  int64: BigInt64Array, uint64: BigUint64Array, int32: Int32Array, uint32: Uint32Array,
  int8: Int8Array, uint8: Uint8Array, int4: Uint8Array, uint4: Uint8Array,
};

/** The elements of a tensor as a typed array: zeros, or those of an ArrayBuffer. */
export function tensorArray({dataType, shape}, buffer, offset = 0) {
  const elements = shape.reduce((product, size) => product * size, 1);
  const length = dataType.endsWith("int4") ? Math.ceil(elements / 2) : elements;
  return buffer ? new arrays[dataType](buffer, offset, length) : new arrays[dataType](length);
}
)JS";

constexpr std::string_view load_weights = R"JS(
/** Reads the constants: an ArrayBuffer with the content of the file beside this module. */
export async function loadWeights(url = new URL(weightsFile, import.meta.url)) {
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {  // whose fetch reads no files
    const {readFile} = await import("node:fs/promises");
    const bytes = await readFile(url);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}
)JS";

constexpr std::string_view build_from_file = R"JS(
/** Builds the graph: an MLGraph of this context. Without `weights` they are loaded. */
export async function build(context, weights) {
  weights ??= await loadWeights();
  if (weights.byteLength !== weightsBytes)
    throw new Error(`${weightsFile} has ${weights.byteLength} bytes in place of ${weightsBytes}`);
  const builder = new MLGraphBuilder(context);
  const constant = (dataType, shape, offset) =>
    builder.constant({dataType, shape}, tensorArray({dataType, shape}, weights, offset));
)JS";

constexpr std::string_view build_from_text = R"JS(
/** Builds the graph: an MLGraph of this context. */
export async function build(context) {
  const builder = new MLGraphBuilder(context);
  const constant = (dataType, shape, base64) =>
    builder.constant({dataType, shape}, tensorArray({dataType, shape}, Uint8Array.from(atob(base64), c => c.charCodeAt(0)).buffer));
)JS";

constexpr std::string_view build_without_constants = R"JS(
/** Builds the graph: an MLGraph of this context. */
export async function build(context) {
  const builder = new MLGraphBuilder(context);
)JS";

constexpr std::string_view run = R"JS(
/** Computes the outputs, typed arrays by name, from the inputs, given likewise. The graph is built if it is not given. */
export async function run(context, values, graph) {
  graph ??= await build(context);
  const create = async (descriptors, use) => Object.fromEntries(await Promise.all(Object.entries(descriptors).map(
    async ([name, descriptor]) => [name, await context.createTensor({...descriptor, ...use})])));
  const given = await create(inputs, {writable: true});
  const computed = await create(outputs, {readable: true});
  try {
    for (const [name, tensor] of Object.entries(given)) {
      if (!Object.hasOwn(values, name)) throw new Error(`the input ${name} is missing`);
      context.writeTensor(tensor, values[name]);
    }
    context.dispatch(graph, given, computed);
    return Object.fromEntries(await Promise.all(Object.entries(computed).map(
      async ([name, tensor]) => [name, tensorArray(outputs[name], await context.readTensor(tensor))])));
  } finally {
    for (const tensor of [...Object.values(given), ...Object.values(computed)]) tensor.destroy();
  }
}
)JS";

/// Marks all that the outputs need.
class Needed {
 public:
  explicit Needed(const Graph& graph) : values_(graph.value_count()) {
    for (const GraphOutput& output : graph.outputs()) values_[output.value.index] = true;
    const std::vector<NodeId> order = graph.order();
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
      const Node& node = graph.node(*id);
      if (std::ranges::none_of(node.outputs, [&](ValueId output) { return has(output); })) continue;
      nodes.push_back(*id);
      for (const ValueId input : node.inputs)
        if (input.valid()) values_[input.index] = true;
    }
    std::ranges::reverse(nodes);
  }
  bool has(ValueId id) const { return values_[id.index]; }
  std::vector<NodeId> nodes;

 private:
  std::vector<bool> values_;
};

std::string descriptor_text(const OperandDescriptor& descriptor) {
  return "{dataType: \"" + std::string(name_of(descriptor.type)) + "\", shape: " + javascript_shape(descriptor.shape) +
         "}";
}

/// Whether the builder's method returns an array.
bool returns_list(const Operator& op) { return op.outputs.size() > 1 || op.outputs[0].arity != Arity::one; }

class ModuleWriter {
 public:
  ModuleWriter(const Graph& graph, const JavascriptParts& parts, const std::string& weights_file, const ByteSink& sink)
      : graph_(graph), parts_(parts), weights_file_(weights_file), sink_(sink), variables_(graph.value_count()) {}

  void write() {
    sink_(head);
    sink_("export const name = " + javascript_string(graph_.name) + ";\n\n");
    write_descriptors();
    const bool from_file = !parts_.constants.empty() && !weights_file_.empty();
    if (from_file)
      sink_("\nconst weightsFile = " + javascript_string(url_name(weights_file_)) +
            ", weightsBytes = " + std::to_string(parts_.file_bytes) + ";\n");
    sink_(arrays);
    if (from_file) sink_(load_weights);
    sink_(parts_.constants.empty() ? build_without_constants : from_file ? build_from_file : build_from_text);
    write_graph(from_file);
    sink_(run);
  }

 private:
  void write_descriptors() {
    sink_("/** The tensors that the graph takes and gives, by name. */\nexport const inputs = {\n");
    for (const ValueId id : parts_.inputs) write_descriptor(graph_.value(id).name, id);
    sink_("};\nexport const outputs = {\n");
    for (const GraphOutput& output : graph_.outputs()) write_descriptor(output.name, output.value);
    sink_("};\n");
  }

  void write_descriptor(const std::string& name, ValueId id) {
    sink_("  " + javascript_key(name) + ": " + descriptor_text(graph_.value(id).descriptor) + ",\n");
  }

  void write_graph(bool from_file) {
    for (const ValueId id : parts_.inputs) {
      const std::string name = javascript_string(graph_.value(id).name);
      sink_("  const " + declare(id) + " = builder.input(" + name + ", inputs[" + name + "]);\n");
    }
    for (std::size_t i = 0; i < parts_.constants.size(); ++i) write_constant(i, from_file);
    for (const NodeId id : parts_.nodes) write_node(id);
    write_outputs();
  }

  void write_constant(std::size_t index, bool from_file) {
    const ValueId id = parts_.constants[index];
    const Value& value = graph_.value(id);
    sink_("  const " + declare(id) + " = constant(\"" + std::string(name_of(value.descriptor.type)) + "\", " +
          javascript_shape(value.descriptor.shape) + ", ");
    if (from_file) return sink_(std::to_string(parts_.offsets[index]) + ");\n");
    sink_("\"");
    write_base64(value.data.view(), sink_);
    sink_("\");\n");
  }

  /// Required operands and attributes are arguments, everything else that is given is an option.
  void write_node(NodeId id) {
    const Node& node = graph_.node(id);
    const Operator& op = row(node.op);
    std::vector<std::string> arguments, options;
    if (op.variadic()) {
      std::vector<std::string> list;
      for (const ValueId input : node.inputs) list.push_back(variable(input));
      arguments.push_back('[' + joined(list) + ']');
    } else {
      for (std::size_t i = 0; i < op.operands.size(); ++i) {
        if (!node.inputs[i].valid()) continue;
        if (op.operands[i].arity == Arity::optional)
          options.push_back(std::string(op.operands[i].name) + ": " + variable(node.inputs[i]));
        else
          arguments.push_back(variable(node.inputs[i]));
      }
    }
    for (std::size_t i = 0; i < op.attributes.size(); ++i) {
      if (!node.attributes[i]) continue;
      const std::string value = javascript_value(*node.attributes[i]);
      if (op.attributes[i].required())
        arguments.push_back(value);
      else
        options.push_back(std::string(op.attributes[i].name) + ": " + value);
    }
    if (!node.label.empty()) options.push_back("label: " + javascript_string(node.label));
    if (!options.empty()) arguments.push_back('{' + joined(options) + '}');

    std::vector<std::string> results;
    for (const ValueId output : node.outputs) results.push_back(declare(output));
    sink_("  const " + (returns_list(op) ? '[' + joined(results) + ']' : results[0]) + " = builder." +
          std::string(op.name) + '(' + joined(arguments) + ");\n");
  }

  /// The builder takes every operand once, and neither inputs nor constants; a copy stands for these.
  void write_outputs() {
    std::vector<bool> given(graph_.value_count());
    sink_("  return builder.build({\n");
    for (const GraphOutput& output : graph_.outputs()) {
      const bool own_result = graph_.value(output.value).kind == Value::Kind::result && !given[output.value.index];
      given[output.value.index] = true;
      sink_("    " + javascript_key(output.name) + ": " +
            (own_result ? variable(output.value) : "builder.identity(" + variable(output.value) + ")") + ",\n");
    }
    sink_("  });\n}\n");
  }

  const std::string& declare(ValueId id) { return variables_[id.index] = names_.take(graph_.value(id).name); }
  const std::string& variable(ValueId id) const { return variables_[id.index]; }

  const Graph& graph_;
  const JavascriptParts& parts_;
  const std::string& weights_file_;
  const ByteSink& sink_;
  JavascriptNames names_{own_words};
  std::vector<std::string> variables_;  // by value
};

}  // namespace

JavascriptParts javascript_parts(const Graph& graph) {
  if (!graph.named_dimensions().empty()) {
    const NamedDimension& dimension = graph.named_dimensions()[0];
    throw Error(ExitCode::unsupported,
                "the dimension " + in_quotes(dimension.name) + " of the input " +
                    in_quotes(graph.value(dimension.input).name) + " has no size",
                "MLGraphBuilder takes fixed sizes: give each with --dim NAME=SIZE");
  }
  Needed needed(graph);
  JavascriptParts parts;
  for (const ValueId id : graph.inputs())
    if (needed.has(id)) parts.inputs.push_back(id);
  for (const ValueId id : constants_of(graph)) {
    if (!needed.has(id)) continue;
    parts.constants.push_back(id);
    parts.offsets.push_back(round_up(parts.file_bytes, weights_alignment));
    parts.file_bytes = parts.offsets.back() + graph.value(id).data.size();
  }
  parts.nodes = std::move(needed.nodes);
  for (const NodeId id : parts.nodes)
    if (row(graph.node(id).op).internal() || !graph.node(id).post_ops.empty())
      throw Error(ExitCode::internal, "a graph with fused or internal operators cannot be written as JavaScript");
  return parts;
}

void write_javascript_weights(const Graph& graph, const JavascriptParts& parts, const ByteSink& sink) {
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < parts.constants.size(); ++i) {
    const Bytes& data = graph.value(parts.constants[i]).data;
    sink(std::string(std::size_t(parts.offsets[i] - at), '\0'));
    sink(text_of(data));
    at = parts.offsets[i] + data.size();
  }
}

void write_javascript_module(const Graph& graph, const JavascriptParts& parts, const std::string& weights_file,
                             const ByteSink& sink) {
  ModuleWriter(graph, parts, weights_file, sink).write();
}

}  // namespace webnn::compiler
