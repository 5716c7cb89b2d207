#include "compiler/onnx/export/onnx_call.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// Transposes the elements of a constant.
std::vector<std::byte> transposed_bytes(const OnnxOperand& constant, const Shape& to,
                                        std::span<const unsigned> permutation) {
  const std::size_t size = bits_of(constant.type) / 8;
  std::array<std::size_t, max_rank> strides{};  // in the constant, by axis of the result
  for (unsigned axis = 0; axis < to.rank(); ++axis) {
    strides[axis] = size;
    for (unsigned inner = permutation[axis] + 1; inner < to.rank(); ++inner) strides[axis] *= constant.shape[inner];
  }
  std::vector<std::byte> bytes(constant.data->size());
  std::array<std::uint32_t, max_rank> index{};
  const std::byte* from = constant.data->data();
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::memcpy(bytes.data() + at, from, size);
    for (unsigned axis = to.rank(); axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < to[axis]) break;
      from -= strides[axis] * to[axis];
      index[axis] = 0;
    }
  }
  return bytes;
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto view = std::as_bytes(std::span(values));
  return {view.begin(), view.end()};
}

}  // namespace

Shape permuted(const Shape& shape, std::span<const unsigned> permutation) {
  Shape result;
  for (const unsigned axis : permutation) result.push_back(shape[axis]);
  return result;
}

OnnxType onnx_type(DataType type) {
  constexpr OnnxType types[] = {OnnxType::float32, OnnxType::float16, OnnxType::int32, OnnxType::uint32,
                                OnnxType::int64,   OnnxType::uint64,  OnnxType::int8,  OnnxType::uint8,
                                OnnxType::int4,    OnnxType::uint4};
  static_assert(std::size(types) == data_type_count);
  return types[std::size_t(type)];
}

std::string UniqueNames::take(std::string_view stem) {
  std::string name(stem);
  std::size_t& next = taken_[name];
  while (next != 0 && taken_.contains(name = std::string(stem) + "_" + std::to_string(next))) ++next;
  ++next;
  if (name != stem) taken_.emplace(name, 1);
  return name;
}

OnnxOperand OnnxBuilder::constant(std::string_view stem, DataType type, const Shape& shape, Bytes data) {
  data_.push_back(std::make_unique<Bytes>(std::move(data)));
  OnnxOperand operand{take_name(stem), type, shape, data_.back().get()};
  model_.initializers.push_back({operand.name, onnx_type(type), integers_of(shape), *operand.data});
  return operand;
}

OnnxOperand OnnxBuilder::constant(std::string_view stem, DataType type, const Shape& shape,
                                  std::vector<std::byte> data) {
  constexpr std::size_t small = 4096;  // in bytes; larger ones are rarely made twice
  if (data.size() > small) return constant(stem, type, shape, Bytes(std::move(data)));
  const std::string content(reinterpret_cast<const char*>(data.data()), data.size());
  OnnxOperand& made = made_[{type, {shape.begin(), shape.end()}, content}];
  if (made.name.empty()) made = constant(stem, type, shape, Bytes(std::move(data)));
  return made;
}

const std::string& OnnxCall::input(std::size_t index) const {
  static const std::string absent;
  return has(index) ? inputs_[index].name : absent;
}

OnnxInputs OnnxCall::all_inputs() const {
  OnnxInputs names;
  for (const OnnxOperand& operand : inputs_) names.push_back(operand.name);
  while (!names.empty() && names.back().empty()) names.pop_back();
  return names;
}

std::string OnnxCall::name_for(std::string_view part) {
  return builder_.take_name(outputs_[0].name + "." + std::string(part));
}

OnnxOperand OnnxCall::add(std::string_view op_type, OnnxInputs inputs, DataType type, const Shape& shape,
                          OnnxAttributes attributes) {
  OnnxOperand result{name_for(op_type), type, shape, nullptr};
  finish_as(op_type, std::move(inputs), {result.name}, std::move(attributes));
  return result;
}

void OnnxCall::finish(std::string_view op_type, OnnxInputs inputs, OnnxAttributes attributes) {
  std::vector<std::string> names;
  for (const OnnxOperand& output : outputs_) names.push_back(output.name);
  finish_as(op_type, std::move(inputs), std::move(names), std::move(attributes));
}

void OnnxCall::finish_as(std::string_view op_type, OnnxInputs inputs, std::vector<std::string> outputs,
                         OnnxAttributes attributes) {
  builder_.add_node({std::string(op_type), node_.label, std::move(inputs), std::move(outputs), std::move(attributes)});
}

OnnxOperand OnnxCall::integers(std::string_view part, const OnnxIntegers& values) {
  return builder_.constant(outputs_[0].name + "." + std::string(part), DataType::int64, {std::uint32_t(values.size())},
                           bytes_of(values));
}

OnnxOperand OnnxCall::integer(std::string_view part, std::int64_t value) {
  return builder_.constant(outputs_[0].name + "." + std::string(part), DataType::int64, {},
                           bytes_of(OnnxIntegers{value}));
}

OnnxOperand OnnxCall::filled(std::string_view part, DataType type, const Shape& shape, Number value) {
  const std::size_t size = bits_of(type) / 8;
  std::vector<std::byte> data(element_count(shape) * size);
  for (std::size_t at = 0; at < data.size(); at += size) store(value, type, data.data() + at);
  return builder_.constant(outputs_[0].name + "." + std::string(part), type, shape, std::move(data));
}

OnnxOperand OnnxCall::reshaped(const OnnxOperand& operand, const Shape& shape) {
  if (operand.shape == shape || operand.name.empty()) return operand;
  if (operand.data) return builder_.constant(operand.name + ".reshaped", operand.type, shape, *operand.data);
  return add("Reshape", {operand.name, integers("shape", integers_of(shape)).name}, operand.type, shape);
}

OnnxOperand OnnxCall::transposed(const OnnxOperand& operand, std::span<const unsigned> permutation) {
  if (std::ranges::is_sorted(permutation)) return operand;
  const Shape shape = permuted(operand.shape, permutation);
  if (operand.data && bits_of(operand.type) >= 8)
    return builder_.constant(operand.name + ".transposed", operand.type, shape,
                             transposed_bytes(operand, shape, permutation));
  return add("Transpose", {operand.name}, operand.type, shape,
             {{"perm", OnnxIntegers(permutation.begin(), permutation.end())}});
}

OnnxOperand OnnxCall::expanded(const OnnxOperand& operand, const Shape& shape) {
  if (operand.shape == shape) return operand;
  return add("Expand", {operand.name, integers("shape", integers_of(shape)).name}, operand.type, shape);
}

OnnxOperand OnnxCall::converted(const OnnxOperand& operand, DataType type) {
  if (operand.type == type) return operand;
  return add("Cast", {operand.name}, type, operand.shape, {{"to", std::int64_t(onnx_type(type))}});
}

std::string OnnxCall::as_boolean(const OnnxOperand& operand) {
  std::string& name = builder_.booleans[operand.name];
  if (name.empty()) {
    name = builder_.take_name(operand.name + ".boolean");
    finish_as("Cast", {operand.name}, {name}, {{"to", std::int64_t(OnnxType::boolean)}});
  }
  return name;
}

void OnnxCall::finish_boolean(std::string_view op_type, OnnxInputs inputs, OnnxAttributes attributes) {
  const std::string name = name_for("boolean");
  finish_as(op_type, std::move(inputs), {name}, std::move(attributes));
  finish("Cast", {name}, {{"to", std::int64_t(OnnxType::uint8)}});
  builder_.booleans[outputs_[0].name] = name;
}

void OnnxCall::refuse(const std::string& why, const std::string& hint) const {
  throw Error(ExitCode::unsupported,
              "ONNX cannot express " + std::string(call.op().name) + " " + in_quotes(node_name()) + ": " + why, hint);
}

void onnx_direct(OnnxCall& call, std::string_view onnx) { call.finish(onnx, call.all_inputs()); }

}  // namespace webnn::compiler
