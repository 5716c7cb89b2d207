// Functions of float32 vectors, for one instruction set. They are correct for every float: subnormal numbers,
// infinities and NaN behave as in the reference kernels. Errors are at most a few units in the last place. The
// coefficients are minimax fits of the relative error, computed with 40 digits.
//
// `lesser_of(a, b)` and `greater_of(a, b)` return b when either is NaN, and for two zeros; so limits are the first
// argument here.
#include <cstddef>
#include <cstdint>
#include <hwy/highway.h>

#include "runtime/cpu/simd/elementwise/large_angles.hpp"
#include "runtime/cpu/simd/native.inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace webnn::runtime::simd::HWY_NAMESPACE {

using Float = hn::ScalableTag<float>;
using Int = hn::RebindToSigned<Float>;
using V = hn::Vec<Float>;

HWY_INLINE V set(float value) { return hn::Set(Float(), value); }

/// c0 + c1 x + c2 x^2 + ...
HWY_INLINE V polynomial(V, float c0) { return set(c0); }
template <typename... More>
HWY_INLINE V polynomial(V x, float c0, More... more) {
  return hn::MulAdd(polynomial(x, more...), x, set(c0));
}

HWY_INLINE V infinity() { return hn::BitCast(Float(), hn::Set(Int(), 0x7f800000)); }
HWY_INLINE V not_a_number() { return hn::BitCast(Float(), hn::Set(Int(), 0x7fc00000)); }
HWY_INLINE V clamp(V x, V low, V high) { return lesser_of(high, greater_of(low, x)); }  // NaN stays NaN

/// 1 / x within one unit in the last place, if x and 1 / x are normal numbers; several times faster than a division where
/// estimates have 14 bits. Those of 11 bits differ between processors, and so would sigmoid(0).
HWY_INLINE V fast_reciprocal(V x) {
  if constexpr (estimated_bits < 14) return hn::Div(set(1.0f), x);
  const V guess = hn::ApproximateReciprocal(x);
  return hn::MulAdd(guess, hn::NegMulAdd(x, guess, set(1.0f)), guess);
}

/// 1 / sqrt(x) within one unit in the last place where estimates have 14 bits, otherwise within two; -infinity for -0.
HWY_INLINE V reciprocal_square_root(V x) {
  if constexpr (estimated_bits < 14) return hn::Div(set(1.0f), hn::Sqrt(x));
  const V guess = hn::ApproximateReciprocalSqrt(x);
  // 1 - x guess^2, with what the rounding of x guess took away.
  const V root = hn::Mul(x, guess);
  const V lost = hn::MulSub(x, guess, root);
  const V error = hn::NegMulAdd(lost, guess, hn::NegMulAdd(root, guess, set(1.0f)));
  const V step = hn::Mul(error, hn::MulAdd(error, set(0.375f), set(0.5f)));
  const V better = hn::MulAdd(guess, step, guess);
  return hn::IfThenElse(hn::Eq(error, error), better, guess);  // the guess is exact for 0 and infinity (`error` is NaN)
}

/// x = n ln 2 + r with an integral n and |r| <= ln 2 / 2; for |x| < 120.
struct Reduced {
  V n, r;
};
HWY_INLINE Reduced reduce_by_ln2(V x) {
  const V n = hn::Round(hn::Mul(x, set(1.44269504f)));
  return {n, hn::NegMulAdd(n, set(-1.90465430e-9f), hn::NegMulAdd(n, set(0.693147182f), x))};
}
/// (e^r - 1) / r for |r| <= ln 2 / 2
HWY_INLINE V expm1_ratio(V r) {
  return polynomial(r, 1.0f, 0.4999999701976776f, 0.16666506230831146f, 0.041667137295007706f, 0.00836906861513853f,
                    0.0013888777466490865f);
}

#if LOOKS_UP_16
/// 2^(i / 16)
alignas(64) inline constexpr float sixteenth_powers[] = {
    1.0f,        1.04427378f, 1.09050773f, 1.13878863f, 1.18920712f, 1.24185781f, 1.29683955f, 1.35425555f,
    1.41421356f, 1.47682615f, 1.54221083f, 1.61049033f, 1.68179283f, 1.75625216f, 1.83400809f, 1.91520656f};
#endif

/// For |x| <= 104.
HWY_INLINE V exponential_of_small(V x) {
#if LOOKS_UP_16                         // x = n ln 2 + r with n in sixteenths, whose powers of two fit in one vector
  const V sixteenths = set(786432.0f);  // adding this rounds to sixteenths and leaves them in the last four bits
  const V rounded = hn::MulAdd(x, set(1.44269504f), sixteenths);
  const V n = hn::Sub(rounded, sixteenths);
  const V r = hn::NegMulAdd(n, set(-1.90465430e-9f), hn::NegMulAdd(n, set(0.693147182f), x));
  const V power = look_up(sixteenth_powers, hn::BitCast(Int(), rounded));
  const V expm1 = hn::Mul(polynomial(r, 1.0f, 0.5f, 0.166666667f), r);
  return scale(hn::MulAdd(power, expm1, power), n);
#else
  const auto [n, r] = reduce_by_ln2(x);
  return scale(hn::MulAdd(expm1_ratio(r), r, set(1.0f)), n);
#endif
}
/// Results below half of the least number are set to 0 without computing them: an underflow takes about a hundred times
/// as long, and every element that a mask hides from a softmax would be one.
HWY_INLINE V exponential(V x) {
  const auto is_some = hn::Not(hn::Lt(x, set(-104.0f)));  // also true for NaN
  const V within = hn::IfThenElseZero(is_some, lesser_of(set(89.0f), x));
  return hn::IfThenElseZero(is_some, exponential_of_small(within));
}

/// Least argument of which e^x is a normal number.
inline constexpr float least_normal_exponent = -87.3f;

/// e^x for x <= 0, and 0 below e^-87.3, near the least normal number: cheaper, for weights of which the greatest is 1.
HWY_INLINE V exponential_of_weight(V x) {
  const auto is_some = hn::Not(hn::Lt(x, set(least_normal_exponent)));  // also true for NaN
  const V within = hn::IfThenElseZero(is_some, x);
#if LOOKS_UP_16
  return hn::IfThenElseZero(is_some, exponential_of_small(within));
#else
  const Int di;
  const V integers = set(12582912.0f);  // adding this rounds to integers and leaves them in the last bits
  const V rounded = hn::MulAdd(within, set(1.44269504f), integers), n = hn::Sub(rounded, integers);
  const V r = hn::NegMulAdd(n, set(-1.90465430e-9f), hn::NegMulAdd(n, set(0.693147182f), within));
  const auto exponent = hn::Add(hn::ShiftLeft<23>(hn::BitCast(di, rounded)), hn::Set(di, 127 << 23));
  const V result = hn::Mul(hn::MulAdd(expm1_ratio(r), r, set(1.0f)), hn::BitCast(Float(), exponent));
  return hn::IfThenElseZero(is_some, result);
#endif
}

/// e^x - 1 for x <= 0
HWY_INLINE V expm1_of_negative(V x) {
  const auto [n, r] = reduce_by_ln2(greater_of(set(-20.0f), x));
  const V power = scale(set(1.0f), n);
  return hn::MulAdd(power, hn::Mul(expm1_ratio(r), r), hn::Sub(power, set(1.0f)));
}

HWY_INLINE V logarithm(V x) {
  const Int di;
  const auto subnormal = hn::Lt(x, set(1.17549435e-38f));
  const V scaled = hn::IfThenElse(subnormal, hn::Mul(x, set(8388608.0f)), x);
  // scaled = 2^e m with m in [sqrt(1/2), sqrt(2))
  const auto bits = hn::BitCast(di, scaled);
  const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f3504f3)));
  const V f = hn::Sub(hn::BitCast(Float(), hn::Sub(bits, hn::ShiftLeft<23>(exponent))), set(1.0f));
  const V e = hn::Sub(hn::ConvertTo(Float(), exponent), hn::IfThenElseZero(subnormal, set(23.0f)));
  const V z = hn::Mul(f, f);
  V y = hn::Mul(hn::Mul(f, z),
                polynomial(f, 3.3333331174e-1f, -2.4999993993e-1f, 2.0000714765e-1f, -1.6668057665e-1f,
                           1.4249322787e-1f, -1.2420140846e-1f, 1.1676998740e-1f, -1.1514610310e-1f, 7.0376836292e-2f));
  y = hn::MulAdd(e, set(-2.12194440e-4f), y);
  y = hn::NegMulAdd(z, set(0.5f), y);
  const V result = hn::MulAdd(e, set(0.693359375f), hn::Add(f, y));
  const V of_others = hn::IfThenElse(hn::Eq(x, set(0.0f)), hn::Neg(infinity()),
                                     hn::IfThenElse(hn::Lt(x, set(0.0f)), not_a_number(), x));
  return hn::IfThenElse(hn::And(hn::Gt(x, set(0.0f)), hn::Lt(x, infinity())), result, of_others);
}

HWY_INLINE V hyperbolic_tangent(V x) {
  x = clamp(x, set(-9.02f), set(9.02f));
  const V t = hn::Mul(x, x);
  const V p = polynomial(t, 1.0f, 0.1337950974702835f, 0.0034937711898237467f, 2.0578467228915542e-05f,
                         1.3310829771739918e-08f);
  const V q =
      polynomial(t, 1.0f, 0.4671282470226288f, 0.02587011456489563f, 0.0003282632678747177f, 7.758920332889829e-07f);
  // The rounding of the quotient must not exceed 1, because 1 - tanh(x)^2 goes into a root.
  return clamp(hn::Mul(hn::Mul(x, p), fast_reciprocal(q)), set(-1.0f), set(1.0f));
}

HWY_INLINE V error_function(V x) {
  x = clamp(x, set(-3.95f), set(3.95f));
  const V t = hn::Mul(x, x);
  const V p = polynomial(t, 1.1283791065216064f, 0.1914481669664383f, 0.05286093428730965f, 0.0038035395555198193f,
                         0.0002845418930519372f, 2.026116135311895e-06f);
  const V q = polynomial(t, 1.0f, 0.5029992461204529f, 0.1145164966583252f, 0.015045827254652977f,
                         0.0011695296270772815f, 3.7826397601747885e-05f);
  return clamp(hn::Mul(hn::Mul(x, p), fast_reciprocal(q)), set(-1.0f), set(1.0f));
}

/// x erfc(-x / sqrt 2) / 2. The tail erfc(a / sqrt 2) / 2 is e^(-a^2 / 2) p(a) / q(a), which keeps its relative
/// precision, whereas 1 + erf(x) would lose all of it.
HWY_INLINE V gaussian_error_linear_unit(V x) {
  const V a = lesser_of(set(14.6f), hn::Abs(x));
  const V square = hn::Mul(a, a);
  const V rest = hn::MulSub(a, a, square);
  const V power = exponential(hn::Mul(square, set(-0.5f)));
  const V e = hn::NegMulAdd(hn::Mul(power, set(0.5f)), rest, power);
  const V p =
      polynomial(a, 0.5f, 0.4382273554801941f, 0.18317972123622894f, 0.04061298072338104f, 0.004112851805984974f);
  const V q = polynomial(a, 1.0f, 1.6743396520614624f, 1.202284574508667f, 0.46932294964790344f, 0.1018080934882164f,
                         0.010309270583093166f);
  const V ratio = hn::Mul(p, fast_reciprocal(q));
  const V below = hn::Mul(hn::Mul(x, ratio), e);
  const V above = hn::Mul(x, hn::NegMulAdd(ratio, e, set(1.0f)));
  return hn::IfThenElse(hn::Lt(x, set(0.0f)), below, above);
}

/// 1 / (1 + e^-x), computed as e^x where that is no normal number.
HWY_INLINE V logistic(V x) {
  const V least_normal = set(least_normal_exponent);
  const V e = exponential_of_small(clamp(hn::Neg(x), least_normal, hn::Neg(least_normal)));
  const V result = fast_reciprocal(hn::Add(set(1.0f), e));
  const auto below = hn::Lt(x, least_normal);
  if (HWY_LIKELY(hn::AllFalse(Float(), below))) return result;
  return hn::IfThenElse(below, exponential(x), result);
}

/// log(1 + e^x) = max(x, 0) + log1p(e^-|x|)
HWY_INLINE V soft_plus(V x) {
  const V e = exponential(hn::Neg(hn::Abs(x)));
  const V ratio = polynomial(e, 1.0f, -0.4999990165233612f, 0.33329957723617554f, -0.24954098463058472f,
                             0.19675756990909576f, -0.15305067598819733f, 0.10602765530347824f, -0.05695076286792755f,
                             0.01984679512679577f, -0.0032429900020360947f);
  return hn::MulAdd(e, ratio, greater_of(set(0.0f), x));
}

// ---- sine, cosine, tangent ----------------------------------------------------------------------------------------

using Wide = hn::ScalableTag<double>;
using HalfOfInts = hn::Half<Int>;

/// x = quarters pi / 2 + rest with |rest| <= pi / 4. Of a large x, `quarters` is only right modulo 4.
struct ReducedAngle {
  hn::Vec<Int> quarters;
  V rest;
};

/// For half of the lanes of a vector, which are finite and at least 1.
struct HalfReduced {
  hn::Vec<HalfOfInts> quarters;
  hn::Vec<hn::Half<Float>> rest;
};
HWY_INLINE HalfReduced reduce_large(hn::Vec<hn::Half<Float>> x) {
  const Wide d;
  const hn::RebindToSigned<Wide> di;
  const auto bits = hn::BitCast(di, hn::PromoteTo(d, x));
  const auto exponent = hn::Sub(hn::ShiftRight<52>(bits), hn::Set(di, 1023));
  const auto digits = hn::And(bits, hn::Set(di, (std::int64_t{1} << 52) - 1));
  const auto m = hn::BitCast(d, hn::Or(digits, hn::Set(di, std::int64_t{1023 + 23} << 52)));
  const auto high = hn::Mul(m, hn::GatherIndex(d, angles_of_exponents.high, exponent));
  const auto low = hn::Mul(m, hn::GatherIndex(d, angles_of_exponents.low, exponent));
  const auto quarters = hn::Round(hn::Add(high, low));
  const auto rest = hn::Mul(hn::Add(hn::Sub(high, quarters), low), hn::Set(d, 1.5707963267948966));
  return {hn::DemoteTo(HalfOfInts(), quarters), hn::DemoteTo(hn::Half<Float>(), rest)};
}
HWY_INLINE ReducedAngle reduce_large(V x) {
  const Int di;
  const V magnitude = hn::Abs(x), sign = hn::And(x, set(-0.0f));
  const HalfReduced low = reduce_large(hn::LowerHalf(hn::Half<Float>(), magnitude));
  const HalfReduced high = reduce_large(hn::UpperHalf(hn::Half<Float>(), magnitude));
  const auto quarters = hn::Combine(di, high.quarters, low.quarters);
  const auto negative = hn::RebindMask(di, hn::Lt(x, set(0.0f)));
  return {hn::IfThenElse(negative, hn::Neg(quarters), quarters),
          hn::Xor(hn::Combine(Float(), high.rest, low.rest), sign)};
}

/// The rest is NaN if x is infinite or NaN.
inline constexpr float largest_reduced_angle = 50000.0f;
HWY_INLINE ReducedAngle reduce_by_quarters(V x) {
  const Int di;
  const V q = hn::Round(hn::Mul(x, set(0.636619772f)));
  V r = hn::NegMulAdd(q, set(1.57079637050628662109375f), x);
  r = hn::NegMulAdd(q, set(-4.37113900018624283e-8f), r);
  r = hn::NegMulAdd(q, set(-1.71512449e-15f), r);
  r = hn::IfThenElse(hn::Eq(q, set(0.0f)), x, r);  // -0 stays -0
  const ReducedAngle small{hn::NearestInt(q), r};
  const auto is_large = hn::And(hn::Ge(hn::Abs(x), set(largest_reduced_angle)), hn::Lt(hn::Abs(x), infinity()));
  if (HWY_LIKELY(hn::AllFalse(Float(), is_large))) return small;
  const ReducedAngle large = reduce_large(hn::IfThenElse(is_large, x, set(largest_reduced_angle)));
  const auto lanes = hn::RebindMask(di, is_large);
  return {hn::IfThenElse(lanes, large.quarters, small.quarters), hn::IfThenElse(is_large, large.rest, small.rest)};
}

/// Sine and cosine of the rest.
struct Angle {
  hn::Vec<Int> quarters;
  V sine, cosine;
};
HWY_INLINE Angle reduce_angle(V x) {
  const auto [quarters, r] = reduce_by_quarters(x);
  const V t = hn::Mul(r, r);
  const V sine = hn::CopySign(
      hn::MulAdd(hn::Mul(r, t), polynomial(t, -1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f), r), r);
  const V cosine =
      hn::MulAdd(hn::Mul(t, t), polynomial(t, 4.166664568298827e-2f, -1.388731625493765e-3f, 2.443315711809948e-5f),
                 hn::NegMulAdd(t, set(0.5f), set(1.0f)));
  return {quarters, sine, cosine};
}
/// The sine of an angle whose number of quarters was shifted: the cosine is the sine one quarter further.
HWY_INLINE V sine_at(const Angle& angle, hn::Vec<Int> quarters) {
  const Int di;
  const auto swap = hn::MaskFromVec(hn::BitCast(Float(), hn::VecFromMask(di, hn::TestBit(quarters, hn::Set(di, 1)))));
  const V value = hn::IfThenElse(swap, angle.cosine, angle.sine);
  const auto sign = hn::ShiftLeft<30>(hn::And(quarters, hn::Set(di, 2)));
  return hn::Xor(value, hn::BitCast(Float(), sign));
}
HWY_INLINE V sine(V x) {
  const Angle angle = reduce_angle(x);
  return sine_at(angle, angle.quarters);
}
HWY_INLINE V cosine(V x) {
  const Angle angle = reduce_angle(x);
  return sine_at(angle, hn::Add(angle.quarters, hn::Set(Int(), 1)));
}
HWY_INLINE V tangent(V x) {
  const Angle angle = reduce_angle(x);
  return hn::Div(sine_at(angle, angle.quarters), sine_at(angle, hn::Add(angle.quarters, hn::Set(Int(), 1))));
}

// ---- power --------------------------------------------------------------------------------------------------------

/// The product y log2(x) in double precision, as n + r / ln 2; for positive normal and subnormal x.
HWY_INLINE hn::Vec<hn::ScalableTag<double>> power_exponent(hn::Vec<hn::ScalableTag<double>> x,
                                                           hn::Vec<hn::ScalableTag<double>> y) {
  const hn::ScalableTag<double> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto bits = hn::BitCast(di, x);
  const auto exponent = hn::ShiftRight<52>(hn::Sub(bits, hn::Set(di, 0x3fe6a09e667f3bcd)));
  const auto m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<52>(exponent)));
  const auto one = hn::Set(d, 1.0);
  const auto s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const auto t = hn::Mul(s, s);
  auto p = hn::MulAdd(t, hn::Set(d, 0.3407369273174649), hn::Set(d, 0.4116723684822792));
  p = hn::MulAdd(p, t, hn::Set(d, 0.5770835904759039));
  p = hn::MulAdd(p, t, hn::Set(d, 0.9617966733148626));
  p = hn::MulAdd(p, t, hn::Set(d, 2.885390081790106));
  const auto log2 = hn::MulAdd(p, s, hn::ConvertTo(d, exponent));
  return lesser_of(hn::Set(d, 200.0), greater_of(hn::Set(d, -200.0), hn::Mul(y, log2)));
}

HWY_INLINE V power(V x, V y) {
  const Float d;
  const hn::Half<Float> half;
  const hn::ScalableTag<double> wide;
  const V magnitude = hn::Abs(x);
  const V one = set(1.0f), zero = set(0.0f);
  const auto low =
      power_exponent(hn::PromoteTo(wide, hn::LowerHalf(half, magnitude)), hn::PromoteTo(wide, hn::LowerHalf(half, y)));
  const auto high =
      power_exponent(hn::PromoteTo(wide, hn::UpperHalf(half, magnitude)), hn::PromoteTo(wide, hn::UpperHalf(half, y)));
  const auto low_n = hn::Round(low), high_n = hn::Round(high);
  const auto ln2 = hn::Set(wide, 0.6931471805599453);
  const V n = hn::Combine(d, hn::DemoteTo(half, high_n), hn::DemoteTo(half, low_n));
  const V r = hn::Combine(d, hn::DemoteTo(half, hn::Mul(hn::Sub(high, high_n), ln2)),
                          hn::DemoteTo(half, hn::Mul(hn::Sub(low, low_n), ln2)));
  V result = scale(hn::MulAdd(expm1_ratio(r), r, one), n);

  const auto negative_y = hn::Lt(y, zero);
  const auto x_zero = hn::Eq(magnitude, zero), x_infinite = hn::Eq(magnitude, infinity());
  result =
      hn::IfThenElse(hn::Or(x_zero, x_infinite), hn::IfThenElse(hn::Xor(x_zero, negative_y), zero, infinity()), result);
  // (+-1)^+-infinity = 1, where the double path gives NaN.
  result = hn::IfThenElse(hn::And(hn::Eq(magnitude, one), hn::Eq(hn::Abs(y), infinity())), one, result);
  result = hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), not_a_number(), result);

  // Negative x: only integral exponents are allowed, and odd ones keep the sign (also of -0).
  const auto whole = hn::Eq(hn::Round(y), y);
  const V half_y = hn::Mul(y, set(0.5f));
  const auto odd = hn::And(whole, hn::Ne(hn::Round(half_y), half_y));
  const V sign = hn::And(x, set(-0.0f));
  result = hn::IfThenElse(odd, hn::Or(result, sign), result);
  const auto finite_negative = hn::And(hn::Lt(x, zero), hn::Not(x_infinite));
  result = hn::IfThenElse(hn::And(finite_negative, hn::Not(whole)), not_a_number(), result);
  return hn::IfThenElse(hn::Or(hn::Eq(y, zero), hn::Eq(x, one)), one, result);
}

}  // namespace webnn::runtime::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
