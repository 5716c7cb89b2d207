// Elementwise operators in ONNX.
#include "compiler/onnx/export/onnx_call.hpp"

namespace webnn::compiler {
namespace {

using enum DataType;

void with_alpha(OnnxCall& c, std::string_view onnx) {
  c.finish(onnx, {c.input(0)}, {{"alpha", float(c.call.real("alpha"))}});
}

void with_alpha_and_beta(OnnxCall& c, std::string_view onnx) {
  c.finish(onnx, {c.input(0)}, {{"alpha", float(c.call.real("alpha"))}, {"beta", float(c.call.real("beta"))}});
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

constexpr OnnxRow elementwise_rows[] = {
    {"abs", "Abs", onnx_direct, {}},
    {"ceil", "Ceil", onnx_direct, {}},
    {"clamp", "Clip", clamp, {}},
    {"cos", "Cos", onnx_direct, {}},
    {"elu", "Elu", with_alpha, {}},
    {"erf", "Erf", onnx_direct, {}},
    {"exp", "Exp", onnx_direct, {}},
    {"floor", "Floor", onnx_direct, {}},
    {"gelu", "Gelu", onnx_direct, {}},
    {"hardSigmoid", "HardSigmoid", with_alpha_and_beta, {}},
    {"hardSwish", "HardSwish", onnx_direct, {}},
    {"identity", "Identity", onnx_direct, {}},
    {"leakyRelu", "LeakyRelu", with_alpha, {}},
    {"linear", "Mul Add", linear, {}},
    {"log", "Log", onnx_direct, {}},
    {"neg", "Neg", onnx_direct, {}},
    {"reciprocal", "Reciprocal", onnx_direct, {}},
    {"relu", "Relu", onnx_direct, {}},
    {"roundEven", "Round", onnx_direct, {}},
    {"sigmoid", "Sigmoid", onnx_direct, {}},
    {"sign", "Sign", onnx_direct, {}},
    {"sin", "Sin", onnx_direct, {}},
    {"softplus", "Softplus", onnx_direct, {}},
    {"softsign", "Softsign", onnx_direct, {}},
    {"sqrt", "Sqrt", onnx_direct, {}},
    {"tan", "Tan", onnx_direct, {}},
    {"tanh", "Tanh", onnx_direct, {}},

    {"add", "Add", onnx_direct, {}},
    {"sub", "Sub", onnx_direct, {}},
    {"mul", "Mul", onnx_direct, {}},
    {"div", "Div", onnx_direct, {}},
    {"max", "Max", onnx_direct, {}},
    {"min", "Min", onnx_direct, {}},
    {"pow", "Pow", onnx_direct, {float32, float16, int32, int64}},
    {"prelu", "PRelu", prelu, {float32, float16, int32, int64}},

    {"equal", "Equal", comparison, {}},
    {"notEqual", "Equal Not", not_equal, {}},
    {"greater", "Greater", comparison, {}},
    {"greaterOrEqual", "GreaterOrEqual", comparison, {}},
    {"lesser", "Less", comparison, {}},
    {"lesserOrEqual", "LessOrEqual", comparison, {}},
    {"logicalNot", "Not", logical, {}},
    {"logicalAnd", "And", logical, {}},
    {"logicalOr", "Or", logical, {}},
    {"logicalXor", "Xor", logical, {}},
    {"isNaN", "IsNaN", comparison, {}},
    {"isInfinite", "IsInf", comparison, {}},
    {"where", "Where", where, {}},
    {"cast", "Cast", cast, {}},
};

}  // namespace

std::span<const OnnxRow> onnx_elementwise_rows() { return elementwise_rows; }

}  // namespace webnn::compiler
