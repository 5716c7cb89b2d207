// The C interface: building graphs. Operators are called through their rows of the operator table.
#include "api/c_interface/c_interface.hpp"
#include "api/internals.hpp"
#include "schema/diagnostics.hpp"
#include "schema/text.hpp"

using namespace webnn::c_interface;
using webnn::refuse;

namespace {

using namespace webnn::schema;
using webnn::Operand;

OperatorId operator_named(const char* name) {
  const std::optional<OperatorId> found = find_operator(required_text(name, "op"));
  if (found) return *found;
  const std::string_view near = nearest(name, {std::begin(operator_names), std::end(operator_names)});
  refuse("there is no operator " + in_quotes(name), near.empty() ? "" : "did you mean " + in_quotes(near) + "?");
}

template <class T>
std::vector<T> copied(const T* items, std::size_t count) {
  const std::span<const T> values = list(items, count, "a list of an attribute");
  return {values.begin(), values.end()};
}

/// The value as its row wants it: an integer is accepted for a real number. Everything else is checked with the call.
AttributeValue attribute_value(const webnn_attribute& attribute, AttributeKind wanted) {
  const auto& value = attribute.value;
  const auto number = [&](auto held) -> AttributeValue {
    if (wanted == AttributeKind::number) return Number(held);
    if (wanted == AttributeKind::real) return double(held);
    return std::int64_t(held);
  };
  switch (attribute.kind) {
    case WEBNN_ATTRIBUTE_BOOLEAN:
      return value.boolean != 0;
    case WEBNN_ATTRIBUTE_INTEGER:
      return number(value.integer);
    case WEBNN_ATTRIBUTE_UNSIGNED:
      if (wanted != AttributeKind::number && value.unsigned_integer > std::uint64_t{1} << 62)
        refuse(in_quotes(attribute.name) + " is too large");
      return number(value.unsigned_integer);
    case WEBNN_ATTRIBUTE_REAL:
      return wanted == AttributeKind::number ? AttributeValue(Number(value.real)) : AttributeValue(value.real);
    case WEBNN_ATTRIBUTE_TEXT:
      return std::string(required_text(value.text, "the text of an attribute"));
    case WEBNN_ATTRIBUTE_DATA_TYPE:
      return data_type_of(value.data_type);
    case WEBNN_ATTRIBUTE_INTEGERS:
      return copied(value.integers, attribute.count);
    case WEBNN_ATTRIBUTE_REALS:
      return copied(value.reals, attribute.count);
    case WEBNN_ATTRIBUTE_TEXTS: {
      TextList texts;
      for (const char* text : copied(value.texts, attribute.count))
        texts.emplace_back(required_text(text, "a text of an attribute"));
      return texts;
    }
  }
  refuse(in_quotes(attribute.name) + " is of no kind that there is");
}

Attributes attributes_of(const Operator& op, std::span<const webnn_attribute> given) {
  Attributes values(op.attributes.size());
  for (const webnn_attribute& attribute : given) {
    const std::string_view name = required_text(attribute.name, "the name of an attribute");
    const int index = op.attribute_index(name);
    if (index < 0) {
      std::vector<std::string_view> known;
      for (const AttributeRow& row : op.attributes) known.push_back(row.name);
      const std::string_view near = nearest(name, known);
      refuse(std::string(op.name) + " has no attribute " + in_quotes(name),
             near.empty() ? "" : "did you mean " + in_quotes(near) + "?");
    }
    std::optional<AttributeValue>& value = values[std::size_t(index)];
    if (value) refuse(std::string(op.name) + ": " + in_quotes(name) + " is given twice");
    value = attribute_value(attribute, op.attributes[std::size_t(index)].kind);
  }
  return values;
}

/// Gives an operand to the caller; the builder owns it.
void give(webnn_builder& builder, Operand operand, webnn_operand*& taker) {
  taker = &builder.operands.emplace_back(webnn_operand{std::move(operand)});
}

}  // namespace

webnn_status* webnn_builder_create(webnn_context* context, webnn_builder** builder) {
  return guarded(
      [&] { give_new(builder, "builder", [&] { return webnn::GraphBuilder(required(context, "context").value); }); });
}

void webnn_builder_release(webnn_builder* builder) { delete builder; }

webnn_status* webnn_builder_input(webnn_builder* builder, const char* name, const webnn_descriptor* descriptor,
                                  webnn_operand** operand) {
  return guarded([&] {
    const auto [type, shape] = type_and_shape(descriptor, "descriptor");
    webnn_builder& owner = required(builder, "builder");
    webnn_operand*& taker = required(operand, "operand");
    give(owner, owner.value.input(required_text(name, "name"), type, shape), taker);
  });
}

webnn_status* webnn_builder_constant(webnn_builder* builder, const webnn_descriptor* descriptor, const void* data,
                                     size_t bytes, webnn_operand** operand) {
  return guarded([&] {
    const auto [type, shape] = type_and_shape(descriptor, "descriptor");
    webnn_builder& owner = required(builder, "builder");
    webnn_operand*& taker = required(operand, "operand");
    give(owner, owner.value.constant(type, shape, bytes_of(data, bytes)), taker);
  });
}

webnn_status* webnn_builder_constant_tensor(webnn_builder* builder, const webnn_tensor* tensor,
                                            webnn_operand** operand) {
  return guarded([&] {
    webnn_builder& owner = required(builder, "builder");
    webnn_operand*& taker = required(operand, "operand");
    give(owner, owner.value.constant(required(tensor, "tensor").value), taker);
  });
}

webnn_status* webnn_operand_descriptor(const webnn_operand* operand, webnn_descriptor* descriptor) {
  return guarded([&] {
    const Operand& value = required(operand, "operand").value;
    give_structure(descriptor_of(value.dataType(), value.shape()), descriptor, "descriptor");
  });
}

webnn_status* webnn_builder_call(webnn_builder* builder, const char* op, webnn_operand* const* operands,
                                 size_t operand_count, const webnn_attribute* attributes, size_t attribute_count,
                                 const char* label, webnn_operand** outputs, size_t output_count) {
  return guarded([&] {
    const OperatorId id = operator_named(op);
    std::vector<Operand> inputs;
    for (const webnn_operand* operand : list(operands, operand_count, "operands"))
      inputs.push_back(operand ? operand->value : Operand());
    Attributes values = attributes_of(row(id), list(attributes, attribute_count, "attributes"));
    const std::span<webnn_operand*> takers = list(outputs, output_count, "outputs");
    std::vector<Operand> results = webnn::api::Internals::call(required(builder, "builder").value, id, inputs,
                                                               std::move(values), label ? label : "", takers.size());
    for (std::size_t i = 0; i < results.size(); ++i) give(*builder, std::move(results[i]), takers[i]);
  });
}

webnn_status* webnn_builder_build(webnn_builder* builder, const webnn_named_operand* outputs, size_t output_count,
                                  webnn_graph** graph) {
  return guarded([&] {
    webnn::NamedOperands operands;
    for (const webnn_named_operand& output : list(outputs, output_count, "outputs"))
      if (!operands.emplace(required_text(output.name, "an output's name"), required(output.operand, "an output").value)
               .second)
        refuse("outputs has two of the name " + in_quotes(output.name));
    give_new(graph, "graph", [&] { return required(builder, "builder").value.build(operands); });
  });
}
