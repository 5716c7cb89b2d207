#include "compiler/frontend/binary/binary_writer.hpp"

#include <file_form/graph_generated.h>

#include "compiler/frontend/source_form.hpp"
#include "schema/error.hpp"
#include "schema/file/attributes.hpp"
#include "schema/program.hpp"
#include "schema/version.hpp"

namespace webnn::compiler {
namespace {

using Builder = flatbuffers::FlatBufferBuilder;
template <class T>
using Offsets = std::vector<flatbuffers::Offset<T>>;

class BinaryGraphWriter {
 public:
  explicit BinaryGraphWriter(const Graph& graph) : graph_(graph), number_(graph.value_count(), no_index) {}

  void write(const FileSink& sink) {
    for (const ValueId id : graph_.inputs()) add_value(id);
    const std::vector<ValueId> constants = constants_of(graph_);
    std::vector<Bytes> data;
    for (const ValueId id : constants) {
      add_value(id, std::uint32_t(data.size()));
      data.push_back(graph_.value(id).data);
    }
    for (const NodeId id : graph_.order()) add_node(id);
    finish(place_constants(data));
    write_container(graph_container, std::as_bytes(std::span(builder_.GetBufferPointer(), builder_.GetSize())), data,
                    sink);
  }

 private:
  flatbuffers::Offset<flatbuffers::String> text(std::string_view word) {
    return builder_.CreateString(word.data(), word.size());
  }

  void add_value(ValueId id, std::uint32_t constant = no_index) {
    const Value& value = graph_.value(id);
    const auto name = text(value.name);
    const auto shape = builder_.CreateVector(value.descriptor.shape.begin(), value.descriptor.shape.rank());
    number_[id.index] = std::uint32_t(values_.size());
    values_.push_back(file::CreateGraphValue(builder_, name, std::uint8_t(value.descriptor.type), shape, constant));
    check_metadata_size(graph_container, builder_.GetSize());
  }

  std::vector<std::uint32_t> numbers(const std::vector<ValueId>& ids) const {
    std::vector<std::uint32_t> result;
    for (const ValueId id : ids) result.push_back(id.valid() ? number_[id.index] : no_index);
    return result;
  }

  void add_node(NodeId id) {
    const Node& node = graph_.node(id);
    const Operator& op = row(node.op);
    if (op.internal() || !node.post_ops.empty())
      throw Error(ExitCode::internal, "a graph with fused or internal operators cannot be written as a graph file");
    for (const ValueId output : node.outputs) add_value(output);
    const auto name = text(op.name);
    const auto inputs = builder_.CreateVector(numbers(node.inputs));
    const auto outputs = builder_.CreateVector(numbers(node.outputs));
    const auto attributes = write_attributes(builder_, op, node.attributes);
    nodes_.push_back(file::CreateNode(builder_, name, inputs, outputs, attributes, text(node.label)));
    check_metadata_size(graph_container, builder_.GetSize());
  }

  void finish(const std::vector<ConstantPlace>& places) {
    Offsets<file::GraphOutput> outputs;
    for (const GraphOutput& output : graph_.outputs())
      outputs.push_back(file::CreateGraphOutput(builder_, text(output.name), number_[output.value.index]));
    Offsets<file::NamedDimension> dimensions;
    for (const NamedDimension& dimension : graph_.named_dimensions())
      dimensions.push_back(
          file::CreateNamedDimension(builder_, number_[dimension.input.index], dimension.axis, text(dimension.name)));
    Offsets<file::GraphConstant> constants;
    for (const ConstantPlace& place : places)
      constants.push_back(file::CreateGraphConstant(builder_, place.offset, place.bytes, place.checksum));
    std::vector<std::uint32_t> inputs;
    for (const ValueId id : graph_.inputs()) inputs.push_back(number_[id.index]);
    const auto tool = text(version);
    const auto name = text(graph_.name);
    const auto value_list = builder_.CreateVector(values_);
    const auto input_list = builder_.CreateVector(inputs);
    const auto node_list = builder_.CreateVector(nodes_);
    const auto output_list = builder_.CreateVector(outputs);
    const auto dimension_list = builder_.CreateVector(dimensions);
    const auto constant_list = builder_.CreateVector(constants);
    file::FinishGraphBuffer(builder_, file::CreateGraph(builder_, tool, name, graph_.quantized, value_list, input_list,
                                                        node_list, output_list, dimension_list, constant_list));
  }

  const Graph& graph_;
  Builder builder_;
  std::vector<std::uint32_t> number_;  // by value: in the file
  Offsets<file::GraphValue> values_;
  Offsets<file::Node> nodes_;
};

}  // namespace

void write_binary_graph(const Graph& graph, const FileSink& sink) { BinaryGraphWriter(graph).write(sink); }

}  // namespace webnn::compiler
