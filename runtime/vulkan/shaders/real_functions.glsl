// The elementwise operators of reals, numbered as in kernels/operators.hpp. The numbers are constants wherever these
// functions are called, so that a single case of each switch remains.
const uint ABS = 0, CEIL = 1, CLAMP = 2, COS = 3, ELU = 4, ERF = 5, EXP = 6, FLOOR = 7, GELU = 8, HARD_SIGMOID = 9,
           HARD_SWISH = 10, LEAKY_RELU = 11, LINEAR = 12, LOG = 13, NEG = 14, RECIPROCAL = 15, RELU = 16,
           ROUND_EVEN = 17, SIGMOID = 18, SIGN = 19, SIN = 20, SOFTPLUS = 21, SOFTSIGN = 22, SQRT = 23, TAN = 24,
           TANH = 25, SILU = 29;
const uint ADD = 0, SUB = 1, MUL = 2, DIV = 3, MAX = 4, MIN = 5, POW = 6, PRELU = 7;

/// `a` and `b` are the attributes alpha and beta, or clamp's limits.
float real_unary(const uint op, const float x, const float a, const float b) {
  switch (op) {
    case ABS: return absolute(x);
    case CEIL: return copy_sign(ceil(x), x);
    case CLAMP: return clamped(x, a, b);
    case COS: return cosine(x);
    case ELU: return x < 0.0 ? a * expm1_of_negative(x) : x;
    case ERF: return error_function(x);
    case EXP: return exponential(x);
    case FLOOR: return copy_sign(floor(x), x);
    case GELU: return gaussian_error_linear_unit(x);
    case HARD_SIGMOID: return clamped(line(a, x, b), 0.0, 1.0);
    case HARD_SWISH: return x >= 3.0 ? x : x * clamped(x + 3.0, 0.0, 6.0) / 6.0;
    case LEAKY_RELU: return x < 0.0 ? a * x : x;
    case LINEAR: return line(a, x, b);
    case LOG: return logarithm(x);
    case NEG: return negated(x);
    case RECIPROCAL: return 1.0 / x;
    case RELU: return x < 0.0 ? 0.0 : x;
    case ROUND_EVEN: return round_even(x);
    case SIGMOID: return logistic(x);
    case SIGN: return float(int(x > 0.0) - int(x < 0.0));  // never -0
    case SIN: return sine(x);
    case SOFTPLUS: return soft_plus(x);
    case SOFTSIGN: return x / (1.0 + absolute(x));
    case SQRT: return sqrt(x);
    case TAN: return tangent(x);
    case TANH: return hyperbolic_tangent(x);
    case SILU: return x * logistic(x);
  }
  return x;
}

/// Sums and quotients are precise: a compiler that replaces m - m by 0 would lose infinities.
float real_binary(const uint op, const float a, const float b) {
  precise float result = a;
  switch (op) {
    case ADD: result = a + b; return result;
    case SUB: result = a - b; return result;
    case MUL: result = a * b; return result;
    case DIV: result = a / b; return result;
    case MAX: return is_nan(a) || a > b ? a : b;  // NaN if either operand is
    case MIN: return is_nan(a) || a < b ? a : b;
    case POW: return power(a, b);
    case PRELU: return a < 0.0 ? a * b : a;
  }
  return a;
}
