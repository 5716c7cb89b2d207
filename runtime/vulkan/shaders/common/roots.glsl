// Roots of sums of squares, also where the squares of float32 numbers are no float32 numbers.

/// The factor that elements are multiplied by before they are squared, so that squares are neither lost nor infinite: a
/// power of two. `root`: the root of the sum without it, which may be 0 or infinite.
float scale_of_squares(float root) {
  const float two_to_50 = 1.125899906842624e15, two_to_minus_40 = 9.094947017729282e-13;
  const float two_to_minus_70 = 8.4703294725430034e-22, two_to_90 = 1.2379400392853803e27;
  return root > two_to_50 ? two_to_minus_70 : root < two_to_minus_40 ? two_to_90 : 1.0;
}
/// The root of a sum of squares of elements that were multiplied by `scale`.
float scaled_root(float sum, float scale) {
  const float two_to_70 = 1.1805916207174113e21, two_to_minus_90 = 8.0779356694631609e-28;
  return sqrt(sum) * (scale == 1.0 ? 1.0 : scale < 1.0 ? two_to_70 : two_to_minus_90);
}
float scaled_square(float x, float scale) { return (x * scale) * (x * scale); }
/// The root of the sum of the squares of two such roots.
float root_of_both(float a, float b) {
  const float scale = scale_of_squares(a < b ? b : a);
  return scaled_root(scaled_square(a, scale) + scaled_square(b, scale), scale);
}
