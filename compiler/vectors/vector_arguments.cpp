// Maps the JSON arguments of a test vector to operands and attributes.
#include "compiler/vectors/vector_arguments.hpp"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "schema/diagnostics.hpp"
#include "schema/sentence.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {

using nlohmann::json;

namespace {

/// An option that every builder method takes and that does not affect the result.
constexpr std::string_view label_option = "label";
/// Name of outputShapeRounding in vectors of 2025.
constexpr std::string_view old_rounding_option = "roundingType";

std::optional<Number> parse_integer(const std::string& digits) {
  const char* end = digits.data() + digits.size();
  if (std::int64_t value = 0; std::from_chars(digits.data(), end, value) == std::from_chars_result{end, std::errc{}})
    return Number(value);
  if (std::uint64_t value = 0; std::from_chars(digits.data(), end, value) == std::from_chars_result{end, std::errc{}})
    return Number(value);
  return std::nullopt;
}

/// The string under the only member of `value`; null when it has another structure.
const std::string* only_member(const json& value, const char* name) {
  if (!value.is_object() || value.size() != 1) return nullptr;
  const auto member = value.find(name);
  return member == value.end() ? nullptr : member->get_ptr<const std::string*>();
}

/// An integer attribute: JavaScript takes a Number, never a BigInt. Values beyond 64 bits are refused here, values
/// beyond the attribute's range by the checker.
std::optional<std::int64_t> read_integer(const json& value) {
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
    return std::nullopt;
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double real = value.get<double>();  // 2.0 is the integer 2
  if (!(real >= -0x1p53 && real <= 0x1p53) || real != double(std::int64_t(real))) return std::nullopt;
  return std::int64_t(real);
}

std::optional<double> read_real(const json& value) {
  if (value.is_object() && only_member(value, "number") == nullptr) return std::nullopt;  // a BigInt is not a double
  const auto number = read_vector_number(value);
  return number ? std::optional(number->as_double()) : std::nullopt;
}

std::optional<std::string> read_text(const json& value) {
  return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

template <typename T, typename Read>
std::optional<AttributeValue> read_list(const json& value, Read read) {
  if (!value.is_array()) return std::nullopt;
  std::vector<T> list;
  for (const json& element : value) {
    auto item = read(element);
    if (!item) return std::nullopt;
    list.push_back(std::move(*item));
  }
  return list;
}

std::optional<AttributeValue> read_value(AttributeKind kind, const json& value) {
  switch (kind) {
    case AttributeKind::boolean:
      return value.is_boolean() ? std::optional<AttributeValue>(value.get<bool>()) : std::nullopt;
    case AttributeKind::u32:
    case AttributeKind::i32:
      return read_integer(value);
    case AttributeKind::real:
      return read_real(value);
    case AttributeKind::number:
      return read_vector_number(value);
    case AttributeKind::u32_or_list:
      if (const auto integer = read_integer(value)) return *integer;
      return read_list<std::int64_t>(value, read_integer);
    case AttributeKind::u32_list:
      return read_list<std::int64_t>(value, read_integer);
    case AttributeKind::real_list:
      return read_list<double>(value, read_real);
    case AttributeKind::text:
      return read_text(value);
    case AttributeKind::text_list:
      return read_list<std::string>(value, read_text);
    case AttributeKind::data_type: {
      const auto type = value.is_string() ? parse_data_type(value.get<std::string>()) : std::nullopt;
      return type ? std::optional<AttributeValue>(*type) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Reads one call; a class, so that all parts can add to one list of errors.
class Reader {
 public:
  explicit Reader(const Operator& row) : row_(row) {
    call_.attributes = Attributes(row.attributes.size());
    if (!row.variadic()) call_.operands.resize(row.operands.size(), nullptr);
  }

  VectorCall read(const std::vector<const json*>& arguments) {
    arguments_ = &arguments;
    for (std::size_t i = 0; i < row_.operands.size(); ++i)
      if (row_.operands[i].arity == Arity::one)
        set_operand(i, next());
      else if (row_.operands[i].arity == Arity::many)
        set_operand_list(i, next());
    for (std::size_t i = 0; i < row_.attributes.size(); ++i)
      if (row_.attributes[i].required()) set_attribute(i, next());
    if (const json* options = next()) set_options(*options);
    if (place_ < arguments.size())
      fail(sentence(row_.name, " takes at most ", place_, " arguments, but there are ", arguments.size()));
    return std::move(call_);
  }

 private:
  const json* next() {
    if (place_ >= arguments_->size()) return ++place_, nullptr;
    const json* value = (*arguments_)[place_++];
    return value->is_null() ? nullptr : value;
  }

  void fail(std::string message) { call_.errors.push_back(std::move(message)); }

  bool is_operand(const json& value, std::string_view name) {
    if (value.is_string() || (value.is_object() && value.contains("operand"))) return true;
    fail(sentence("'", name, "' of ", row_.name, " must be an operand"));
    return false;
  }

  void set_operand(std::size_t place, const json* value) {
    if (value && is_operand(*value, row_.operands[place].name)) call_.operands[place] = value;
  }

  void set_operand_list(std::size_t place, const json* list) {
    const std::string_view name = row_.operands[place].name;
    if (!list || !list->is_array()) return fail(sentence("'", name, "' of ", row_.name, " must be a list of operands"));
    for (const json& value : *list)
      if (is_operand(value, name)) call_.operands.push_back(&value);
  }

  void set_attribute(std::size_t place, const json* value) {
    if (!value) return;
    std::string error;
    call_.attributes[place] = read_vector_attribute(row_.attributes[place], *value, error);
    if (!call_.attributes[place]) fail(std::move(error));
  }

  void set_options(const json& options) {
    if (!options.is_object() || options.contains("operand"))
      return fail(sentence("the last argument of ", row_.name, " must be a dictionary of options"));
    for (const auto& [name, value] : options.items()) {
      if (name == label_option || value.is_null()) continue;
      set_option(name == old_rounding_option ? "outputShapeRounding" : name, value);
    }
  }

  void set_option(const std::string& name, const json& value) {
    const int operand = row_.operand_index(name);
    if (operand >= 0 && row_.operands[std::size_t(operand)].arity == Arity::optional)
      return set_operand(std::size_t(operand), &value);
    const int attribute = row_.attribute_index(name);
    if (attribute >= 0 && !row_.attributes[std::size_t(attribute)].required())
      return set_attribute(std::size_t(attribute), &value);
    std::vector<std::string_view> known;
    for (const OperandRow& candidate : row_.operands)
      if (candidate.arity == Arity::optional) known.push_back(candidate.name);
    for (const AttributeRow& candidate : row_.attributes)
      if (!candidate.required()) known.push_back(candidate.name);
    const std::string_view near = nearest(name, known);
    fail(sentence(row_.name, " has no option ", in_quotes(name),
                  near.empty() ? std::string() : sentence(", did you mean '", near, "'?")));
  }

  const Operator& row_;
  VectorCall call_;
  const std::vector<const json*>* arguments_ = nullptr;
  std::size_t place_ = 0;
};

}  // namespace

VectorCall read_vector_call(const Operator& row, const std::vector<const json*>& arguments) {
  return Reader(row).read(arguments);
}

std::optional<Number> read_vector_number(const json& value) {
  if (value.is_number_unsigned()) return Number(value.get<std::uint64_t>());
  if (value.is_number_integer()) return Number(value.get<std::int64_t>());
  if (value.is_number_float()) return Number(value.get<double>());
  if (const std::string* digits = only_member(value, "bigint")) return parse_integer(*digits);
  if (const std::string* word = only_member(value, "number")) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (*word == "NaN") return Number(std::numeric_limits<double>::quiet_NaN());
    if (*word == "Infinity") return Number(infinity);
    if (*word == "-Infinity") return Number(-infinity);
  }
  return std::nullopt;
}

std::optional<AttributeValue> read_vector_attribute(const AttributeRow& row, const json& value, std::string& error) {
  auto result = read_value(row.kind, value);
  if (!result)
    error = sentence("'", row.name, "' must be ", text_of(row.kind), ", but is ",
                     in_quotes(value.dump(-1, ' ', false, json::error_handler_t::replace)));
  return result;
}

std::vector<const json*> positional_arguments(const json& named_arguments) {
  std::vector<const json*> values;
  if (!named_arguments.is_array()) return values;
  for (const json& argument : named_arguments)
    if (argument.is_object())
      for (const json& value : argument) values.push_back(&value);
  return values;
}

std::optional<OperandDescriptor> read_vector_descriptor(const json& value, std::string& error) {
  const auto fail = [&error](std::string message) {
    error = std::move(message);
    return std::nullopt;
  };
  if (!value.is_object() || !value.contains("dataType") || !value.contains("shape"))
    return fail("a descriptor is an object with 'dataType' and 'shape'");
  const auto type = read_value(AttributeKind::data_type, value["dataType"]);
  if (!type)
    return fail(sentence("there is no data type ",
                         in_quotes(value["dataType"].dump(-1, ' ', false, json::error_handler_t::replace))));
  const auto shape = read_value(AttributeKind::u32_list, value["shape"]);
  if (!shape) return fail("'shape' must be a list of integers");
  const IntegerList& sizes = std::get<IntegerList>(*shape);
  if (sizes.size() > max_rank) return fail(sentence("the rank is ", sizes.size(), ", but at most ", max_rank));
  OperandDescriptor descriptor{std::get<DataType>(*type), {}};
  for (std::int64_t size : sizes) {
    if (size < 1 || size > std::int64_t{max_dimension})
      return fail(sentence("a dimension is ", size, ", but must be 1 to ", max_dimension));
    descriptor.shape.push_back(std::uint32_t(size));
  }
  error = descriptor_error(descriptor);
  if (!error.empty()) return std::nullopt;
  return descriptor;
}

}  // namespace webnn::compiler
