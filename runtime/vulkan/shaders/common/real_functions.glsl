// The elementwise operators of reals. Their numbers are constants wherever these functions are called, so that a single
// case of each switch remains.
#include "elementwise.glsl"  // written by the build

/// `a` and `b` are the attributes alpha and beta, or clamp's limits.
float real_unary(const uint op, const float x, const float a, const float b) {
  switch (op) { REAL_UNARY_CASES }
  return x;
}

/// The results are precise: a compiler that replaces m - m by 0 would lose infinities.
float real_binary(const uint op, const float a, const float b) {
  precise float result = a;
  switch (op) { REAL_BINARY_CASES }
  return a;
}
