// Matrix products of ONNX.
#include <bit>
#include <cmath>
#include <map>

#include "compiler/onnx/import/math/math.hpp"
#include "compiler/onnx/import/tensors/parts.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"

namespace webnn::compiler {

namespace {

/// WebNN multiplies matrices of floating point numbers only: integers are multiplied one by one, and added.
TensorId matmul_of_matrices(ImportCall& c, TensorId a, TensorId b) {
  if (!is_integer_type(c.type(a))) return c.make("matmul"_op, {a, b});
  OnnxIntegers rows = c.dims(a), columns = c.dims(b);
  if (rows.back() != columns[columns.size() - 2]) c.refuse("the inner sizes of its matrices differ");
  rows.push_back(1);
  columns.insert(columns.end() - 2, 1);
  const TensorId products = c.make("mul"_op, {c.reshape(a, rows), c.reshape(b, columns)});
  return c.make("reduceSum"_op, {products}, {{"axes", IntegerList{c.rank(products) - 2}}});
}

}  // namespace

TensorId import_matmul(ImportCall& c, TensorId a, TensorId b) {
  if (c.rank(a) == 0 || c.rank(b) == 0) c.refuse("its operands must have axes");
  const bool is_row = c.rank(a) == 1, is_column = c.rank(b) == 1;
  if (is_row) a = c.reshape(a, {1, c.dims(a)[0]});
  if (is_column) b = c.reshape(b, {c.dims(b)[0], 1});
  const TensorId product = matmul_of_matrices(c, a, b);
  OnnxIntegers dims = c.dims(product);
  if (is_column) dims.pop_back();
  if (is_row) dims.erase(dims.end() - (is_column ? 1 : 2));
  return c.reshape(product, dims);
}

namespace {

void read_matmul(ImportCall& c) { c.finish(import_matmul(c, c.input(0), c.input(1))); }

/// A factor of integers.
TensorId times_whole(ImportCall& c, TensorId x, double factor) {
  if (factor == 1) return x;
  if (factor != std::floor(factor) || std::abs(factor) > 1e9)
    c.refuse("the product of integers with a factor that is none is not exact");
  return c.make("mul"_op, {x, c.scalar_like(x, factor)});
}

void read_gemm(ImportCall& c) {
  const TensorId a = c.input(0), b = c.input(1), bias = c.optional(2);
  const bool a_transpose = c.flag("transA"), b_transpose = c.flag("transB");
  const double alpha = c.real("alpha", 1), beta = c.real("beta", 1);
  if (!is_integer_type(c.type(a)))
    return c.finish(
        c.make("gemm"_op, {a, b, bias},
               {{"alpha", alpha}, {"beta", beta}, {"aTranspose", a_transpose}, {"bTranspose", b_transpose}}));
  if (c.rank(a) != 2 || c.rank(b) != 2) c.refuse("its operands must be matrices");
  const auto matrix = [&](TensorId x, bool is_transposed) { return is_transposed ? c.transpose(x, {1, 0}) : x; };
  TensorId result = import_matmul(c, matrix(a, a_transpose), matrix(b, b_transpose));
  result = times_whole(c, result, alpha);
  if (bias.valid()) result = c.make("add"_op, {result, times_whole(c, bias, beta)});
  c.finish(result);
}

/// Minors of the last rows, by the set of their columns; each is expanded along its first row.
class Determinant {
 public:
  Determinant(ImportCall& c, TensorId x) : c_(c), x_(x), size_(std::size_t(c.dims(x).back())) {}

  TensorId minor(unsigned columns) {
    const auto known = minors_.find(columns);
    if (known != minors_.end()) return known->second;
    const std::size_t row = size_ - std::size_t(std::popcount(columns));
    TensorId sum;
    bool is_negative = false;
    for (std::size_t column = 0; column < size_; ++column) {
      if (!(columns >> column & 1u)) continue;
      const unsigned rest = columns & ~(1u << column);
      const TensorId entry = element(row, column);
      const TensorId term = rest ? c_.make("mul"_op, {entry, minor(rest)}) : entry;
      sum = !sum.valid() ? term : c_.make(is_negative ? "sub"_op : "add"_op, {sum, term});
      is_negative = !is_negative;
    }
    return minors_[columns] = sum;
  }

 private:
  TensorId element(std::size_t row, std::size_t column) {
    OnnxIntegers starts(c_.dims(x_).size(), 0), sizes = c_.dims(x_);
    starts[starts.size() - 2] = std::int64_t(row);
    starts.back() = std::int64_t(column);
    sizes[sizes.size() - 2] = sizes.back() = 1;
    return parts::sliced(c_, x_, starts, sizes, OnnxIntegers(starts.size(), 1));
  }

  ImportCall& c_;
  TensorId x_;
  std::size_t size_;
  std::map<unsigned, TensorId> minors_;
};

void read_determinant(ImportCall& c) {
  const TensorId x = c.input(0);
  OnnxIntegers dims = c.dims(x);
  if (dims.size() < 2 || dims.back() != dims[dims.size() - 2]) c.refuse("its operand is no square matrix");
  constexpr std::int64_t most = 4;  // larger ones need elimination with a choice of rows
  if (dims.back() < 1 || dims.back() > most)
    c.refuse("determinants are computed for matrices of up to 4 rows; WebNN has no operator for them");
  const TensorId result = Determinant(c, x).minor((1u << dims.back()) - 1);
  dims.resize(dims.size() - 2);
  c.finish(c.reshape(result, dims));
}

constexpr OnnxImportRow contraction_import_rows[] = {
    {.op_type = "Det", .read = read_determinant},
    {.op_type = "Einsum", .read = read_einsum},
    {.op_type = "Gemm", .read = read_gemm},
    {.op_type = "MatMul", .read = read_matmul},
};

}  // namespace

std::span<const OnnxImportRow> import_contraction_rows() { return contraction_import_rows; }

}  // namespace webnn::compiler
