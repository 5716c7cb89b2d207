// Builds the graphs of conformance vectors.
#include "compiler/vectors/vector_reader.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "compiler/vectors/vector_arguments.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"
#include "schema/sentence.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {

using nlohmann::json;

namespace {

/// The member, or a null value.
const json& member(const json& object, const char* name) {
  static const json absent;
  if (!object.is_object()) return absent;
  const auto found = object.find(name);
  return found == object.end() ? absent : *found;
}

/// An element of a tensor; some files write 64-bit integers as plain strings.
std::optional<Number> read_element(const json& value) {
  return read_vector_number(value.is_string() ? json{{"bigint", value}} : value);
}

/// A tensor of a vector; on failure nullopt, and a sentence in `error`.
std::optional<Tensor> read_tensor(const json& value, std::uint64_t max_bytes, std::string& error) {
  const auto descriptor = read_vector_descriptor(member(value, "descriptor"), error);
  if (!descriptor) return std::nullopt;
  error = size_error(*descriptor, max_bytes);
  if (!error.empty()) return std::nullopt;
  const json& data = member(value, "data");
  const std::size_t count = element_count(descriptor->shape);
  if (data.is_array() && data.size() != count) {
    error = sentence("there are ", data.size(), " elements, but ", descriptor->text(), " has ", count);
    return std::nullopt;
  }
  AlignedBytes bytes(byte_length(*descriptor));
  for (std::size_t i = 0; i < count; ++i) {
    const json& element = data.is_array() ? data[i] : data;
    const auto number = read_element(element);
    if (!number) {
      error = sentence("element ", i, " is no number");
      return std::nullopt;
    }
    store_element(*number, descriptor->type, bytes.data(), i);
  }
  return Tensor{*descriptor, std::move(bytes).take()};
}

/// Reads one vector; a class, so that all parts can add to one vector and its list of errors.
class VectorReader {
 public:
  explicit VectorReader(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}

  ConformanceVector read(const json& test) {
    if (const json& name = member(test, "name"); name.is_string()) vector_.name = name.get<std::string>();
    read_tolerance(member(test, "tolerance"));
    const json& graph = member(test, "graph");
    for (const auto& [name, value] : member(graph, "inputs").items()) read_input(name, value);
    for (const json& call : member(graph, "operators")) read_operator(call);
    for (const auto& [name, value] : member(graph, "expectedOutputs").items()) read_output(name, value);
    if (vector_.errors.empty() && vector_.graph.outputs().empty()) fail("the graph has no outputs");
    return std::move(vector_);
  }

 private:
  void fail(std::string message) { vector_.errors.push_back(std::move(message)); }

  void read_tolerance(const json& tolerance) {
    const json& metric = member(tolerance, "metricType");
    const auto value = read_vector_number(member(tolerance, "value"));
    if (!value) return fail("the tolerance has no value");
    if (metric == "ULP") {
      vector_.tolerance.ulp = value->as_double();
    } else if (metric == "ATOL") {
      vector_.tolerance.absolute = value->as_double();
    } else {
      fail("the tolerance is neither ULP nor ATOL");
    }
  }

  void read_input(const std::string& name, const json& value) {
    std::string error;
    auto tensor = read_tensor(value, max_bytes_, error);
    if (!tensor) return fail(sentence("input ", in_quotes(name), ": ", error));
    if (member(value, "constant") == true) {
      vector_.graph.add_constant(name, tensor->descriptor, tensor->data);
      return;
    }
    vector_.graph.add_input(name, tensor->descriptor);
    vector_.inputs.push_back({name, std::move(*tensor)});
  }

  void read_operator(const json& call) {
    const json& name = member(call, "name");
    const auto op = name.is_string() ? find_operator(name.get_ref<const std::string&>()) : std::nullopt;
    if (!op) return fail(sentence("there is no operator ", in_quotes(name.dump())));
    VectorCall arguments = read_vector_call(row(*op), positional_arguments(member(call, "arguments")));
    for (const std::string& error : arguments.errors) fail(error);
    std::vector<ValueId> operands;
    for (const json* operand : arguments.operands) operands.push_back(find_operand(operand));
    if (!vector_.errors.empty()) return;
    std::vector<CallError> errors;
    const NodeId node = vector_.graph.add_node(*op, std::move(operands), std::move(arguments.attributes),
                                               output_names(call), {}, &errors);
    for (const CallError& error : errors) fail(sentence(row(*op).name, ": ", error.message));
    if (!node.valid()) return;
    for (const ValueId output : vector_.graph.node(node).outputs)
      if (std::string why = size_error(vector_.graph.value(output).descriptor, max_bytes_); !why.empty())
        fail(sentence(row(*op).name, ": ", why));
  }

  /// An invalid id for an absent operand.
  ValueId find_operand(const json* operand) {
    if (!operand) return {};
    if (!operand->is_string()) return fail("an operand is not named"), ValueId{};
    const ValueId value = vector_.graph.find_value(operand->get_ref<const std::string&>());
    if (!value.valid()) fail(sentence("there is no tensor ", in_quotes(operand->get_ref<const std::string&>())));
    return value;
  }

  static std::vector<std::string> output_names(const json& call) {
    const json& outputs = member(call, "outputs");
    std::vector<std::string> names;
    if (outputs.is_string()) names.push_back(outputs.get<std::string>());
    if (outputs.is_array())
      for (const json& name : outputs)
        if (name.is_string()) names.push_back(name.get<std::string>());
    return names;
  }

  void read_output(const std::string& name, const json& value) {
    std::string error;
    auto tensor = read_tensor(value, max_bytes_, error);
    if (!tensor) return fail(sentence("output ", in_quotes(name), ": ", error));
    const ValueId result = vector_.graph.find_value(name);
    if (!result.valid()) return fail(sentence("no operator gives the output ", in_quotes(name)));
    const OperandDescriptor& inferred = vector_.graph.value(result).descriptor;
    if (inferred != tensor->descriptor)
      return fail(
          sentence("output ", in_quotes(name), " is ", inferred.text(), ", expected ", tensor->descriptor.text()));
    vector_.graph.add_output(name, result);
    vector_.expected.push_back({name, std::move(*tensor)});
  }

  std::uint64_t max_bytes_;
  ConformanceVector vector_;
};

}  // namespace

std::vector<ConformanceVector> read_conformance_vectors(std::string_view text, const std::string& file_name,
                                                        std::uint64_t max_bytes) {
  const json file = json::parse(text, nullptr, false);
  const json& tests = member(file, "tests");
  if (!tests.is_array()) throw Error(ExitCode::invalid_input, file_name + " is no file of conformance vectors");
  std::vector<ConformanceVector> vectors;
  for (const json& test : tests) vectors.push_back(VectorReader(max_bytes).read(test));
  return vectors;
}

}  // namespace webnn::compiler
