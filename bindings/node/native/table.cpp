// What the JavaScript knows of operators and of a device: the operator table and opSupportLimits().
#include "api/webnn.hpp"
#include "bindings/node/native/functions.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::node {
namespace {

using schema::Arity;
using schema::AttributeKind;

template <class List, class Make>
napi_value make_list(napi_env env, const List& list, Make make) {
  std::vector<napi_value> values;
  for (const auto& item : list) values.push_back(make(item));
  return make_array(env, values);
}

const char* word_for(Arity arity) {
  return arity == Arity::one ? "one" : arity == Arity::optional ? "optional" : "many";
}

const char* word_for(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::boolean:
      return "boolean";
    case AttributeKind::u32:
      return "u32";
    case AttributeKind::i32:
      return "i32";
    case AttributeKind::real:
      return "real";
    case AttributeKind::number:
      return "number";
    case AttributeKind::u32_list:
      return "u32_list";
    case AttributeKind::u32_or_list:
      return "u32_or_list";
    case AttributeKind::real_list:
      return "real_list";
    case AttributeKind::text:
      return "text";
    case AttributeKind::text_list:
      return "text_list";
    case AttributeKind::data_type:
      return "data_type";
  }
  return "";
}

napi_value make_attribute(napi_env env, const schema::AttributeRow& attribute) {
  return ObjectMaker(env)
      .set("name", make_text(env, attribute.name))
      .set("kind", make_text(env, word_for(attribute.kind)))
      .set("required", make_boolean(env, attribute.required()))
      .set("words", make_list(env, attribute.words, [&](std::string_view word) { return make_text(env, word); }))
      .value();
}

/// operators(): the rows of the operator table, in its order.
napi_value operators(const Call& call) {
  const napi_env env = call.env;
  const auto make_place = [&](const auto& place) {
    return ObjectMaker(env)
        .set("name", make_text(env, place.name))
        .set("arity", make_text(env, word_for(place.arity)))
        .value();
  };
  return make_list(env, schema::operator_table(), [&](const schema::Operator& op) {
    return ObjectMaker(env)
        .set("name", make_text(env, op.name))
        .set("operands", make_list(env, op.operands, make_place))
        .set("outputs", make_list(env, op.outputs, make_place))
        .set("attributes",
             make_list(env, op.attributes, [&](const schema::AttributeRow& row) { return make_attribute(env, row); }))
        .value();
  });
}

napi_value make_limits(napi_env env, const TensorLimits& limits) {
  const napi_value range = ObjectMaker(env)
                               .set("min", make_number(env, limits.rankRange.min))
                               .set("max", make_number(env, limits.rankRange.max))
                               .value();
  const napi_value types =
      make_list(env, limits.dataTypes, [&](DataType type) { return make_text(env, name_of(type)); });
  return ObjectMaker(env).set("dataTypes", types).set("rankRange", range).value();
}

/// opSupportLimits(context): MLOpSupportLimits.
napi_value op_support_limits(const Call& call) {
  const napi_env env = call.env;
  const OpSupportLimits limits = held<Context>(env, call[0]).opSupportLimits();
  ObjectMaker result(env);
  result.set("preferredInputLayout", make_text(env, limits.preferredInputLayout))
      .set("maxTensorByteLength", make_number(env, double(limits.maxTensorByteLength)))
      .set("input", make_limits(env, limits.input))
      .set("constant", make_limits(env, limits.constant))
      .set("output", make_limits(env, limits.output));
  for (const auto& [name, places] : limits.operators) {
    ObjectMaker op(env);
    for (const auto& [place, limits_there] : places) op.set(place.c_str(), make_limits(env, limits_there));
    result.set(name.c_str(), op.value());
  }
  return result.value();
}

constexpr NamedFunction table_list[] = {
    {"operators", guarded<operators>},
    {"opSupportLimits", guarded<op_support_limits>},
};

}  // namespace

std::span<const NamedFunction> table_functions() { return table_list; }

schema::DataType data_type(napi_env env, napi_value value) {
  const std::string name = text(env, value);
  if (const auto type = schema::parse_data_type(name)) return *type;
  throw Error(schema::ExitCode::usage, "there is no data type '" + name + "'");
}

}  // namespace webnn::node
