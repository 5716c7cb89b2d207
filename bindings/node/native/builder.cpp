// Builders: operands are numbers in the order of their making, operators are numbers of rows of the operator table.
#include "api/internals.hpp"
#include "bindings/node/native/functions.hpp"
#include "bindings/node/native/work.hpp"
#include "schema/operators/operator_table.hpp"

namespace webnn::node {
namespace {

using schema::AttributeKind;
using schema::AttributeValue;
using schema::ExitCode;
using schema::OperatorId;

/// A builder belongs to the thread that builds as soon as that has begun.
struct Builder {
  explicit Builder(const Context& context) : value(context) {}
  GraphBuilder value;
  std::vector<Operand> operands;
  bool builds = false;
};
using SharedBuilder = std::shared_ptr<Builder>;

Builder& builder_of(const Call& call) {
  Builder& builder = *held<SharedBuilder>(call.env, call[0]);
  if (builder.builds) throw Error(ExitCode::usage, "the builder has built its graph");
  return builder;
}

const Operand& operand_of(napi_env env, const Builder& builder, napi_value number) {
  const std::uint32_t index = word(env, number);
  if (index >= builder.operands.size()) throw Error(ExitCode::usage, "not an operand of this builder");
  return builder.operands[index];
}

napi_value add(napi_env env, Builder& builder, Operand operand) {
  builder.operands.push_back(std::move(operand));
  const Operand& added = builder.operands.back();
  return ObjectMaker(env)
      .set("number", make_number(env, double(builder.operands.size() - 1)))
      .set("dataType", make_text(env, name_of(added.dataType())))
      .set("shape", make_words(env, added.shape()))
      .value();
}

napi_value create_builder(const Call& call) {
  return make_holder(call.env, std::make_shared<Builder>(held<Context>(call.env, call[0])));
}

/// input(builder, name, type, shape)
napi_value input(const Call& call) {
  Builder& builder = builder_of(call);
  return add(call.env, builder,
             builder.value.input(text(call.env, call[1]), data_type(call.env, call[2]), words(call.env, call[3])));
}

/// constant(builder, type, shape, bytes)
napi_value constant(const Call& call) {
  Builder& builder = builder_of(call);
  return add(call.env, builder,
             builder.value.constant(data_type(call.env, call[1]), words(call.env, call[2]), bytes(call.env, call[3])));
}

/// A number or BigInt. The JavaScript makes a number of one beyond 64 bits.
Number number_of(napi_env env, napi_value value) {
  napi_valuetype type = napi_undefined;
  check(env, napi_typeof(env, value, &type));
  if (type != napi_bigint) return Number(real(env, value));
  bool lossless = false;
  std::int64_t signed_value = 0;
  check(env, napi_get_value_bigint_int64(env, value, &signed_value, &lossless));
  if (lossless) return Number(signed_value);
  std::uint64_t unsigned_value = 0;
  check(env, napi_get_value_bigint_uint64(env, value, &unsigned_value, &lossless));
  if (!lossless) throw Error(ExitCode::usage, "not a number of 64 bits");
  return Number(unsigned_value);
}

/// constantNumber(builder, type, number)
napi_value constant_number(const Call& call) {
  Builder& builder = builder_of(call);
  return add(call.env, builder, builder.value.constant(data_type(call.env, call[1]), number_of(call.env, call[2])));
}

/// constantTensor(builder, tensor)
napi_value constant_tensor(const Call& call) {
  Builder& builder = builder_of(call);
  return add(call.env, builder, builder.value.constant(held<Tensor>(call.env, call[1])));
}

AttributeValue attribute_value(napi_env env, napi_value value, AttributeKind kind) {
  const auto integers = [&] {
    schema::IntegerList list;
    for (const napi_value item : items(env, value)) list.push_back(integer(env, item));
    return list;
  };
  switch (kind) {
    case AttributeKind::boolean:
      return boolean(env, value);
    case AttributeKind::u32:
    case AttributeKind::i32:
      return integer(env, value);
    case AttributeKind::real:
      return real(env, value);
    case AttributeKind::number:
      return number_of(env, value);
    case AttributeKind::u32_list:
      return integers();
    case AttributeKind::u32_or_list: {
      bool is_list = false;
      check(env, napi_is_array(env, value, &is_list));
      if (is_list) return integers();
      return integer(env, value);
    }
    case AttributeKind::real_list: {
      schema::RealList list;
      for (const napi_value item : items(env, value)) list.push_back(real(env, item));
      return list;
    }
    case AttributeKind::text:
      return text(env, value);
    case AttributeKind::text_list: {
      schema::TextList list;
      for (const napi_value item : items(env, value)) list.push_back(text(env, item));
      return list;
    }
    case AttributeKind::data_type:
      return data_type(env, value);
  }
  throw Error(ExitCode::internal, "an attribute of no kind");
}

/// call(builder, operator, operands, attributes, label): in the order of the operator's row; what is not given is
/// undefined.
napi_value call_operator(const Call& call) {
  Builder& builder = builder_of(call);
  const std::uint32_t index = word(call.env, call[1]);
  if (index >= schema::operator_table().size()) throw Error(ExitCode::usage, "not an operator");
  const schema::Operator& op = schema::operator_table()[index];
  std::vector<Operand> operands;
  for (const napi_value operand : items(call.env, call[2]))
    operands.push_back(is_absent(call.env, operand) ? Operand() : operand_of(call.env, builder, operand));
  const std::vector<napi_value> given = items(call.env, call[3]);
  schema::Attributes attributes(op.attributes.size());
  if (given.size() > attributes.size()) throw Error(ExitCode::usage, "more attributes than the operator has");
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!is_absent(call.env, given[i])) attributes[i] = attribute_value(call.env, given[i], op.attributes[i].kind);
  std::vector<napi_value> results;
  for (Operand& result : api::Internals::call(builder.value, OperatorId{std::uint16_t(index)}, operands,
                                              std::move(attributes), text(call.env, call[4])))
    results.push_back(add(call.env, builder, std::move(result)));
  return make_array(call.env, results);
}

/// build(builder, names, operands): a promise. The builder takes no more calls.
napi_value build(const Call& call) {
  Builder& builder = builder_of(call);
  const std::vector<napi_value> names = items(call.env, call[1]), numbers = items(call.env, call[2]);
  if (names.size() != numbers.size()) throw Error(ExitCode::usage, "as many names as operands are needed");
  NamedOperands outputs;
  for (std::size_t i = 0; i < names.size(); ++i)
    outputs.emplace(text(call.env, names[i]), operand_of(call.env, builder, numbers[i]));
  builder.builds = true;
  const SharedBuilder shared = held<SharedBuilder>(call.env, call[0]);
  auto graph = std::make_shared<std::unique_ptr<Graph>>();
  return start_work(
      call.env, "webnn build", [=] { *graph = std::make_unique<Graph>(shared->value.build(outputs)); },
      [=](napi_env env) { return make_holder(env, Graph(**graph)); });
}

constexpr NamedFunction builder_list[] = {
    {"createBuilder", guarded<create_builder>},
    {"input", guarded<input>},
    {"constant", guarded<constant>},
    {"constantNumber", guarded<constant_number>},
    {"constantTensor", guarded<constant_tensor>},
    {"call", guarded<call_operator>},
    {"build", guarded<build>},
};

}  // namespace

std::span<const NamedFunction> builder_functions() { return builder_list; }

}  // namespace webnn::node
