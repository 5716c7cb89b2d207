// Shape rules of the elementwise operators: the operand's shape, or the broadcast shape of all operands.
#include "schema/elements/elements.hpp"
#include "schema/infer/infer.hpp"
#include "schema/sentence.hpp"

namespace webnn::schema {
namespace {

/// The number that an element of `type` holds after `value` is cast to it.
Number cast_to(Number value, DataType type) {
  std::byte bytes[8] = {};
  store(value, type, bytes);
  return load_element(type, bytes, 0);
}

/// Adds an output of `type` with the broadcast shape of all operands.
void infer_broadcast_as(DataType type, const OperatorCall& call, Inference& result) {
  Shape shape = call.shape(0);
  for (std::size_t place = 1; place < call.operands().size(); ++place) {
    const auto both = broadcast(shape, call.shape(place));
    if (!both) {
      // With two operands, `shape` is the shape of the first one; with three it may be the broadcast of two.
      result.fail_operand(place,
                          sentence("'", call.op().operands[place].name, "' has shape ", call.shape(place),
                                   ", which does not broadcast with ", shape,
                                   place == 1 ? " of '" : ", the broadcast of the operands before it",
                                   place == 1 ? call.op().operands[0].name : "", place == 1 ? "'" : ""),
                          "aligned at the last axis, sizes must be equal or one of them 1");
      return;
    }
    shape = *both;
  }
  result.output(type, shape);
}

}  // namespace

void infer_same(const OperatorCall& call, Inference& result) {
  result.output(call.operand(0).type, call.operand(0).shape);
}

void infer_clamp(const OperatorCall& call, Inference& result) {
  if (call.has("minValue") && call.has("maxValue")) {
    // The specification casts the limits before it compares them.
    const DataType type = call.operand(0).type;
    const Number low = call.number("minValue", {}), high = call.number("maxValue", {});
    if (Number::compare(cast_to(low, type), cast_to(high, type)) > 0)
      result.fail_attribute("minValue",
                            sentence("'minValue' is ", low.text(), ", which is greater than 'maxValue' ", high.text()));
  }
  infer_same(call, result);
}

void infer_broadcast(const OperatorCall& call, Inference& result) {
  infer_broadcast_as(call.operand(0).type, call, result);
}

void infer_comparison(const OperatorCall& call, Inference& result) {
  infer_broadcast_as(DataType::uint8, call, result);
}

void infer_predicate(const OperatorCall& call, Inference& result) { result.output(DataType::uint8, call.shape(0)); }

void infer_where(const OperatorCall& call, Inference& result) {
  infer_broadcast_as(call.operand(1).type, call, result);
}

void infer_cast(const OperatorCall& call, Inference& result) {
  result.output(call.data_type("dataType"), call.shape(0));
}

}  // namespace webnn::schema
