// What the JavaScript knows of the library, of operators and of a device: the version, the operator table and
// opSupportLimits().
#include <iterator>

#include "api/webnn.hpp"
#include "bindings/node/native/functions.hpp"
#include "schema/operators/operator_table.hpp"
#include "schema/version.hpp"

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

// The words of the JavaScript, by number.
constexpr const char* arity_words[] = {"one", "optional", "many"};
static_assert(int(Arity::many) + 1 == std::size(arity_words));
constexpr const char* kind_words[] = {"boolean",     "u32",       "i32",  "real",      "number",   "u32_list",
                                      "u32_or_list", "real_list", "text", "text_list", "data_type"};
static_assert(int(AttributeKind::data_type) + 1 == std::size(kind_words));

napi_value make_attribute(napi_env env, const schema::AttributeRow& attribute) {
  return ObjectMaker(env)
      .set("name", make_text(env, attribute.name))
      .set("kind", make_text(env, kind_words[int(attribute.kind)]))
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
        .set("arity", make_text(env, arity_words[int(place.arity)]))
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

/// version(): the library's.
napi_value version(const Call& call) { return make_text(call.env, schema::version); }

constexpr NamedFunction table_list[] = {
    {"operators", guarded<operators>},
    {"version", guarded<version>},
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
