#include "compiler/onnx/import/import_builder.hpp"

#include <algorithm>
#include <utility>

#include "compiler/frontend/mapped_file.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// A text cut off between two characters.
std::string shortened(const std::string& text) {
  std::size_t size = std::min(text.size(), most_label_bytes);
  while (size < text.size() && size > 0 && (std::uint8_t(text[size]) & 0xc0) == 0x80) --size;
  return text.substr(0, size);
}

/// The type in ONNX of a result: logical values are booleans there and uint8 in WebNN.
OnnxType type_of_result(const Operator& op, DataType type, std::span<const OnnxType> operands) {
  switch (op.family) {
    case Family::comparison:
    case Family::logical:
    case Family::predicate:
      return OnnxType::boolean;
    case Family::view:
    case Family::movement:
    case Family::indexed:
      if (!operands.empty() && operands[0] == OnnxType::boolean) return OnnxType::boolean;
      break;
    case Family::select:
      if (operands.size() > 1 && operands[1] == OnnxType::boolean) return OnnxType::boolean;
      break;
    default:
      break;
  }
  return onnx_type(type);
}

bool is_aligned(const Bytes& data, DataType type) {
  return reinterpret_cast<std::uintptr_t>(data.data()) % std::max(1u, bits_of(type) / 8) == 0;
}

Bytes copied(const Bytes& data) {
  AlignedBytes copy = AlignedBytes::unwritten(data.size());
  std::ranges::copy(data.view(), copy.data());
  return std::move(copy).take();
}

/// About the time that a reference kernel needs for a call.
std::uint64_t nanoseconds_of(const Cost& cost) {
  constexpr std::uint64_t of_call = 4000, of_byte = 4;
  return (of_call + Saturating(cost.flops) + of_byte * Saturating(cost.bytes)).value();
}

}  // namespace

void ImportBuilder::charge(std::uint64_t bytes) {
  made_bytes_ += bytes;
  if (made_bytes_ > most_made_bytes)
    throw OnnxRefusal{Code::limit_exceeded, "the model makes more than " + std::to_string(most_made_bytes >> 20) +
                                                " MiB of constants and names while it is read"};
}

AlignedBytes ImportBuilder::room(std::uint64_t bytes) {
  charge(bytes);
  return AlignedBytes::unwritten(bytes);
}

void ImportBuilder::count_work(const Cost& cost, std::uint64_t nanoseconds) {
  work_ += cost;
  nanoseconds_ = (Saturating(nanoseconds_) + nanoseconds).value();
  if (work_.exceeds(options_.max_work))
    throw OnnxRefusal{Code::limit_exceeded,
                      "what the model computes while it is read takes " + std::to_string(work_.flops) +
                          " operations and moves " + std::to_string(work_.bytes) + " bytes, together the limit is " +
                          std::to_string(options_.max_work),
                      "raise the limit"};
  if (nanoseconds_ > most_nanoseconds_)
    throw OnnxRefusal{Code::limit_exceeded, "the model has too much computed while it is read",
                      "the graph should compute it when it runs, or the file have the results as constants"};
}

TensorId ImportBuilder::add_made(ImportedTensor tensor) {
  if (tensor.data) charge(tensor.data->size());
  return add(std::move(tensor));
}

TensorId ImportBuilder::add(ImportedTensor tensor) {
  if (tensor.dims.size() > most_dimensions)
    throw OnnxRefusal{Code::bad_rank, (tensor.name.empty() ? "a tensor" : in_quotes(tensor.name)) + " has more than " +
                                          std::to_string(most_dimensions) + " dimensions"};
  charge(sizeof(ImportedTensor) + tensor.dims.size() * sizeof(std::int64_t) + tensor.name.size() +
         tensor.problem.size() + (tensor.sequence ? tensor.sequence->size() * sizeof(TensorId) : 0));
  tensors_.push_back(std::move(tensor));
  return {std::uint32_t(tensors_.size() - 1)};
}

TensorId ImportBuilder::add_input(const std::string& name, OnnxType type, const OperandDescriptor& descriptor) {
  const OnnxIntegers dims(descriptor.shape.begin(), descriptor.shape.end());
  return add({.type = type, .dims = dims, .value = graph.add_input(name, descriptor), .name = name});
}

OperandDescriptor ImportBuilder::descriptor(TensorId id) const {
  const ImportedTensor& tensor = at(id);
  const std::string what = tensor.name.empty() ? "a tensor" : in_quotes(tensor.name);
  if (tensor.sequence) throw OnnxRefusal{Code::bad_call, what + " is a sequence of tensors, which WebNN has not"};
  if (!tensor.problem.empty()) throw OnnxRefusal{Code::bad_init, what + " cannot be used: " + tensor.problem};
  const auto type = data_type_of(tensor.type);
  if (!type)
    throw OnnxRefusal{
        Code::unknown_data_type, what + " has the type " + name_of_type(tensor.type) + ", which WebNN has not",
        tensor.type == OnnxType::float64 ? "--allow double-as-float32 rounds such numbers to float32" : ""};
  if (tensor.dims.size() > max_rank)
    throw OnnxRefusal{Code::bad_rank, what + " has " + counted(tensor.dims.size(), "dimension") + ", at most " +
                                          std::to_string(max_rank) + " are allowed"};
  OperandDescriptor result{*type, {}};
  for (const std::int64_t size : tensor.dims) {
    if (size == 0) throw OnnxRefusal{Code::bad_dimension, what + " has no elements, and WebNN has no such tensors"};
    if (size < 0 || size > max_dimension)
      throw OnnxRefusal{Code::bad_dimension, what + " has a dimension of " + std::to_string(size)};
    result.shape.push_back(std::uint32_t(size));
  }
  std::string why = descriptor_error(result);
  if (why.empty()) why = size_error(result, options_.max_tensor_bytes);
  if (!why.empty()) throw OnnxRefusal{Code::tensor_too_large, what + ": " + why};
  return result;
}

ValueId ImportBuilder::value(TensorId id) {
  if (at(id).value.valid()) return at(id).value;
  const OperandDescriptor type = descriptor(id);
  ImportedTensor& tensor = tensors_[id.index];
  Bytes data = *tensor.data;
  if (data.size() != byte_length(type))
    throw OnnxRefusal{Code::wrong_byte_length, type.text() + " needs " + std::to_string(byte_length(type)) +
                                                   " bytes, and the constant has " + std::to_string(data.size())};
  if (!is_aligned(data, type.type)) data = aligned(data);  // where protobuf happened to put it
  tensor.value = graph.add_constant(tensor.name, type, std::move(data));
  return tensor.value;
}

Bytes ImportBuilder::aligned(const Bytes& data) {
  if (!copies_.take(data.size()))
    throw OnnxRefusal{Code::limit_exceeded,
                      "the tensors that are not aligned for their types take more than " +
                          std::to_string(copies_.limit()) + " bytes in all",
                      "data in another file can begin at multiples of 8 bytes"};
  Bytes aligned = copied(data);
  release_pages(data);
  return aligned;
}

std::vector<TensorId> ImportBuilder::call(OperatorId op, std::span<const TensorId> operands, Attributes attributes,
                                          const std::string& stem, const std::string& label) {
  std::vector<OperandDescriptor> descriptors(operands.size());
  std::vector<const OperandDescriptor*> given(operands.size(), nullptr);
  std::vector<OnnxType> types;
  bool are_known = true;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].valid()) continue;
    descriptors[i] = descriptor(operands[i]);
    given[i] = &descriptors[i];
    types.push_back(at(operands[i]).type);
    are_known = are_known && at(operands[i]).data.has_value();
  }
  const Inference inference = check_operator(OperatorCall(op, given, attributes));
  if (!inference.ok())
    throw OnnxRefusal{Code::bad_call,
                      "WebNN's " + std::string(row(op).name) + " does not take this: " + inference.errors()[0].message,
                      inference.errors()[0].hint};
  for (const OperandDescriptor& result : inference.outputs())
    if (const std::string why = size_error(result, options_.max_tensor_bytes); !why.empty())
      throw OnnxRefusal{Code::limit_exceeded, why, "--max-tensor-bytes raises the limit"};

  std::vector<TensorId> results;
  const auto dims_of = [](const OperandDescriptor& type) { return OnnxIntegers(type.shape.begin(), type.shape.end()); };
  std::vector<Bytes> data;
  if (are_known && compute(op, operands, attributes, inference.outputs(), data)) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      const OperandDescriptor& type = inference.outputs()[i];
      results.push_back(
          add({.type = type_of_result(row(op), type.type, types), .dims = dims_of(type), .data = data[i]}));
    }
    return results;
  }
  std::vector<ValueId> values;
  for (const TensorId id : operands) values.push_back(id.valid() ? value(id) : ValueId{});
  if (graph.node_count() >= options_.max_nodes)
    throw OnnxRefusal{Code::limit_exceeded,
                      "the graph has more than " + std::to_string(options_.max_nodes) + " nodes in WebNN's operators",
                      "--max-nodes raises the limit"};
  const std::vector<std::string> names(inference.outputs().size(), shortened(stem));
  const NodeId node = graph.add_node(op, std::move(values), std::move(attributes), names, shortened(label));
  if (!node.valid()) throw OnnxRefusal{Code::bad_call, "WebNN's " + std::string(row(op).name) + " does not take this"};
  for (const ValueId output : graph.node(node).outputs) {
    const OperandDescriptor type = graph.value(output).descriptor;
    results.push_back(add({.type = type_of_result(row(op), type.type, types), .dims = dims_of(type), .value = output}));
  }
  return results;
}

bool ImportBuilder::compute(OperatorId op, std::span<const TensorId> operands, const Attributes& attributes,
                            std::span<const OperandDescriptor> results, std::vector<Bytes>& data) {
  // Quantised weights stay what they are: products on integers read them.
  if (!options_.evaluate || row(op).family == Family::quantization) return false;
  std::uint64_t bytes = 0;
  KernelSpec spec;
  spec.op = op;
  spec.attributes = attributes;
  std::vector<Bytes> aligned;
  std::vector<std::span<const std::byte>> inputs;
  for (const TensorId id : operands) {
    spec.inputs.push_back(id.valid() ? std::optional(descriptor(id)) : std::nullopt);
    aligned.push_back(id.valid() ? *at(id).data : Bytes());
    bytes += aligned.back().size();
    if (id.valid() && aligned.back().size() != byte_length(*spec.inputs.back())) return false;  // `value` says why
  }
  for (const OperandDescriptor& result : results) bytes += byte_length(result);
  if (bytes > most_computed_bytes) return false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (spec.inputs[i] && !is_aligned(aligned[i], spec.inputs[i]->type)) aligned[i] = copied(aligned[i]);
    inputs.push_back(aligned[i].view());
  }
  spec.outputs.assign(results.begin(), results.end());
  const Cost cost = cost_of(spec);
  count_work(cost, nanoseconds_of(cost));
  std::vector<AlignedBytes> memory;
  std::vector<std::span<std::byte>> outputs;
  for (const OperandDescriptor& result : results)
    outputs.push_back(memory.emplace_back(room(byte_length(result))).view());
  if (!options_.evaluate(spec, inputs, outputs)) return false;
  for (AlignedBytes& result : memory) data.push_back(std::move(result).take());
  return true;
}

void ImportBuilder::name_result(TensorId id, const std::string& name) {
  ImportedTensor& tensor = tensors_[id.index];
  if (tensor.name.empty()) {
    charge(name.size());
    tensor.name = name;
  }
  if (!tensor.value.valid() || graph.value(tensor.value).kind != Value::Kind::result) return;
  if (graph.value(tensor.value).name != name && !graph.find_value(name).valid()) graph.rename(tensor.value, name);
}

void ImportBuilder::remove_dead() {
  const std::vector<NodeId> order = graph.order();
  for (std::size_t i = order.size(); i-- > 0;) {
    bool is_used = false;
    for (const ValueId output : graph.node(order[i]).outputs) is_used = is_used || graph.use_count(output) != 0;
    if (!is_used) graph.erase(order[i]);
  }
}

}  // namespace webnn::compiler
