// ONNX operators on each element of two tensors or more: arithmetic, comparisons, logic.
#include <algorithm>
#include <cmath>

#include "compiler/onnx/import/math/formula.hpp"
#include "compiler/onnx/import/math/math.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"

namespace webnn::compiler {

void refuse_booleans(const ImportCall& c) {
  for (const TensorId operand : c.inputs())
    if (operand.valid() && c.type(operand) == OnnxType::boolean) c.refuse("ONNX has no arithmetic on booleans");
}

namespace {

/// Before version 7 the second operand may stand for a part of the first one's axes, from `axis` on.
TensorId second_operand(ImportCall& c) {
  const TensorId a = c.input(0), b = c.input(1);
  if (c.opset() >= 7 || !c.flag("broadcast") || !c.has_attribute("axis")) return b;
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(a));
  if (axis + c.rank(b) > c.rank(a)) c.refuse("its second operand has axes behind those of the first one");
  OnnxIntegers dims = c.dims(b);
  dims.resize(std::size_t(c.rank(a) - axis), 1);
  return c.reshape(b, dims);
}

template <OperatorId op>
void read_binary(ImportCall& c) {
  c.finish(c.make(op, {c.input(0), second_operand(c)}));
}

/// What is for numbers only.
template <OperatorId op>
void read_arithmetic(ImportCall& c) {
  refuse_booleans(c);
  read_binary<op>(c);
}

void combine_all(ImportCall& c, OperatorId op) {
  refuse_booleans(c);
  TensorId result = c.input(0);
  if (c.input_count() == 1) result = c.make("identity"_op, {result});
  for (std::size_t i = 1; i < c.input_count(); ++i) result = c.make(op, {result, c.input(i)});
  c.finish(result);
}

template <OperatorId op>
void read_variadic(ImportCall& c) {
  combine_all(c, op);
}

void read_mean(ImportCall& c) {
  refuse_booleans(c);
  TensorId sum = c.input(0);
  for (std::size_t i = 1; i < c.input_count(); ++i) sum = c.make("add"_op, {sum, c.input(i)});
  c.finish(c.make("div"_op, {sum, c.scalar_like(sum, double(c.input_count()))}));
}

/// The result has the type of the base.
void read_pow(ImportCall& c) {
  refuse_booleans(c);
  const TensorId x = c.input(0);
  TensorId y = second_operand(c);
  const OnnxType type = c.type(x);
  if (c.type(y) != type && is_integer_type(type) && !is_integer_type(c.type(y))) {
    bool is_whole = c.is_known(y);
    if (is_whole)
      for (const double exponent : c.known_reals(y, "its exponents"))
        is_whole = is_whole && std::abs(exponent) < 1e9 && exponent == std::floor(exponent);
    if (!is_whole) {
      // What differs from an integer by rounding only is that integer; the rest is cut off.
      ImportFormula f(c, c.cast(x, OnnxType::float32));
      f.let("y", c.cast(y, OnnxType::float32));
      f.let("p", "pow(?x, ?y)");
      f.let("q", "roundEven(?p)");
      return c.finish(c.cast(f("where(lesser(abs(sub(?p, ?q)), mul(abs(?q), 1e-6)), ?q, ?p)"), type));
    }
  }
  c.finish(c.make("pow"_op, {x, c.cast(y, type)}));
}

/// ?m - q * ?d for the truncated quotient q, exactly where that is below 2^24: the rounding error of the product is
/// computed from halves of the factors' digits (Dekker), and as the quotient was rounded, it may be one off.
TensorId remainder_below(ImportFormula& f) {
  f.let("q", "floor(div(?m, ?d))");
  f.let("qs", "mul(?q, 4097)");
  f.let("qh", "sub(?qs, sub(?qs, ?q))");
  f.let("ql", "sub(?q, ?qh)");
  f.let("ds", "mul(?d, 4097)");
  f.let("dh", "sub(?ds, sub(?ds, ?d))");
  f.let("dl", "sub(?d, ?dh)");
  f.let("p", "mul(?q, ?d)");
  f.let("e", "add(add(add(sub(mul(?qh, ?dh), ?p), mul(?qh, ?dl)), mul(?ql, ?dh)), mul(?ql, ?dl))");
  f.let("r", "sub(sub(?m, ?p), ?e)");
  f.let("r", "where(lesser(?r, 0), add(?r, ?d), ?r)");
  return f("where(lesser(?r, ?d), ?r, sub(?r, ?d))");
}

/// The remainder of truncated division has the sign of the dividend; without `fmod` that of the divisor.
void read_mod(ImportCall& c) {
  refuse_booleans(c);
  const TensorId a = c.input(0);
  const bool is_fmod = c.flag("fmod");
  if (is_integer_type(c.type(a))) {
    ImportFormula f(c, a);
    f.let("b", c.input(1));
    f.let("r", "sub(?x, mul(div(?x, ?b), ?b))");
    if (is_fmod || !is_signed(*data_type_of(c.type(a)))) return c.finish(f("?r"));
    f.let("differs", "logicalAnd(notEqual(?r, 0), notEqual(lesser(?r, 0), lesser(?b, 0)))");
    return c.finish(f("where(?differs, add(?r, ?b), ?r)"));
  }
  if (!is_fmod) c.refuse("floating point numbers need fmod = 1");
  // In two steps, for quotients below 2^47.
  const bool is_half = c.type(a) == OnnxType::float16;
  ImportFormula f(c, is_half ? c.cast(a, OnnxType::float32) : a);
  f.let("b", is_half ? c.cast(c.input(1), OnnxType::float32) : c.input(1));
  f.let("n", "abs(?b)");
  f.let("scale", "where(greater(?n, 1e30), 9.5367431640625e-7, 1)");  // so that nothing below overflows
  f.let("n", "mul(?n, ?scale)");
  f.let("m", "mul(abs(?x), ?scale)");
  f.let("d", "where(greater(?n, 1e24), ?n, mul(?n, 8388608))");
  f.let("m", remainder_below(f));
  f.let("d", "?n");
  f.let("m", remainder_below(f));
  f.let("r", "div(?m, ?scale)");
  f.let("r", "where(isInfinite(?b), add(abs(?x), mul(?x, 0)), ?r)");  // a itself, and NaN for an infinite one
  c.finish(c.cast(f("where(lesser(?x, 0), neg(?r), ?r)"), c.type(a)));
}

/// Shifts are products and quotients of powers of two, which wrap; a quotient by 0 is 0.
void read_bit_shift(ImportCall& c) {
  refuse_booleans(c);
  const std::string direction = c.text("direction");
  if (direction != "LEFT" && direction != "RIGHT") c.refuse("its direction is neither LEFT nor RIGHT");
  const TensorId x = c.input(0);
  if (!is_integer_type(c.type(x))) c.refuse("its operands must be integers");
  ImportFormula f(c, x);
  f.let("n", c.input(1));
  c.finish(f(direction == "LEFT" ? "mul(?x, pow(2, ?n))" : "div(?x, pow(2, ?n))"));
}

constexpr OnnxImportRow binary_import_rows[] = {
    {.op_type = "Add", .read = read_arithmetic<"add"_op>},
    {.op_type = "And", .read = read_binary<"logicalAnd"_op>},
    {.op_type = "BitShift", .read = read_bit_shift},
    {.op_type = "Div", .read = read_arithmetic<"div"_op>},
    {.op_type = "Equal", .read = read_binary<"equal"_op>},
    {.op_type = "Greater", .read = read_arithmetic<"greater"_op>},
    {.op_type = "GreaterOrEqual", .read = read_arithmetic<"greaterOrEqual"_op>},
    {.op_type = "Less", .read = read_arithmetic<"lesser"_op>},
    {.op_type = "LessOrEqual", .read = read_arithmetic<"lesserOrEqual"_op>},
    {.op_type = "Max", .read = read_variadic<"max"_op>},
    {.op_type = "Mean", .read = read_mean},
    {.op_type = "Min", .read = read_variadic<"min"_op>},
    {.op_type = "Mod", .read = read_mod},
    {.op_type = "Mul", .read = read_arithmetic<"mul"_op>},
    {.op_type = "Or", .read = read_binary<"logicalOr"_op>},
    {.op_type = "Pow", .read = read_pow},
    {.op_type = "Sub", .read = read_arithmetic<"sub"_op>},
    {.op_type = "Sum", .read = read_variadic<"add"_op>},
    {.op_type = "Xor", .read = read_binary<"logicalXor"_op>},
};

}  // namespace

std::span<const OnnxImportRow> import_binary_rows() { return binary_import_rows; }

}  // namespace webnn::compiler
