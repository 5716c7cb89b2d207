#include "compiler/onnx/import/import_call.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/ir/content.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"
#include "schema/round_up.hpp"
#include "schema/sentence.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {

// ---- attributes

const OnnxAttribute* ImportCall::find(std::string_view name) const {
  const auto found = std::ranges::find(node_.attributes, name, &OnnxAttribute::name);
  return found == node_.attributes.end() ? nullptr : &*found;
}

template <class T>
const T* ImportCall::value_of(std::string_view name, std::string_view kind) const {
  const OnnxAttribute* attribute = find(name);
  if (!attribute) return nullptr;
  const T* value = std::get_if<T>(&attribute->value);
  if (!value) throw OnnxRefusal{Code::bad_option, sentence("its attribute ", in_quotes(name), " is not ", kind)};
  return value;
}

namespace {

[[noreturn]] void missing_attribute(std::string_view name) {
  throw OnnxRefusal{Code::bad_option, "it has no attribute " + in_quotes(name)};
}

}  // namespace

std::int64_t ImportCall::integer(std::string_view name, std::optional<std::int64_t> absent) const {
  if (const auto* value = value_of<std::int64_t>(name, "an integer")) return *value;
  if (!absent) missing_attribute(name);
  return *absent;
}

double ImportCall::real(std::string_view name, std::optional<double> absent) const {
  if (const auto* value = value_of<float>(name, "a number")) return double(*value);
  if (!absent) missing_attribute(name);
  return *absent;
}

std::string ImportCall::text(std::string_view name, std::optional<std::string> absent) const {
  if (const auto* value = value_of<std::string>(name, "a word")) return *value;
  if (!absent) missing_attribute(name);
  return *absent;
}

OnnxIntegers ImportCall::integers(std::string_view name) const {
  const auto* value = value_of<OnnxIntegers>(name, "a list of integers");
  return value ? *value : OnnxIntegers();
}

OnnxType ImportCall::type(std::string_view name, std::optional<OnnxType> absent) const {
  const std::int64_t number = integer(name, absent ? std::optional(std::int64_t(*absent)) : std::nullopt);
  if (number < 0 || number > 0x7fffffff) refuse("it has no type with the number " + std::to_string(number));
  return builder_.usable(OnnxType(number));
}

std::vector<double> ImportCall::reals(std::string_view name) const {
  const auto* value = value_of<std::vector<float>>(name, "a list of numbers");
  return value ? std::vector<double>(value->begin(), value->end()) : std::vector<double>();
}

std::vector<std::string> ImportCall::texts(std::string_view name) const {
  const auto* value = value_of<std::vector<std::string>>(name, "a list of words");
  return value ? *value : std::vector<std::string>();
}

const OnnxTensor& ImportCall::tensor(std::string_view name) const {
  const auto* value = value_of<OnnxTensor>(name, "a tensor");
  if (!value) missing_attribute(name);
  return *value;
}

const OnnxGraph& ImportCall::graph(std::string_view name) const {
  const auto* value = value_of<std::shared_ptr<const OnnxGraph>>(name, "a graph");
  if (!value) missing_attribute(name);
  return **value;
}

// ---- operands

TensorId ImportCall::input(std::size_t index) const {
  if (!has(index)) throw OnnxRefusal{Code::wrong_operand_count, "its input " + std::to_string(index) + " is missing"};
  if (at(inputs_[index]).sequence) refuse("its input " + std::to_string(index) + " is a sequence, not a tensor");
  return inputs_[index];
}

const std::vector<TensorId>& ImportCall::sequence(std::size_t index) const {
  if (!has(index) || !at(inputs_[index]).sequence)
    refuse("its input " + std::to_string(index) + " is no sequence whose tensors are known");
  return *at(inputs_[index]).sequence;
}

std::int64_t ImportCall::count(TensorId id) const {
  std::int64_t result = 1;
  for (const std::int64_t size : dims(id))
    if (__builtin_mul_overflow(result, size, &result)) refuse("a tensor has too many elements");
  return result;
}

DataType ImportCall::known_type(TensorId id, std::string_view what) const {
  const ImportedTensor& tensor = at(id);
  if (!tensor.data)
    refuse(sentence(what, " must be known before the graph runs, because WebNN has no operand for that"),
           "where an input of the graph decides them, --constant-input NAME=SPEC makes it a constant");
  if (!tensor.problem.empty()) throw OnnxRefusal{Code::bad_init, sentence(what, ": ", tensor.problem)};
  const auto type = data_type_of(tensor.type);
  if (!type) refuse(sentence(what, " must be numbers, not ", name_of_type(tensor.type)));
  if (tensor.data->size() < div_up(std::uint64_t(count(id)) * bits_of(*type), 8))
    refuse(sentence(what, " have fewer elements than their shape says"));
  return *type;
}

OnnxIntegers ImportCall::known_integers(TensorId id, std::string_view what) const {
  const DataType type = known_type(id, what);
  if (is_float(type)) refuse(sentence(what, " must be integers, not ", name_of(type)));
  count_list(count(id));
  OnnxIntegers result(std::size_t(count(id)));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = load_element(type, at(id).data->data(), i).as_int64();
  return result;
}

std::vector<double> ImportCall::known_reals(TensorId id, std::string_view what) const {
  const DataType type = known_type(id, what);
  count_list(count(id));
  std::vector<double> result(std::size_t(count(id)));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = load_element(type, at(id).data->data(), i).as_double();
  return result;
}

Number ImportCall::known_number(TensorId id, std::string_view what) const {
  const DataType type = known_type(id, what);
  if (count(id) != 1) refuse(sentence(what, " must be a single number"));
  return load_element(type, at(id).data->data(), 0);
}

std::optional<OnnxIntegers> ImportCall::integers_from(std::size_t input, std::string_view attribute) const {
  if (has(input)) return known_integers(inputs_[input], "its " + std::string(attribute));
  if (has_attribute(attribute)) return integers(attribute);
  return std::nullopt;
}

std::uint32_t ImportCall::axis(std::int64_t value, std::int64_t rank) const {
  if (value < -rank || value >= rank)
    refuse(sentence("the axis ", value, " is outside of a tensor with ", counted(rank, "dimension")));
  return std::uint32_t(value < 0 ? value + rank : value);
}

std::vector<std::uint32_t> ImportCall::axes(const OnnxIntegers& values, std::int64_t rank) const {
  std::vector<std::uint32_t> result;
  for (const std::int64_t value : values) result.push_back(axis(value, rank));
  return result;
}

// ---- constants

void ImportCall::count_elements(std::int64_t count) const {
  constexpr std::uint64_t nanoseconds_of_element = 16;
  const auto elements = std::uint64_t(count);
  builder_.count_work({elements, 0}, (nanoseconds_of_element * Saturating(elements)).value());
}

void ImportCall::count_list(std::int64_t count) const {
  count_elements(count);
  const MemoryCharge list((sizeof(std::int64_t) * Saturating(std::uint64_t(count))).value());
}

AlignedBytes ImportCall::room(std::uint64_t bytes) {
  builder_.count_work({0, bytes}, bytes);
  return builder_.room(bytes);
}

TensorId ImportCall::constant(OnnxType type, OnnxIntegers dims, AlignedBytes room) {
  return builder_.add({.type = type, .dims = std::move(dims), .data = std::move(room).take()});
}

TensorId ImportCall::constant(OnnxType type, OnnxIntegers dims, Bytes data) {
  return builder_.add_made({.type = type, .dims = std::move(dims), .data = std::move(data)});
}

TensorId ImportCall::constant(const OnnxTensor& tensor) {
  return builder_.add({.type = tensor.type, .dims = tensor.dims, .data = tensor.data, .problem = tensor.problem});
}

TensorId ImportCall::scalar(OnnxType type, Number value) { return filled(type, {}, value); }

TensorId ImportCall::filled(OnnxType type, OnnxIntegers dims, Number value) {
  const auto stored = data_type_of(type);
  if (!stored) refuse("WebNN has no type " + name_of_type(type));
  std::uint64_t elements = 1;
  for (const std::int64_t size : dims)
    if (size < 0 || __builtin_mul_overflow(elements, std::uint64_t(size), &elements) ||
        elements > most_computed_bytes) {
      if (size < 0) refuse("a dimension of " + std::to_string(size) + " is negative");
      return expand(scalar(type, value), dims);  // one number in the graph
    }
  AlignedBytes data = room(div_up(elements * bits_of(*stored), 8));
  std::ranges::fill(data.view(), std::byte{0});
  for (std::size_t i = 0; i < elements; ++i) store_element(value, *stored, data.data(), i);
  return constant(type, std::move(dims), std::move(data));
}

TensorId ImportCall::integers_tensor(const OnnxIntegers& values) {
  AlignedBytes data = room(sizeof(std::int64_t) * values.size());
  std::ranges::copy(std::as_bytes(std::span(values)), data.data());
  return constant(OnnxType::int64, {std::int64_t(values.size())}, std::move(data));
}

TensorId ImportCall::sequence_of(std::vector<TensorId> elements) {
  return builder_.add({.type = OnnxType::undefined, .sequence = std::move(elements)});
}

TensorId ImportCall::nothing() {
  return builder_.add({.type = OnnxType::undefined, .problem = "it is an optional without an element"});
}

// ---- calls

std::string ImportCall::label() const {
  if (!node_.name.empty()) return node_.name;
  for (const std::string& output : node_.outputs)
    if (!output.empty()) return output;
  return node_.op_type;
}

std::vector<TensorId> ImportCall::make_all(OperatorId op, std::span<const TensorId> operands, NamedAttributes named) {
  const Operator& called = row(op);
  Attributes attributes(called.attributes.size());
  for (auto& [name, value] : named) {
    const int index = called.attribute_index(name);
    if (index < 0) throw Error(ExitCode::internal, sentence(called.name, " has no attribute ", name));
    attributes[std::size_t(index)] = std::move(value);
  }
  const std::string stem = (wants(0) ? node_.outputs[0] : label()) + "." + std::string(called.name);
  return builder_.call(op, operands, std::move(attributes), stem, label());
}

TensorId ImportCall::make(OperatorId op, std::initializer_list<TensorId> operands, NamedAttributes attributes) {
  return make_all(op, std::span(operands.begin(), operands.size()), std::move(attributes))[0];
}

TensorId ImportCall::expression(std::string_view text, std::span<const std::pair<std::string_view, Word>> words) {
  std::string error;
  const auto pattern = parse_pattern(text, error);
  if (!pattern) throw Error(ExitCode::internal, sentence(text, ": ", error));
  const TensorId* like_tensor = words.empty() ? nullptr : std::get_if<TensorId>(&words[0].second);
  const TensorId like = like_tensor ? *like_tensor : input(0);  // or refuses
  return expression(*pattern, words, like);
}

/// `like`: numbers get its type.
TensorId ImportCall::expression(const Pattern& pattern, std::span<const std::pair<std::string_view, Word>> words,
                                TensorId like) {
  const auto word = [&](std::string_view name) -> const Word& {
    for (const auto& [known, value] : words)
      if (known == name) return value;
    if (name.size() == 1 && name[0] <= 'f') input(std::size_t(name[0] - 'a'));  // refuses
    throw Error(ExitCode::internal, sentence("a row for ", node_.op_type, " does not say what ?", name, " is"));
  };
  switch (pattern.kind) {
    case Pattern::Kind::absent:
      return {};
    case Pattern::Kind::literal: {
      std::byte element[8];
      const auto type = data_type_of(this->type(like));
      if (!type || !parse_element(pattern.literal, *type, element))
        refuse(sentence("it is not for ", name_of_type(this->type(like))));
      return scalar_like(like, load_element(*type, element, 0));
    }
    case Pattern::Kind::call: {
      std::vector<TensorId> operands;
      const Operator& called = row(*pattern.op);
      for (std::size_t i = 0; i < pattern.operands.size(); ++i)
        operands.push_back(expression(pattern.operands[i], words, like));
      NamedAttributes attributes;
      for (const Pattern::AttributePattern& given : pattern.attributes) {
        const AttributeRow& attribute = called.attributes[given.index];
        std::optional<AttributeValue> value = given.value;
        if (!given.capture.empty()) {
          const double number = std::get<double>(word(given.capture));
          if (attribute.kind == AttributeKind::number)
            value = Number(number);
          else if (attribute.kind == AttributeKind::real)
            value = number;
          else
            value = std::int64_t(number);
        }
        attributes.emplace_back(attribute.name, std::move(value));
      }
      return make_all(*pattern.op, operands, std::move(attributes))[0];
    }
    default: {
      const Word& value = word(pattern.capture);
      if (const TensorId* id = std::get_if<TensorId>(&value)) return *id;
      return scalar_like(like, std::get<double>(value));
    }
  }
}

TensorId ImportCall::onnx(std::string_view op_type, std::vector<TensorId> inputs,
                          std::vector<OnnxAttribute> attributes) {
  OnnxNode node;
  node.op_type = op_type;
  node.name = label();
  node.outputs = {label() + "." + node.op_type};
  node.attributes = std::move(attributes);
  for (const OnnxImportRow* row : import_rows_of({}, op_type))
    if (row->read && row->since <= opset_ && opset_ < row->before) {
      ImportCall call(builder_, node, opset_, std::move(inputs), subgraph_);
      row->read(call);
      return call.results()[0];
    }
  throw Error(ExitCode::internal, sentence("no function reads ", op_type));
}

TensorId ImportCall::reshape(TensorId x, const OnnxIntegers& dims) {
  if (this->dims(x) == dims) return x;
  std::int64_t elements = 1;
  for (const std::int64_t size : dims)
    if (size < 0 || __builtin_mul_overflow(elements, size, &elements)) refuse("a shape is negative or too large");
  if (elements != count(x))
    refuse(sentence(counted(count(x), "element"), " are given where ", elements, " are needed"));
  if (is_known(x)) {  // the same bytes; in the graph they are another constant
    ImportedTensor same = at(x);
    same.dims = dims;
    same.value = {};
    return builder_.add(std::move(same));
  }
  return make("reshape"_op, {x}, {{"newShape", dims}});
}

TensorId ImportCall::transpose(TensorId x, const std::vector<std::uint32_t>& permutation) {
  if (std::ranges::is_sorted(permutation)) return x;
  return make("transpose"_op, {x}, {{"permutation", IntegerList(permutation.begin(), permutation.end())}});
}

TensorId ImportCall::cast(TensorId x, OnnxType to) {
  const OnnxType from = type(x);
  if (from == to) return x;
  if (to == OnnxType::boolean) return make("notEqual"_op, {x, scalar_like(x, 0)});
  const auto stored = data_type_of(to);
  if (!stored) refuse("WebNN has no type " + name_of_type(to));
  if (count(x) == 0) return constant(to, dims(x), Bytes());
  if (data_type_of(from) == *stored) return retyped(x, to);
  return retyped(make("cast"_op, {x}, {{"dataType", *stored}}), to);
}

TensorId ImportCall::expand(TensorId x, const OnnxIntegers& dims) {
  if (this->dims(x) == dims) return x;
  return make("expand"_op, {x}, {{"newShape", dims}});
}

TensorId ImportCall::retyped(TensorId x, OnnxType to) {
  if (type(x) == to) return x;
  ImportedTensor same = at(x);
  same.type = to;
  return builder_.add(std::move(same));
}

// ---- results

void ImportCall::finish(std::size_t index, TensorId result) {
  if (!wants(index)) return;
  results_[index] = result;
  builder_.name_result(result, node_.outputs[index]);
}

void ImportCall::refuse(std::string message, std::string hint) const {
  throw OnnxRefusal{Code::bad_call, std::move(message), std::move(hint)};
}

}  // namespace webnn::compiler
