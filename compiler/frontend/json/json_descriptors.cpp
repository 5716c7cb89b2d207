// Data types and shapes of webnn-graph-json.
#include "compiler/frontend/json/json_access.hpp"
#include "compiler/frontend/json/json_graph_reader.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {

using Kind = JsonValue::Kind;

std::optional<std::uint32_t> JsonGraphReader::read_size(JsonValue value, std::string_view what) {
  if (!value.is(Kind::number)) {
    report_wrong_type(diagnostics_, value, what, "an integer");
    return std::nullopt;
  }
  const auto size = integer_of(value);
  if (size && *size >= 1 && *size <= std::int64_t(max_dimension)) return std::uint32_t(*size);
  error(Code::bad_dimension, value,
        std::string(what) + " must be an integer from 1 to " + std::to_string(max_dimension) + ", found " +
            value.number().text());
  return std::nullopt;
}

/// {"name": "batch", "maxSize": 16}; some tools write max_size.
std::optional<std::uint32_t> JsonGraphReader::read_named_dimension(JsonValue value, unsigned axis,
                                                                   std::vector<Dimension>* named) {
  if (!named) {
    error(Code::bad_dynamic_dimension, value, "a constant cannot have a named dimension");
    return std::nullopt;
  }
  const JsonValue name = required_member(value, "name", diagnostics_);
  JsonValue size = optional_member(value, "max_size");
  if (!size) size = required_member(value, "maxSize", diagnostics_);
  report_unknown_members(value, {"name", "maxSize", "max_size"}, diagnostics_);
  if (!name || !size) return std::nullopt;
  const auto maximum = read_size(size, "the maximum of a named dimension");
  if (!name.is(Kind::text)) {
    report_wrong_type(diagnostics_, name, "the name of a dimension", "a string");
    return std::nullopt;
  }
  if (name.text().empty()) {
    error(Code::bad_dynamic_dimension, name, "the name of a dimension must not be empty");
    return std::nullopt;
  }
  if (!maximum) return std::nullopt;
  const auto [known, is_new] = dimensions_.emplace(name.text(), *maximum);
  if (!is_new && known->second != *maximum) {
    error(Code::bad_dynamic_dimension, size,
          "the dimension " + in_quotes(name.text()) + " has the maximum " + std::to_string(*maximum) + " here and " +
              std::to_string(known->second) + " before");
    return std::nullopt;
  }
  named->push_back({axis, std::string(name.text())});
  return maximum;
}

std::optional<OperandDescriptor> JsonGraphReader::read_descriptor(JsonValue value, std::vector<Dimension>* named) {
  if (!value.is(Kind::object)) {
    report_wrong_type(diagnostics_, value, in_quotes(value.key()), "an object with dataType and shape");
    return std::nullopt;
  }
  const JsonValue type_text = required_member(value, "dataType", diagnostics_);
  const auto type = type_text ? read_data_type(type_text, diagnostics_) : std::nullopt;
  const JsonValue sizes = required_member(value, "shape", diagnostics_);
  if (!sizes) return std::nullopt;
  if (!sizes.is(Kind::array)) {
    report_wrong_type(diagnostics_, sizes, "a shape", "an array");
    return std::nullopt;
  }
  if (sizes.size() > max_rank) {
    error(Code::bad_rank, sizes,
          "the shape has " + std::to_string(sizes.size()) + " dimensions, at most " + std::to_string(max_rank) +
              " are allowed");
    return std::nullopt;
  }
  OperandDescriptor descriptor;
  bool good = type.has_value();
  for (const JsonValue element : sizes) {
    const unsigned axis = descriptor.shape.rank();
    const auto size =
        element.is(Kind::object) ? read_named_dimension(element, axis, named) : read_size(element, "a dimension");
    good = good && size;
    descriptor.shape.push_back(size.value_or(1));
  }
  if (!good) return std::nullopt;
  descriptor.type = *type;
  if (const std::string why = descriptor_error(descriptor); !why.empty()) {
    error(Code::tensor_too_large, sizes, why);
    return std::nullopt;
  }
  if (!is_within_limit(descriptor, sizes)) return std::nullopt;
  return descriptor;
}

bool JsonGraphReader::is_within_limit(const OperandDescriptor& descriptor, JsonValue place) {
  const std::string why = size_error(descriptor, options_.max_tensor_bytes);
  if (why.empty()) return true;
  error(Code::limit_exceeded, place, why).hints.push_back("--max-tensor-bytes raises the limit");
  return false;
}

}  // namespace webnn::compiler
