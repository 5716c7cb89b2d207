// ONNX operators on each element of one tensor that are not the same in both directions: activations, limits,
// predicates.
#include <cmath>
#include <limits>

#include "compiler/onnx/import/math/formula.hpp"
#include "compiler/onnx/import/math/math.hpp"
#include "compiler/onnx/import/tensors/parts.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"

namespace webnn::compiler {
namespace {

/// The limits are inputs since version 11, attributes before.
void read_clip(ImportCall& c) {
  refuse_booleans(c);
  const TensorId x = c.input(0);
  const auto limit = [&](std::size_t input, std::string_view attribute) -> std::optional<Number> {
    if (c.has(input)) return c.known_number(c.input(input), attribute);
    if (c.has_attribute(attribute)) return Number(c.real(attribute));
    return std::nullopt;
  };
  const bool is_known = (!c.has(1) || c.is_known(c.input(1))) && (!c.has(2) || c.is_known(c.input(2)));
  std::optional<Number> low, high;
  if (is_known) {
    low = limit(1, "min");
    high = limit(2, "max");
    if (!low && !high) return c.finish(c.make("identity"_op, {x}));
    if (!low || !high || Number::compare(*low, *high) <= 0) {
      const auto attribute = [](const std::optional<Number>& number) -> std::optional<AttributeValue> {
        if (!number) return std::nullopt;
        return AttributeValue(*number);
      };
      return c.finish(c.make("clamp"_op, {x}, {{"minValue", attribute(low)}, {"maxValue", attribute(high)}}));
    }
  }
  // The upper limit wins where the lower one is greater; WebNN's clamp does not take such limits.
  const auto operand = [&](std::size_t input, const std::optional<Number>& number) {
    if (!c.has(input)) return number ? c.scalar_like(x, *number) : TensorId{};
    if (c.count(c.input(input)) != 1) c.refuse("a limit must be a single number");
    return c.reshape(c.input(input), {});
  };
  TensorId y = x;
  if (const TensorId bound = operand(1, low); bound.valid()) y = c.make("max"_op, {y, bound});
  if (const TensorId bound = operand(2, high); bound.valid()) y = c.make("min"_op, {y, bound});
  c.finish(y);
}

/// max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0)
void read_celu(ImportCall& c) {
  const double alpha = c.real("alpha", 1);
  ImportFormula f(c, c.input(0));
  f.let("alpha", alpha);
  if (alpha == 1) return c.finish(f("elu(?x)"));
  if (!(alpha > 0)) return c.finish(f("add(relu(?x), min(mul(?alpha, sub(exp(div(?x, ?alpha)), 1)), 0))"));
  c.finish(f("add(relu(?x), mul(elu(div(min(?x, 0), ?alpha)), ?alpha))"));
}

void read_selu(ImportCall& c) {
  const bool is_old = c.opset() < 6;  // when the defaults had fewer digits
  ImportFormula f(c, c.input(0));
  f.let("alpha", c.real("alpha", is_old ? 1.6732 : 1.67326319217681884765625));
  f.let("gamma", c.real("gamma", is_old ? 1.0507 : 1.05070102214813232421875));
  c.finish(f("mul(elu(?x) {alpha=?alpha}, ?gamma)"));
}

void read_gelu(ImportCall& c) {
  const std::string approximate = c.text("approximate", "none");
  ImportFormula f(c, c.input(0));
  if (approximate == "none") return c.finish(f("gelu(?x)"));
  if (approximate != "tanh") c.refuse("its attribute 'approximate' is neither none nor tanh");
  f.let("inner", "mul(add(?x, mul(mul(mul(?x, ?x), ?x), 0.044715)), 0.7978845608028654)");
  c.finish(f("mul(mul(?x, 0.5), add(tanh(?inner), 1))"));
}

/// x + bias below -lambd, x - bias above lambd, 0 between. Small integers are exact as float32.
void read_shrink(ImportCall& c) {
  const TensorId x = c.input(0);
  const OnnxType type = c.type(x);
  const bool is_small = type == OnnxType::int8 || type == OnnxType::uint8;
  if (!is_small && data_type_of(type) && !is_float(*data_type_of(type)))
    c.refuse("it is not for " + name_of_type(type) + ", because its limit and bias are no integers");
  ImportFormula f(c, is_small ? c.cast(x, OnnxType::float32) : x);
  f.let("lambd", c.real("lambd", 0.5));
  f.let("minus", -c.real("lambd", 0.5));
  f.let("bias", c.real("bias", 0));
  c.finish(c.cast(f("where(lesser(?x, ?minus), add(?x, ?bias), where(greater(?x, ?lambd), sub(?x, ?bias), 0))"), type));
}

/// The slope broadcasts to the input, and before version 7 its elements are those of the channels.
void read_prelu(ImportCall& c) {
  const TensorId x = c.input(0);
  TensorId slope = c.input(1);
  if (c.opset() < 7 && c.rank(slope) == 1 && c.rank(x) > 2) slope = parts::along_axis(c, slope, 1, c.rank(x));
  bool broadcasts = c.rank(slope) <= c.rank(x);
  for (std::int64_t i = 1; broadcasts && i <= c.rank(slope); ++i) {
    const std::int64_t size = c.dims(slope)[std::size_t(c.rank(slope) - i)];
    broadcasts = size == 1 || size == c.dims(x)[std::size_t(c.rank(x) - i)];
  }
  if (!broadcasts) c.refuse("its slope does not broadcast to the input");
  if (is_unsigned_type(c.type(x))) return c.finish(c.make("identity"_op, {x}));
  c.finish(c.make("prelu"_op, {x, slope}));
}

/// Unsigned numbers, which WebNN's operators do not take, are their own absolute values.
void read_abs(ImportCall& c) {
  refuse_booleans(c);
  const TensorId x = c.input(0);
  c.finish(c.make(is_unsigned_type(c.type(x)) ? "identity"_op : "abs"_op, {x}));
}

void read_sign(ImportCall& c) {
  refuse_booleans(c);
  const TensorId x = c.input(0);
  c.finish(is_unsigned_type(c.type(x)) ? c.make("min"_op, {x, c.scalar_like(x, 1)}) : c.make("sign"_op, {x}));
}

void read_is_inf(ImportCall& c) {
  const TensorId x = c.input(0);
  const bool negative = c.flag("detect_negative", true), positive = c.flag("detect_positive", true);
  if (negative && positive) return c.finish(c.make("isInfinite"_op, {x}));
  if (!negative && !positive) return c.finish(c.filled(OnnxType::boolean, c.dims(x), 0));
  const double infinity = std::numeric_limits<double>::infinity();
  c.finish(c.make("equal"_op, {x, c.scalar_like(x, positive ? infinity : -infinity)}));
}

/// ~x is -1 - x, and for unsigned numbers the greatest one minus x.
void read_bitwise_not(ImportCall& c) {
  refuse_booleans(c);
  const TensorId x = c.input(0);
  const bool is_unsigned = is_unsigned_type(c.type(x));
  const Number ones = is_unsigned ? Number(std::numeric_limits<std::uint64_t>::max()) : Number(-1);
  if (data_type_of(c.type(x)) && is_float(*data_type_of(c.type(x)))) c.refuse("its operand must be an integer");
  c.finish(c.make("sub"_op, {c.scalar_like(x, ones), x}));
}

void read_bits(ImportCall& c) { c.refuse("WebNN has no operators on bits"); }

void read_random(ImportCall& c) { c.refuse("WebNN has no random numbers"); }

constexpr OnnxImportRow elementwise_import_rows[] = {
    {.op_type = "Abs", .read = read_abs},
    {.op_type = "BitwiseAnd", .read = read_bits},
    {.op_type = "BitwiseNot", .read = read_bitwise_not},
    {.op_type = "BitwiseOr", .read = read_bits},
    {.op_type = "BitwiseXor", .read = read_bits},
    {.op_type = "Celu", .read = read_celu},
    {.op_type = "Clip", .read = read_clip},
    {.op_type = "Elu", .text = "elu(?a) {alpha=?alpha}", .defaults = "alpha=1"},
    {.op_type = "Gelu", .read = read_gelu},
    {.op_type = "HardSigmoid", .text = "hardSigmoid(?a) {alpha=?alpha, beta=?beta}", .defaults = "alpha=0.2 beta=0.5"},
    {.op_type = "IsInf", .read = read_is_inf},
    {.op_type = "IsNaN", .text = "isNaN(?a)"},
    {.op_type = "LeakyRelu", .text = "leakyRelu(?a) {alpha=?alpha}", .defaults = "alpha=0.01"},
    {.op_type = "Mish", .text = "mul(?a, tanh(softplus(?a)))"},
    {.op_type = "Not", .text = "logicalNot(?a)"},
    {.op_type = "PRelu", .read = read_prelu},
    {.op_type = "Selu", .read = read_selu},
    {.op_type = "Shrink", .read = read_shrink},
    {.op_type = "Sign", .read = read_sign},
    {.op_type = "Swish", .text = "mul(?a, sigmoid(mul(?a, ?alpha)))", .defaults = "alpha=1"},
    {.op_type = "ThresholdedRelu", .text = "where(greater(?a, ?alpha), ?a, 0)", .defaults = "alpha=1"},

    {.op_type = "Bernoulli", .read = read_random},
    {.op_type = "Multinomial", .read = read_random},
    {.op_type = "RandomNormal", .read = read_random},
    {.op_type = "RandomNormalLike", .read = read_random},
    {.op_type = "RandomUniform", .read = read_random},
    {.op_type = "RandomUniformLike", .read = read_random},
};

}  // namespace

std::span<const OnnxImportRow> import_elementwise_rows() { return elementwise_import_rows; }

}  // namespace webnn::compiler
