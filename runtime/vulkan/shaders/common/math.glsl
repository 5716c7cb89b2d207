// float32 functions that keep their precision on every driver: the drivers' own tanh, sine and logarithm may lose
// digits, and contracted or reordered sums would lose those of the reductions here. Errors are a few units in the last
// place; subnormal numbers may be flushed to zero, as drivers do.

float polynomial(float x, float c0, float c1) { return c1 * x + c0; }
float polynomial(float x, float c0, float c1, float c2) { return polynomial(x, c1, c2) * x + c0; }
float polynomial(float x, float c0, float c1, float c2, float c3) { return polynomial(x, c1, c2, c3) * x + c0; }
float polynomial(float x, float c0, float c1, float c2, float c3, float c4) {
  return polynomial(x, c1, c2, c3, c4) * x + c0;
}
float polynomial(float x, float c0, float c1, float c2, float c3, float c4, float c5) {
  return polynomial(x, c1, c2, c3, c4, c5) * x + c0;
}
float polynomial(float x, float c0, float c1, float c2, float c3, float c4, float c5, float c6) {
  return polynomial(x, c1, c2, c3, c4, c5, c6) * x + c0;
}
float polynomial(float x, float c0, float c1, float c2, float c3, float c4, float c5, float c6, float c7) {
  return polynomial(x, c1, c2, c3, c4, c5, c6, c7) * x + c0;
}
float polynomial(float x, float c0, float c1, float c2, float c3, float c4, float c5, float c6, float c7, float c8) {
  return polynomial(x, c1, c2, c3, c4, c5, c6, c7, c8) * x + c0;
}
float polynomial(float x, float c0, float c1, float c2, float c3, float c4, float c5, float c6, float c7, float c8,
                 float c9) {
  return polynomial(x, c1, c2, c3, c4, c5, c6, c7, c8, c9) * x + c0;
}

float absolute(float x) { return uintBitsToFloat(floatBitsToUint(x) & 0x7fffffffu); }
float negated(float x) { return uintBitsToFloat(floatBitsToUint(x) ^ 0x80000000u); }
float copy_sign(float magnitude, float sign) {
  return uintBitsToFloat((floatBitsToUint(magnitude) & 0x7fffffffu) | (floatBitsToUint(sign) & 0x80000000u));
}
/// NaN stays NaN.
float clamped(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

float round_even(float x) {
  if (!(absolute(x) < 8388608.0)) return x;
  precise float below = floor(x);
  precise float rest = x - below;
  precise float half_below = 0.5 * below;
  const bool up = rest > 0.5 || (rest == 0.5 && floor(half_below) != half_below);
  return copy_sign(up ? below + 1.0 : below, x);
}

float power_of_two(int n) { return uintBitsToFloat(uint(n + 127) << 23); }
/// x * 2^n, in two multiplications, because 2^n may not be a normal number.
float scale(float x, int n) {
  const int low = n >> 1;
  precise float y = x * power_of_two(low);
  return y * power_of_two(n - low);
}

/// (e^r - 1) / r for |r| <= ln 2 / 2
float expm1_ratio(float r) {
  return polynomial(r, 1.0, 0.4999999701976776, 0.16666506230831146, 0.041667137295007706, 0.00836906861513853,
                    0.0013888777466490865);
}
/// x = n ln 2 + r with an integral n and |r| <= ln 2 / 2; for |x| < 120.
void reduce_by_ln2(float x, out int n, out float r) {
  precise float whole = floor(x * 1.44269504 + 0.5);
  precise float rest = x - whole * 0.693359375;
  rest = rest - whole * -2.12194440e-4;
  n = int(whole);
  r = rest;
}
float exponential(float x) {
  if (is_nan(x)) return x;
  int n;
  float r;
  reduce_by_ln2(clamp(x, -104.0, 89.0), n, r);
  return scale(expm1_ratio(r) * r + 1.0, n);
}
/// e^x - 1 for x <= 0
float expm1_of_negative(float x) {
  if (is_nan(x)) return x;
  int n;
  float r;
  reduce_by_ln2(max(x, -20.0), n, r);
  const float power = power_of_two(n);
  precise float rest = power - 1.0;
  return power * (expm1_ratio(r) * r) + rest;
}

/// x = 2^exponent m with m in [sqrt(1/2), sqrt(2)), for positive finite x. Subnormal numbers are counted in units of the
/// least one: arithmetic may flush them to zero.
void split_number(float x, out int exponent, out float m) {
  int bits = floatBitsToInt(x);
  const bool subnormal = bits < 0x00800000;
  if (subnormal) bits = floatBitsToInt(float(bits));
  exponent = (bits - 0x3f3504f3) >> 23;
  m = intBitsToFloat(bits - (exponent << 23));
  if (subnormal) exponent -= 149;
}

float logarithm(float x) {
  if (!(x > 0.0)) return x == 0.0 ? -INFINITY : NOT_A_NUMBER;
  if (is_infinite(x)) return x;
  int exponent;
  float m;
  split_number(x, exponent, m);
  precise float f = m - 1.0;
  const float e = float(exponent);
  precise float z = f * f;
  precise float y = f * z *
                    polynomial(f, 3.3333331174e-1, -2.4999993993e-1, 2.0000714765e-1, -1.6668057665e-1,
                               1.4249322787e-1, -1.2420140846e-1, 1.1676998740e-1, -1.1514610310e-1, 7.0376836292e-2);
  y = y + e * -2.12194440e-4;
  y = y - 0.5 * z;
  precise float sum = f + y;
  return sum + e * 0.693359375;
}

float hyperbolic_tangent(float x) {
  const float limited = clamped(x, -9.02, 9.02);
  const float t = limited * limited;
  const float p = polynomial(t, 1.0, 0.1337950974702835, 0.0034937711898237467, 2.0578467228915542e-05,
                             1.3310829771739918e-08);
  const float q = polynomial(t, 1.0, 0.4671282470226288, 0.02587011456489563, 0.0003282632678747177,
                             7.758920332889829e-07);
  return clamped(limited * p / q, -1.0, 1.0);  // the quotient may be one unit too large
}

float error_function(float x) {
  const float limited = clamped(x, -3.95, 3.95);
  const float t = limited * limited;
  const float p = polynomial(t, 1.1283791065216064, 0.1914481669664383, 0.05286093428730965, 0.0038035395555198193,
                             0.0002845418930519372, 2.026116135311895e-06);
  const float q = polynomial(t, 1.0, 0.5029992461204529, 0.1145164966583252, 0.015045827254652977,
                             0.0011695296270772815, 3.7826397601747885e-05);
  return clamped(limited * p / q, -1.0, 1.0);
}

/// The rounding error of a * b = p, without a fused multiply-add.
float product_error(float a, float b, float p) {
  precise float ta = a * 4097.0;
  precise float ah = ta - (ta - a);
  precise float al = a - ah;
  precise float tb = b * 4097.0;
  precise float bh = tb - (tb - b);
  precise float bl = b - bh;
  precise float error = ah * bh - p;
  error = error + ah * bl;
  error = error + al * bh;
  error = error + al * bl;
  return error;
}

// Vulkan allows a quotient to be wrong by 2.5 units in the last place, and a square root by more. Where the driver does
// not divide exactly (DIVIDES_EXACTLY, set for each pipeline), the rest is divided too.
layout(constant_id = constant_divides_exactly) const bool DIVIDES_EXACTLY = false;

#ifdef INEXACT
// For tests: a driver as bad as Vulkan allows.
float device_quotient(float a, float b) {
  const float q = a / b;
  return is_nan(q) || is_infinite(q) || q == 0.0 ? q : uintBitsToFloat(floatBitsToUint(q) + 2u);
}
float device_root(float x) {
  const float root = sqrt(x);
  return is_nan(root) || is_infinite(root) || root == 0.0 ? root : uintBitsToFloat(floatBitsToUint(root) + 4u);
}
#else
float device_quotient(float a, float b) { return a / b; }
float device_root(float x) { return sqrt(x); }
#endif

/// Whether products of such numbers have rounding errors that are normal numbers; false for NaN.
bool is_moderate(float x) { return absolute(x) > 1e-28 && absolute(x) < 1e34; }

float quotient(float a, float b) {
  precise float q = device_quotient(a, b);
  if (DIVIDES_EXACTLY || !is_moderate(a) || !is_moderate(b) || !is_moderate(q)) return q;
  precise float product = q * b;
  precise float rest = (a - product) - product_error(q, b, product);
  precise float better = q + device_quotient(rest, b);
  return better;
}

float square_root(float x) {
  precise float root = device_root(x);
  if (DIVIDES_EXACTLY || !is_moderate(x)) return root;
  precise float product = root * root;
  precise float rest = (x - product) - product_error(root, root, product);
  precise float better = root + device_quotient(rest, 2.0 * root);
  return better;
}

/// a * x + b in nearly one rounding: near its zero, only the rounding error of the product is left.
float line(float a, float x, float b) {
  precise float product = a * x;
  precise float sum = product + b;
  if (is_nan(sum) || is_infinite(sum)) return sum;
  precise float part = sum - product;
  precise float error = (product - (sum - part)) + (b - part);
  error = error + product_error(a, x, product);
  return is_nan(error) ? sum : sum + error;
}

/// A compensated sum: a value and its rounding error.
struct Sum {
  float high, low;
};
Sum plus(Sum sum, float x) {
  precise float high = sum.high + x;
  precise float part = high - sum.high;
  precise float low = sum.low + ((sum.high - (high - part)) + (x - part));
  return Sum(high, is_nan(high) || is_infinite(high) ? 0.0 : low);  // avoids infinity - infinity
}
Sum plus_product(Sum sum, float a, float b) {
  precise float product = a * b;
  Sum next = plus(sum, product);
  const float error = product_error(a, b, product);  // not a number near the ends of the range
  if (!is_nan(error) && !is_infinite(error) && !is_nan(next.high) && !is_infinite(next.high)) next.low += error;
  return next;
}
float value_of(Sum sum) { return is_nan(sum.low) || is_infinite(sum.high) ? sum.high : sum.high + sum.low; }

/// x erfc(-x / sqrt 2) / 2. The tail erfc(a / sqrt 2) / 2 is e^(-a^2 / 2) p(a) / q(a), which keeps its relative
/// precision, whereas 1 + erf(x) would lose all of it.
float gaussian_error_linear_unit(float x) {
  if (is_nan(x)) return x;
  const float a = min(absolute(x), 14.6);
  precise float square = a * a;
  const float rest = product_error(a, a, square);
  const float power = exponential(square * -0.5);
  const float e = power - power * 0.5 * rest;
  const float p = polynomial(a, 0.5, 0.4382273554801941, 0.18317972123622894, 0.04061298072338104,
                             0.004112851805984974);
  const float q = polynomial(a, 1.0, 1.6743396520614624, 1.202284574508667, 0.46932294964790344, 0.1018080934882164,
                             0.010309270583093166);
  const float tail = p / q * e;
  if (x < 0.0) return is_infinite(x) ? NOT_A_NUMBER : x * tail;  // for -infinity: infinity times zero
  return x * (1.0 - tail);
}

float logistic(float x) {
  if (is_nan(x)) return x;
  const float e = exponential(-absolute(x));
  return min((x < 0.0 ? e : 1.0) / (1.0 + e), 1.0);
}

/// log(1 + e^x) = max(x, 0) + log1p(e^-|x|)
float soft_plus(float x) {
  if (is_nan(x)) return x;
  const float e = exponential(-absolute(x));
  const float ratio = polynomial(e, 1.0, -0.4999990165233612, 0.33329957723617554, -0.24954098463058472,
                                 0.19675756990909576, -0.15305067598819733, 0.10602765530347824, -0.05695076286792755,
                                 0.01984679512679577, -0.0032429900020360947);
  return max(x, 0.0) + e * ratio;
}

// ---- sine, cosine, tangent

/// 96 bits of 2 / pi, from those on that lie `place` bits behind the binary point; at most 128. Choices between words and
/// products of 32 bits: with an array that is indexed, and with 64 bits, a software GPU compiles one sine for a second, and
/// four in one shader for seven.
uvec3 bits_of_two_over_pi(uint place) {
  const bool far = (place & 64u) != 0;
  const uint words[] = uint[](far ? 0x9391054au : 0u, far ? 0x7f09d5f4u : 0x28be60dbu, far ? 0x7d4d3770u : 0x9391054au,
                              far ? 0x36d8a566u : 0x7f09d5f4u, far ? 0x4f10e410u : 0x7d4d3770u);
  const bool next = (place & 32u) != 0;
  uvec4 bits = uvec4(next ? words[1] : words[0], next ? words[2] : words[1], next ? words[3] : words[2],
                     next ? words[4] : words[3]);
  if (place == 128) bits = uvec4(0x7d4d3770u, 0x36d8a566u, 0x4f10e410u, 0u);
  const uint shift = place & 31u;
  return shift == 0 ? bits.xyz : (bits.xyz << shift) | (bits.yzw >> (32 - shift));
}

/// x = quarters pi / 2 + r with |r| <= pi / 4, for finite x.
void reduce_angle(float x, out int quarters, out float r) {
  if (absolute(x) < 4000.0) {
    precise float q = floor(x * 0.636619772 + 0.5);
    precise float rest = x - q * 1.5703125;
    rest = rest - q * 4.83751296997e-4;
    rest = rest - q * 7.5497899548e-8;
    quarters = int(q);
    r = rest;
    return;
  }
  // The product with 2 / pi in integers; only the bits around the binary point are needed.
  const uint bits = floatBitsToUint(x);
  const uint mantissa = ((bits & 0x007fffffu) | 0x00800000u) << 8;
  const uvec3 factor = bits_of_two_over_pi(((bits >> 23) & 0xffu) - 126);
  uint high, middle, low, unused, carry;
  umulExtended(mantissa, factor.z, low, unused);
  umulExtended(mantissa, factor.y, high, middle);
  middle = uaddCarry(middle, low, carry);
  high += mantissa * factor.x + carry;
  // Two bits of quarters, then the fraction of one, which is taken from the nearest.
  uint whole = high >> 30;
  high = (high << 2) | (middle >> 30);
  middle <<= 2;
  const bool is_above = (high & 0x80000000u) != 0;
  if (is_above) {
    whole += 1;
    high = ~high;
    middle = ~middle;
  }
  const float rest = (float(high) * 4294967296.0 + float(middle)) * 8.515303950076e-20;  // pi / 2 / 2^64
  const bool is_negative = is_above != (x < 0.0);
  quarters = x < 0.0 ? -int(whole) : int(whole);
  r = is_negative ? -rest : rest;
}
float sine_at(float r, int quarters) {
  const float t = r * r;
  const bool swap = (quarters & 1) != 0;
  const float value =
      swap ? 1.0 - 0.5 * t + t * t * polynomial(t, 4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5)
           : r + r * t * polynomial(t, -1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4);
  return (quarters & 2) != 0 ? -value : value;
}
float sine(float x) {
  if (x == 0.0) return x;  // -0 stays -0
  if (is_nan(x) || is_infinite(x)) return NOT_A_NUMBER;
  int quarters;
  float r;
  reduce_angle(x, quarters, r);
  return sine_at(r, quarters);
}
float cosine(float x) {
  if (is_nan(x) || is_infinite(x)) return NOT_A_NUMBER;
  int quarters;
  float r;
  reduce_angle(x, quarters, r);
  return sine_at(r, quarters + 1);
}
float tangent(float x) {
  if (x == 0.0) return x;
  if (is_nan(x) || is_infinite(x)) return NOT_A_NUMBER;
  int quarters;
  float r;
  reduce_angle(x, quarters, r);
  return sine_at(r, quarters) / sine_at(r, quarters + 1);
}

// ---- power

/// y log2(x) as the sum of two float32, for finite positive x and finite y: a single float32 has too few digits.
vec2 power_exponent(float x, float y) {
  int exponent;
  float m;
  split_number(x, exponent, m);
  // s = (m - 1) / (m + 1), with its rounding error
  precise float f = m - 1.0;
  precise float d = m + 1.0;
  precise float d_error = m - (d - 1.0);
  precise float s = f / d;
  precise float sd = s * d;
  precise float s_rest = ((f - sd) - product_error(s, d, sd) - s * d_error) / d;
  const float t = s * s;
  const float tail = s * t * polynomial(t, 0.9617966939, 0.5770780164, 0.4121985832, 0.3205988979, 0.26);
  // log2(m) = 2 / ln 2 s + tail
  precise float head = s * 2.8853900432586670;
  precise float head_rest = product_error(s, 2.8853900432586670, head) + s * 3.8519243e-8 + s_rest * 2.88539;
  head_rest = head_rest + tail;
  const float e = float(exponent);
  precise float sum = e + head;
  precise float part = sum - e;
  precise float sum_rest = ((e - (sum - part)) + (head - part)) + head_rest;
  precise float high = sum + sum_rest;
  precise float low = sum_rest - (high - sum);
  precise float product = y * high;
  precise float product_rest = product_error(y, high, product) + y * low;
  return vec2(product, product_rest);
}
float power(float x, float y) {
  if (y == 1.0) return x;  // also for subnormal x
  if (y == 0.0 || x == 1.0) return 1.0;
  if (is_nan(x) || is_nan(y)) return NOT_A_NUMBER;
  const float magnitude = absolute(x);
  const bool whole = floor(y) == y;  // true for infinities and all large numbers
  const bool odd = whole && absolute(y) < 16777216.0 && floor(0.5 * y) != 0.5 * y;
  const bool negative = (floatBitsToUint(x) & 0x80000000u) != 0;
  float result;
  if (magnitude == 0.0 || is_infinite(magnitude)) {
    result = (magnitude == 0.0) != (y < 0.0) ? 0.0 : INFINITY;
  } else if (is_infinite(y)) {
    result = magnitude == 1.0 ? 1.0 : (magnitude > 1.0) == (y > 0.0) ? INFINITY : 0.0;
  } else {
    if (negative && !whole) return NOT_A_NUMBER;
    if (absolute(y) > 1.0e12) {
      result = magnitude == 1.0 ? 1.0 : (magnitude > 1.0) == (y > 0.0) ? INFINITY : 0.0;
    } else {
      const vec2 exponent = power_exponent(magnitude, y);
      if (exponent.x > 130.0) result = INFINITY;
      else if (exponent.x < -152.0) result = 0.0;
      else {
        precise float n = floor(exponent.x + 0.5);
        precise float fraction = (exponent.x - n) + exponent.y;
        const float r = fraction * 0.69314718;
        result = scale(expm1_ratio(r) * r + 1.0, int(n));
      }
    }
  }
  return odd && negative ? negated(result) : result;
}
