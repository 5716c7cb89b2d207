#include "compiler/frontend/binary/binary_reader.hpp"

#include <file_form/graph_generated.h>
#include <unordered_set>

#include "schema/file/attributes.hpp"
#include "schema/file/checksum.hpp"
#include "schema/file/container.hpp"
#include "schema/file/metadata_reader.hpp"
#include "schema/name_hash.hpp"
#include "schema/program.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// Ends the reading; caught only in read_binary_graph.
struct Refusal {
  Code code;
  std::string message;
  std::string path;
  std::string hint;
};

[[noreturn]] void refuse(Code code, std::string message, std::string path, std::string hint = {}) {
  throw Refusal{code, std::move(message), std::move(path), std::move(hint)};
}
[[noreturn]] void damaged(std::string message, std::string path = {}) {
  refuse(Code::binary_graph_damaged, std::move(message), std::move(path), "convert the graph again");
}

std::string place(const char* list, std::size_t index) { return "/" + std::string(list) + "/" + std::to_string(index); }

std::string_view text(const flatbuffers::String* word) {
  return word ? std::string_view(word->c_str(), word->size()) : std::string_view();
}

template <class List>
std::size_t size_of(const List* list) {
  return list ? list->size() : 0;
}

class BinaryGraphReader {
 public:
  BinaryGraphReader(const file::Graph& metadata, MetadataReader& reader, const LoadOptions& options,
                    Diagnostics& diagnostics)
      : metadata_(metadata), reader_(reader), options_(options), diagnostics_(diagnostics) {}

  Graph read() {
    if (size_of(metadata_.nodes()) > options_.max_nodes)
      refuse(Code::limit_exceeded,
             "the graph has " + std::to_string(size_of(metadata_.nodes())) + " nodes, at most " +
                 std::to_string(options_.max_nodes) + " are allowed",
             "/nodes");
    graph_.name = checked_text(metadata_.name(), "the graph's name", "/name");
    graph_.quantized = metadata_.quantized();
    read_sources();
    read_named_dimensions();
    for (std::uint32_t i = 0; i < size_of(metadata_.nodes()); ++i) read_node(i);
    if (!failed_) read_outputs();
    return std::move(graph_);
  }

 private:
  std::string checked_text(const flatbuffers::String* word, const std::string& what, const std::string& path) {
    std::string text = reader_.text(word);
    if (!is_utf8(text)) refuse(Code::bad_utf8, what + " is not valid UTF-8", path);
    return text;
  }

  const file::GraphValue& value_at(std::uint32_t index, const std::string& path) const {
    if (index >= size_of(metadata_.values())) damaged("there is no value " + std::to_string(index), path);
    return *metadata_.values()->Get(index);
  }

  OperandDescriptor descriptor_of(const file::GraphValue& value, const std::string& path) const {
    OperandDescriptor result;
    if (value.type() >= data_type_count)
      refuse(Code::unknown_data_type, "data type number " + std::to_string(value.type()) + " does not exist", path);
    result.type = DataType(value.type());
    if (size_of(value.shape()) > max_rank)
      refuse(Code::bad_rank,
             "the shape has " + std::to_string(size_of(value.shape())) + " dimensions, at most " +
                 std::to_string(max_rank) + " are allowed",
             path);
    if (value.shape())
      for (const std::uint32_t size : *value.shape()) result.shape.push_back(size);
    if (const std::string why = descriptor_error(result); !why.empty()) refuse(Code::tensor_too_large, why, path);
    check_limit(result, path);
    return result;
  }

  void check_limit(const OperandDescriptor& descriptor, const std::string& path) const {
    if (const std::string why = size_error(descriptor, options_.max_tensor_bytes); !why.empty())
      refuse(Code::limit_exceeded, why, path, "--max-tensor-bytes raises the limit");
  }

  /// The name for a new value.
  std::string new_name(const file::GraphValue& value, const std::string& path) {
    std::string name = checked_text(value.name(), "a name", path);
    if (name.empty()) refuse(Code::empty_name, "a value's name must not be empty", path);
    if (graph_.find_value(name).valid())
      refuse(Code::duplicate_name, "the name " + in_quotes(name) + " is taken", path);
    return name;
  }

  /// Inputs and constants, which come first; all other values are made by nodes.
  void read_sources() {
    ids_.resize(size_of(metadata_.values()));
    for (std::uint32_t i = 0; i < size_of(metadata_.inputs()); ++i) {
      const std::string path = place("inputs", i);
      reader_.at("inputs", i);
      const std::uint32_t index = metadata_.inputs()->Get(i);
      const file::GraphValue& value = value_at(index, path);
      if (value.constant() != no_index || ids_[index].valid())
        damaged("value " + std::to_string(index) + " is a constant or an input already", path);
      ids_[index] = graph_.add_input(new_name(value, path), descriptor_of(value, path));
    }
    for (std::uint32_t i = 0; i < ids_.size(); ++i)
      if (const file::GraphValue& value = *metadata_.values()->Get(i); value.constant() != no_index)
        read_constant(i, value);
  }

  void read_constant(std::uint32_t index, const file::GraphValue& value) {
    const std::string path = place("values", index);
    reader_.at("values", index);
    if (value.constant() >= size_of(metadata_.constants()))
      damaged("there is no constant " + std::to_string(value.constant()), path);
    const file::GraphConstant& constant = *metadata_.constants()->Get(value.constant());
    const OperandDescriptor descriptor = descriptor_of(value, path);
    if (constant.bytes() != byte_length(descriptor))
      refuse(Code::wrong_byte_length,
             descriptor.text() + " needs " + std::to_string(byte_length(descriptor)) + " bytes, the constant has " +
                 std::to_string(constant.bytes()),
             path);
    auto data = reader_.constant({constant.offset(), constant.bytes(), constant.checksum()});
    if (!data) damaged("constant " + std::to_string(value.constant()) + " does not lie in the file", path);
    ids_[index] = graph_.add_constant(new_name(value, path), descriptor, std::move(*data), constant.checksum());
  }

  void read_named_dimensions() {
    ByName<std::uint32_t> maximum;
    std::unordered_set<std::uint64_t> axes;
    for (std::uint32_t i = 0; i < size_of(metadata_.named_dimensions()); ++i) {
      const file::NamedDimension& dimension = *metadata_.named_dimensions()->Get(i);
      const std::string path = place("named_dimensions", i);
      reader_.at("named_dimensions", i);
      const bool is_input = dimension.input() < ids_.size() && ids_[dimension.input()].valid() &&
                            graph_.value(ids_[dimension.input()]).kind == Value::Kind::input;
      if (!is_input) damaged("value " + std::to_string(dimension.input()) + " is no input", path);
      const ValueId input = ids_[dimension.input()];
      const Shape& shape = graph_.value(input).descriptor.shape;
      if (dimension.axis() >= shape.rank() ||
          !axes.insert(std::uint64_t{input.index} * max_rank + dimension.axis()).second)
        damaged("axis " + std::to_string(dimension.axis()) + " does not exist or has a name already", path);
      std::string name = checked_text(dimension.name(), "the name of a dimension", path);
      if (name.empty()) refuse(Code::bad_dynamic_dimension, "the name of a dimension must not be empty", path);
      const std::uint32_t size = shape[dimension.axis()];
      if (const auto known = maximum.emplace(name, size).first; known->second != size)
        refuse(Code::bad_dynamic_dimension,
               "the dimension " + in_quotes(name) + " has the maximum " + std::to_string(size) + " here and " +
                   std::to_string(known->second) + " before",
               path);
      graph_.add_named_dimension({input, dimension.axis(), std::move(name)});
    }
  }

  void read_node(std::uint32_t index) {
    const file::Node& node = *metadata_.nodes()->Get(index);
    const std::string path = place("nodes", index);
    reader_.at("nodes", index);
    const std::string op_name = reader_.text(node.op());
    const auto op = find_operator(op_name);
    if (!op) refuse(Code::unknown_operator, "unknown operator " + in_quotes(op_name), path);
    auto attributes = read_attributes(row(*op), node.attributes(), reader_);
    if (!attributes) refuse(Code::unknown_option, op_name + " has options that it does not know", path);
    std::string label = checked_text(node.label(), "the label", path);

    std::vector<ValueId> inputs;
    for (const std::uint32_t value : reader_.list(node.inputs())) {
      if (value == no_index) {
        inputs.emplace_back();
        continue;
      }
      const file::GraphValue& operand = value_at(value, path);
      if (failed_ && !ids_[value].valid()) return;  // may be the result of a failed node
      if (!ids_[value].valid())
        refuse(Code::not_topological, "the operand " + in_quotes(text(operand.name())) + " is not made before", path);
      inputs.push_back(ids_[value]);
    }
    std::vector<std::string> names;
    for (const std::uint32_t value : reader_.list(node.outputs())) {
      const file::GraphValue& output = value_at(value, path);
      if (ids_[value].valid() || output.constant() != no_index)
        damaged("value " + std::to_string(value) + " is made twice", path);
      names.push_back(new_name(output, path));
    }
    add_node(node, *op, std::move(inputs), std::move(*attributes), names, std::move(label), path);
  }

  void add_node(const file::Node& node, OperatorId op, std::vector<ValueId> inputs, Attributes attributes,
                const std::vector<std::string>& names, std::string label, const std::string& path) {
    std::vector<CallError> errors;
    const NodeId id = graph_.add_node(op, std::move(inputs), std::move(attributes), names, std::move(label), &errors);
    if (!id.valid()) {
      for (const CallError& error : errors) {
        Diagnostic& diagnostic = diagnostics_.error(Code::bad_call, {options_.file_name, 0, 0, path}, error.message);
        if (!error.hint.empty()) diagnostic.hints.push_back(error.hint);
      }
      failed_ = true;
      return;
    }
    const std::vector<ValueId>& outputs = graph_.node(id).outputs;
    if (outputs.size() != names.size())
      refuse(Code::wrong_output_count,
             std::string(row(op).name) + " gives " + counted(outputs.size(), "result") + ", " +
                 std::to_string(names.size()) + " are named",
             path);
    for (std::uint32_t i = 0; i < outputs.size(); ++i) {
      const std::uint32_t value = node.outputs()->Get(i);
      if (graph_.value(outputs[i]).name != names[i])
        refuse(Code::duplicate_name, "the name " + in_quotes(names[i]) + " is taken", path);
      const OperandDescriptor said = descriptor_of(*metadata_.values()->Get(value), path);
      const OperandDescriptor& inferred = graph_.value(outputs[i]).descriptor;
      if (!(said == inferred))
        damaged(in_quotes(names[i]) + " is said to be " + said.text() + ", but its node gives " + inferred.text(),
                path);
      ids_[value] = outputs[i];
    }
  }

  void read_outputs() {
    if (size_of(metadata_.outputs()) == 0) refuse(Code::no_outputs, "the graph has no outputs", "/outputs");
    NameSet names;
    for (std::uint32_t i = 0; i < size_of(metadata_.outputs()); ++i) {
      const file::GraphOutput& output = *metadata_.outputs()->Get(i);
      const std::string path = place("outputs", i);
      reader_.at("outputs", i);
      std::string name = checked_text(output.name(), "an output's name", path);
      if (name.empty()) refuse(Code::empty_name, "an output's name must not be empty", path);
      if (!names.insert(name).second)
        refuse(Code::duplicate_name, "two outputs have the name " + in_quotes(name), path);
      value_at(output.value(), path);
      const ValueId id = ids_[output.value()];
      if (!id.valid() || graph_.value(id).kind != Value::Kind::result)
        damaged("the output " + in_quotes(name) + " is not the result of a node", path);
      graph_.add_output(std::move(name), id);
    }
    for (const ValueId input : graph_.inputs())
      if (graph_.use_count(input) == 0)
        diagnostics_.warning(Code::unused_input, {options_.file_name, 0, 0, {}},
                             "no node uses the input " + in_quotes(graph_.value(input).name));
  }

  const file::Graph& metadata_;
  MetadataReader& reader_;
  const LoadOptions& options_;
  Diagnostics& diagnostics_;
  Graph graph_;
  std::vector<ValueId> ids_;  // by value of the file; invalid: not made yet
  bool failed_ = false;       // a node was reported; nodes that use its results are skipped
};

}  // namespace

bool check_constants(Graph& graph, const std::string& file_name, Diagnostics& diagnostics) {
  bool fine = true;
  for (std::uint32_t i = 0; i < graph.value_count(); ++i) {
    const Value& value = graph.value({i});
    if (!value.checksum) continue;
    if (const std::uint64_t found = checksum_of(value.data.view()); found != *value.checksum) {
      diagnostics
          .error(Code::binary_graph_damaged, {file_name, 0, 0, {}},
                 "the constant " + in_quotes(value.name) + " has the checksum " + checksum_text(found) +
                     ", the file says " + checksum_text(*value.checksum))
          .hints.emplace_back("the file was changed; copy it again or convert the graph again");
      fine = false;
    }
    graph.forget_checksum({i});
  }
  return fine;
}

std::optional<Graph> read_binary_graph(const Bytes& file, const LoadOptions& options, Diagnostics& diagnostics) {
  const auto container = open_container(file.view(), graph_container, options.file_name, diagnostics);
  if (!container) return std::nullopt;
  if (container->metadata.size() > options.max_file_bytes)
    throw Error(ExitCode::resource, "the graph is longer than the limit of " + std::to_string(options.max_file_bytes) +
                                        " bytes, its weights not counted");
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(container->metadata.data());
  const auto report = [&](Code code, const std::string& path, const std::string& message, const std::string& hint) {
    Diagnostic& diagnostic = diagnostics.error(code, {options.file_name, 0, 0, path}, message);
    if (!hint.empty()) diagnostic.hints.push_back(hint);
    return std::nullopt;
  };
  try {
    MetadataReader reader(*container, file);
    flatbuffers::Verifier verifier = reader.verifier();
    if (container->metadata.size() < 16 || !file::VerifyGraphBuffer(verifier))
      damaged("the metadata is no correct FlatBuffer");
    return BinaryGraphReader(*file::GetGraph(bytes), reader, options, diagnostics).read();
  } catch (const Refusal& refusal) {
    return report(refusal.code, refusal.path, refusal.message, refusal.hint);
  } catch (const MetadataReader::Refusal& refusal) {
    return report(Code::binary_graph_damaged, refusal.path, refusal.message, "convert the graph again");
  }
}

}  // namespace webnn::compiler
