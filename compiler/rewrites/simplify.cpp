// Equivalences that remove work and are exact, bit for bit, for every value: also for NaN, infinities and -0.
//
// Legend. {name, pattern, replacement, guard}; see pattern.hpp. A replacement whose type or shape differs from the
// root's is refused, so that `reshape(?x) {...}` -> `?x` applies to reshapes to the same shape.
//
// Not here, because they are not exact: x + 0 (-0 + 0 is +0; for integers -0 means 0 and the row applies), x * 0, x -
// x, and casts through a narrower type (float32 -> float16 -> float32 rounds).
#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/rewrites/guards.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

bool same_axes(Match& match) {
  IntegerList p = match.integers("p"), q = match.integers("q");
  std::sort(p.begin(), p.end());
  std::sort(q.begin(), q.end());
  return p == q;
}

/// A transpose that only moves axes of size 1 leaves the bytes in place; ?s becomes the shape of its output.
bool moves_no_bytes(Match& match) {
  const Shape& shape = match.descriptor("x").shape;
  IntegerList sizes;
  std::int64_t last = -1;
  for (const std::int64_t axis : match.integers("p")) {
    sizes.push_back(shape[unsigned(axis)]);
    if (shape[unsigned(axis)] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  match.set_attribute("s", std::move(sizes));
  return true;
}

Number limit(const Match& match, std::string_view name, double when_absent) {
  const AttributeValue* found = match.attribute(name);
  return found ? std::get<Number>(*found) : Number(when_absent);
}

constexpr double unbounded = std::numeric_limits<double>::infinity();

bool has_no_limits(Match& match) {
  return Number::compare(limit(match, "a", -unbounded), Number(-unbounded)) == 0 &&
         Number::compare(limit(match, "b", unbounded), Number(unbounded)) == 0;
}

/// clamp to [a, b], then to [c, d], as one clamp to [l, h]. Limits that are equal are left alone, because the order
/// decides which of two zeros is the result.
bool joined_limits(Match& match, const Number& a, const Number& b, const Number& c, const Number& d) {
  const auto clamped = [&](const Number& value) {
    if (Number::compare(value, c) < 0) return c;
    return Number::compare(value, d) > 0 ? d : value;
  };
  const Number low = clamped(a), high = clamped(b);
  if (Number::compare(low, high) >= 0) return false;
  const auto set = [&](std::string_view name, const Number& value, double absent) {
    const bool given = Number::compare(value, Number(absent)) != 0;
    match.set_attribute(name, given ? std::optional(AttributeValue(value)) : std::nullopt);
  };
  set("l", low, -unbounded);
  set("h", high, unbounded);
  return true;
}

bool join_clamps(Match& match) {
  return joined_limits(match, limit(match, "a", -unbounded), limit(match, "b", unbounded),
                       limit(match, "c", -unbounded), limit(match, "d", unbounded));
}

bool join_relu_into_clamp(Match& match) {  // relu is a clamp to [0, infinity]
  return joined_limits(match, Number(0), Number(unbounded), limit(match, "c", -unbounded),
                       limit(match, "d", unbounded));
}

bool join_clamp_into_relu(Match& match) {
  return joined_limits(match, limit(match, "a", -unbounded), limit(match, "b", unbounded), Number(0),
                       Number(unbounded));
}

/// ?k: 1 / ?c, if ?c is a power of two: then product and quotient round alike.
bool is_power_of_two(Match& match) {
  const std::optional<Number> element = element_of(match, "c");
  if (!element || !is_float(match.descriptor("x").type)) return false;
  int exponent = 0;
  const double divisor = element->as_double();
  constexpr int largest = 14;  // for float16: its reciprocal is still a normal number
  if (std::abs(std::frexp(divisor, &exponent)) != 0.5 || std::abs(exponent) > largest) return false;
  match.set_attribute("k", 1 / divisor);
  return true;
}

/// Every value of ?x's type is also one of the inner cast's type, of the same kind, so that the outer cast sees the
/// same value: float16 -> float32, uint8 -> int16, int8 -> int32; not int8 -> uint32 or int32 -> float32.
bool widens(Match& match) {
  const DataType from = match.descriptor("x").type;
  const DataType to = std::get<DataType>(*match.attribute("t"));
  if (is_float(from) != is_float(to) || bits_of(to) < bits_of(from)) return false;
  if (from == to || is_float(from)) return true;
  if (is_signed(from)) return is_signed(to);
  return bits_of(to) > bits_of(from);
}

constexpr Rewrite simplify_rows[] = {
    // neutral operands
    {"add_minus_zero", "add(?x, -0)", "?x"},
    {"sub_zero", "sub(?x, 0)", "?x"},
    {"mul_one", "mul(?x, 1)", "?x"},
    {"div_one", "div(?x, 1)", "?x"},
    {"pow_one", "pow(?x, 1)", "?x"},
    {"max_same", "max(?x, ?x)", "?x"},
    {"min_same", "min(?x, ?x)", "?x"},
    {"where_same", "where(?c, ?x, ?x)", "?x"},

    {"div_by_power_of_two", "div(?x, ?c:constant)", "mul(?x, ?k)", is_power_of_two},

    // signs
    {"neg_neg", "neg(?y=neg(?x))", "?x"},
    {"mul_minus_one", "mul(?x, -1)", "neg(?x)"},
    {"add_neg", "add(?x, neg(?y))", "sub(?x, ?y)"},
    {"sub_neg", "sub(?x, neg(?y))", "add(?x, ?y)"},
    {"abs_neg", "abs(?y=neg(?x))", "abs(?x)"},
    {"abs_abs", "abs(?y=abs(?x))", "?y"},

    // repetitions that change nothing
    {"relu_relu", "relu(?y=relu(?x))", "?y"},
    {"ceil_ceil", "ceil(?y=ceil(?x))", "?y"},
    {"floor_floor", "floor(?y=floor(?x))", "?y"},
    {"roundEven_roundEven", "roundEven(?y=roundEven(?x))", "?y"},
    {"sign_sign", "sign(?y=sign(?x))", "?y"},

    // limits
    {"clamp_without_limits", "clamp(?x) {minValue=?a, maxValue=?b}", "?x", has_no_limits},
    {"clamp_clamp", "clamp(clamp(?x) {minValue=?a, maxValue=?b}) {minValue=?c, maxValue=?d}",
     "clamp(?x) {minValue=?l, maxValue=?h}", join_clamps},
    {"clamp_relu", "clamp(relu(?x)) {minValue=?c, maxValue=?d}", "clamp(?x) {minValue=?l, maxValue=?h}",
     join_relu_into_clamp},
    {"relu_clamp", "relu(clamp(?x) {minValue=?a, maxValue=?b})", "clamp(?x) {minValue=?l, maxValue=?h}",
     join_clamp_into_relu},

    // logic
    {"not_equal", "logicalNot(equal(?a, ?b))", "notEqual(?a, ?b)"},
    {"not_notEqual", "logicalNot(notEqual(?a, ?b))", "equal(?a, ?b)"},

    // types
    {"cast_to_same", "cast(?x) {...}", "?x"},
    {"cast_widened", "cast(?y=cast(?x) {dataType=?t}) {dataType=?u}", "cast(?x) {dataType=?u}", widens},

    // views and movement
    {"identity", "identity(?x)", "?x"},
    {"reshape_to_same", "reshape(?x) {...}", "?x"},
    {"reshape_reshape", "reshape(?y=reshape(?x) {...}) {newShape=?s}", "reshape(?x) {newShape=?s}"},
    {"expand_to_same", "expand(?x) {...}", "?x"},
    {"expand_expand", "expand(?y=expand(?x) {...}) {newShape=?s}", "expand(?x) {newShape=?s}"},
    {"tile_to_same", "tile(?x) {...}", "?x"},
    {"slice_to_same", "slice(?x) {...}", "?x"},
    {"pad_to_same", "pad(?x) {...}", "?x"},
    {"concat_of_one", "concat(?x) {...}", "?x"},
    {"transpose_of_identity", "transpose(?x) {permutation=?p}", "?x", is_identity_permutation},
    {"transpose_transpose", "transpose(?y=transpose(?x) {permutation=?p}) {permutation=?q}",
     "transpose(?x) {permutation=?r}", compose_permutations},
    {"transpose_as_reshape", "transpose(?x) {permutation=?p}", "reshape(?x) {newShape=?s}", moves_no_bytes},
    {"reverse_nothing", "reverse(?x) {axes=[]}", "?x"},
    {"reverse_reverse", "reverse(?y=reverse(?x) {axes=?p}) {axes=?q}", "?x", same_axes},

    // reductions over no axis
    {"reduceMax_nothing", "reduceMax(?x) {axes=[], ...}", "?x"},
    {"reduceMin_nothing", "reduceMin(?x) {axes=[], ...}", "?x"},
    {"reduceProduct_nothing", "reduceProduct(?x) {axes=[], ...}", "?x"},
};

}  // namespace

std::span<const Rewrite> simplify_rewrites() { return simplify_rows; }

}  // namespace webnn::compiler
