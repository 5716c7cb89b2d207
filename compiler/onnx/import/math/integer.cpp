// Products of bytes with results in int32: MatMulInteger and ConvInteger. WebNN has them for floating point numbers
// only, and float32 is exact as long as no sum can pass 2^24. Where one could, the factors are split into two digits of
// 4 bits, whose products are sums of their own.
#include <algorithm>
#include <cmath>
#include <functional>

#include "compiler/onnx/import/math/formula.hpp"
#include "compiler/onnx/import/math/math.hpp"
#include "compiler/onnx/import/tensors/parts.hpp"

namespace webnn::compiler {
namespace {

constexpr double most_exact = 16777216, most_of_byte = 255, most_of_digit = 16;

/// A factor: a byte minus its zero point, as float32.
struct ByteFactor {
  TensorId tensor;
  double greatest = most_of_byte;  // magnitude of an element
  double greatest_sum = 0;         // of the magnitudes that one result multiplies; 0: `greatest` for each of them
};

ByteFactor byte_factor(ImportCall& c, TensorId x, TensorId zero_point, std::int64_t axis) {
  if (c.type(x) != OnnxType::int8 && c.type(x) != OnnxType::uint8) c.refuse("its operands must be int8 or uint8");
  const TensorId one = c.filled(OnnxType::float32, {}, 1);
  return {import_dequantized(c, x, one, zero_point, axis)};
}

/// What is known of constant weights; `axis` is that of the results.
void add_bounds(ImportCall& c, ByteFactor& factor, TensorId weights, TensorId zero_point, std::int64_t axis) {
  if (!c.is_known(weights) || (zero_point.valid() && !c.is_known(zero_point))) return;
  const std::vector<double> values = c.known_reals(weights, "its weights");
  const std::vector<double> zeros =
      zero_point.valid() ? c.known_reals(zero_point, "its zero points") : std::vector{0.0};
  const std::uint32_t place = c.axis(axis, c.rank(weights));
  const auto results = std::size_t(c.dims(weights)[place]);
  if (zeros.empty() || (zeros.size() != 1 && zeros.size() != results)) return;
  std::size_t inside = 1;
  for (std::size_t i = place + 1; i < c.dims(weights).size(); ++i) inside *= std::size_t(c.dims(weights)[i]);
  std::vector<double> sums(results);
  factor.greatest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t result = i / inside % results;
    const double magnitude = std::abs(values[i] - zeros[zeros.size() == 1 ? 0 : result]);
    sums[result] += magnitude;
    factor.greatest = std::max(factor.greatest, magnitude);
  }
  factor.greatest_sum = *std::ranges::max_element(sums);
}

using FloatProduct = std::function<TensorId(TensorId, TensorId)>;

/// The product in int32. `terms`: how many are added for one result.
TensorId exact_product(ImportCall& c, const ByteFactor& a, const ByteFactor& b, double terms,
                       const FloatProduct& product) {
  const double b_sum = b.greatest_sum != 0 ? b.greatest_sum : b.greatest * terms;
  if (a.greatest * b_sum <= most_exact) return c.cast(product(a.tensor, b.tensor), OnnxType::int32);
  const auto split = [&](const ByteFactor& factor, const std::function<TensorId(const ByteFactor&)>& with_digit) {
    ImportFormula f(c, factor.tensor);
    f.let("high", "floor(mul(?x, 0.0625))");
    f.let("low", "sub(?x, mul(?high, 16))");
    const TensorId high = with_digit({f("?high"), most_of_digit}), low = with_digit({f("?low"), most_of_digit});
    return c.make("add"_op, {c.make("mul"_op, {high, c.scalar_like(high, 16)}), low});
  };
  if (a.greatest > most_of_digit)
    return split(a, [&](const ByteFactor& digit) { return exact_product(c, digit, b, terms, product); });
  if (b.greatest > most_of_digit)
    return split(b, [&](const ByteFactor& digit) { return exact_product(c, a, digit, terms, product); });
  c.refuse("its sums of so many products are not exact in float32");
}

/// Where the sums of a matrix product end, so that none of its pieces can pass 2^24.
std::vector<std::int64_t> ends_of_pieces(ImportCall& c, const ByteFactor& a, const ByteFactor& b, TensorId weights,
                                         TensorId zero_point) {
  const OnnxIntegers& dims = c.dims(weights);
  const auto terms = dims[dims.size() - 2], columns = dims.back();
  const double most = most_exact / std::max(a.greatest, 1.0);
  std::vector<std::int64_t> ends;
  if (b.greatest_sum == 0 || dims.size() != 2) {
    const auto every = std::int64_t(most / std::max(b.greatest, 1.0));
    for (std::int64_t end = every; end < terms; end += every) ends.push_back(end);
  } else {
    const std::vector<double> values = c.known_reals(weights, "its weights");
    const std::vector<double> zeros =
        zero_point.valid() ? c.known_reals(zero_point, "its zero points") : std::vector{0.0};
    std::vector<double> sums(static_cast<std::size_t>(columns));
    for (std::int64_t term = 0; term < terms; ++term) {
      const auto magnitude = [&](std::size_t column) {
        return std::abs(values[std::size_t(term * columns) + column] - zeros[zeros.size() == 1 ? 0 : column]);
      };
      bool is_full = false;
      for (std::size_t column = 0; column < sums.size(); ++column)
        is_full = is_full || sums[column] + magnitude(column) > most;
      if (is_full) {
        ends.push_back(term);
        std::ranges::fill(sums, 0.0);
      }
      for (std::size_t column = 0; column < sums.size(); ++column) sums[column] += magnitude(column);
    }
  }
  ends.push_back(terms);
  return ends;
}

/// A few pieces of the sums cost no more products than the whole.
void read_matmul_integer(ImportCall& c) {
  const TensorId x = c.input(0), y = c.input(1), zero_point = c.optional(3);
  if (c.rank(x) == 0 || c.rank(y) == 0 || c.count(x) == 0 || c.count(y) == 0)
    c.refuse("its operands must have axes and elements");
  const ByteFactor a = byte_factor(c, x, c.optional(2), -2);
  ByteFactor b = byte_factor(c, y, zero_point, -1);
  add_bounds(c, b, y, zero_point, -1);
  const FloatProduct product = [&](TensorId left, TensorId right) { return import_matmul(c, left, right); };
  constexpr std::size_t most_pieces = 16;
  const bool are_matrices = c.rank(x) > 1 && c.rank(y) > 1 && c.dims(x).back() == c.dims(y)[c.dims(y).size() - 2];
  const std::vector<std::int64_t> ends =
      are_matrices ? ends_of_pieces(c, a, b, y, zero_point) : std::vector<std::int64_t>();
  if (ends.size() < 2 || ends.size() > most_pieces)
    return c.finish(exact_product(c, a, b, double(c.dims(x).back()), product));
  TensorId sum;
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    const TensorId left = parts::sliced_at(c, a.tensor, c.dims(x).size() - 1, begin, end - begin);
    const TensorId right = parts::sliced_at(c, b.tensor, c.dims(y).size() - 2, begin, end - begin);
    const TensorId part = c.cast(product(left, right), OnnxType::int32);
    sum = sum.valid() ? c.make("add"_op, {sum, part}) : part;
    begin = end;
  }
  c.finish(sum);
}

/// What surrounds the input has its zero point, which is the 0 around the differences.
void read_conv_integer(ImportCall& c) {
  const TensorId x = c.input(0), filter = c.input(1);
  if (c.rank(filter) < 2) c.refuse("its filter has no axis of channels");
  const ByteFactor a = byte_factor(c, x, c.optional(2), 1);
  ByteFactor b = byte_factor(c, filter, c.optional(3), 0);
  add_bounds(c, b, filter, c.optional(3), 0);
  const double terms = double(c.count(filter)) / double(std::max<std::int64_t>(c.dims(filter)[0], 1));
  c.finish(exact_product(c, a, b, terms, [&](TensorId left, TensorId right) {
    return c.onnx("Conv", {left, right}, c.node().attributes);
  }));
}

constexpr OnnxImportRow integer_import_rows[] = {
    {.op_type = "ConvInteger", .read = read_conv_integer},
    {.op_type = "MatMulInteger", .read = read_matmul_integer},
};

}  // namespace

std::span<const OnnxImportRow> import_integer_rows() { return integer_import_rows; }

}  // namespace webnn::compiler
