// Elementwise operators in ONNX.
#include <algorithm>

#include "compiler/onnx/export/onnx_call.hpp"
#include "schema/operators/elementwise.hpp"

namespace webnn::compiler {
namespace {

using enum DataType;

/// Attributes have the same names in ONNX.
void with_attributes(OnnxCall& c, std::string_view onnx) {
  OnnxAttributes attributes;
  for (const AttributeRow& attribute : c.call.op().attributes)
    attributes.push_back({std::string(attribute.name), float(c.call.real(attribute.name))});
  c.finish(onnx, {c.input(0)}, std::move(attributes));
}

void clamp(OnnxCall& c, std::string_view onnx) {
  const DataType type = c.operand(0).type;
  const auto limit = [&](std::string_view attribute) {
    if (!c.call.has(attribute)) return std::string();
    return c.filled(attribute, type, {}, c.call.number(attribute, 0)).name;
  };
  OnnxInputs inputs{c.input(0), limit("minValue"), limit("maxValue")};
  while (inputs.back().empty()) inputs.pop_back();
  c.finish(inputs.size() == 1 ? "Identity" : onnx, inputs);
}

/// alpha x + beta, without the parts that change nothing.
void linear(OnnxCall& c, std::string_view) {
  const OnnxOperand& x = c.operand(0);
  const double alpha = c.call.real("alpha"), beta = c.call.real("beta");
  const auto number = [&](std::string_view part, double value) { return c.filled(part, x.type, {}, value).name; };
  if (beta == 0) return c.finish("Mul", {x.name, number("alpha", alpha)});
  const std::string scaled = alpha == 1 ? x.name : c.add("Mul", {x.name, number("alpha", alpha)}, x.type, x.shape).name;
  c.finish("Add", {scaled, number("beta", beta)});
}

/// ONNX broadcasts the slope to the input only.
void prelu(OnnxCall& c, std::string_view onnx) {
  c.finish(onnx, {c.expanded(c.operand(0), c.result().shape).name, c.input(1)});
}

void comparison(OnnxCall& c, std::string_view onnx) { c.finish_boolean(onnx, c.all_inputs()); }

void not_equal(OnnxCall& c, std::string_view) {
  const std::string equal = c.name_for("equal");
  c.finish_as("Equal", c.all_inputs(), {equal});
  c.finish_boolean("Not", {equal});
}

void logical(OnnxCall& c, std::string_view onnx) {
  OnnxInputs booleans;
  for (std::size_t i = 0; i < c.all_inputs().size(); ++i) booleans.push_back(c.as_boolean(c.operand(i)));
  c.finish_boolean(onnx, booleans);
}

void where(OnnxCall& c, std::string_view onnx) { c.finish(onnx, {c.as_boolean(c.operand(0)), c.input(1), c.input(2)}); }

void cast(OnnxCall& c, std::string_view onnx) {
  c.finish(onnx, {c.input(0)}, {{"to", std::int64_t(onnx_type(c.result().type))}});
}

/// Operators that are not written as the others of their family.
struct Exception {
  OperatorId op;
  void (*write)(OnnxCall&, std::string_view onnx);
  DataTypes types;
};
constexpr Exception exceptions[] = {
    {"clamp"_op, clamp, {}},
    {"linear"_op, linear, {}},
    {"pow"_op, onnx_direct, {float32, float16, int32, int64}},
    {"prelu"_op, prelu, {float32, float16, int32, int64}},
    {"notEqual"_op, not_equal, {}},
};

OnnxRow row_of(const ElementwiseRow& elementwise) {
  const Operator& op = row(elementwise.op);
  const auto exception = std::ranges::find(exceptions, elementwise.op, &Exception::op);
  if (exception != std::end(exceptions)) return {op.name, elementwise.onnx, exception->write, exception->types};
  if (op.family == Family::logical) return {op.name, elementwise.onnx, logical, {}};
  if (op.family == Family::comparison || op.family == Family::predicate)
    return {op.name, elementwise.onnx, comparison, {}};
  return {op.name, elementwise.onnx, op.attributes.empty() ? onnx_direct : with_attributes, {}};
}

}  // namespace

std::span<const OnnxRow> onnx_elementwise_rows() {
  static const std::vector<OnnxRow> rows = [] {
    std::vector<OnnxRow> made{{"where", "Where", where, {}}, {"cast", "Cast", cast, {}}};
    made.push_back({"identity", "Identity", onnx_direct, {}});
    for (const ElementwiseRow& elementwise : elementwise_rows())
      if (!elementwise.onnx.empty()) made.push_back(row_of(elementwise));
    return made;
  }();
  return rows;
}

}  // namespace webnn::compiler
