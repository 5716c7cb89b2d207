// Shape rules of matrix products.
#include "schema/infer.hpp"
#include "schema/infer_support.hpp"
#include "schema/sentence.hpp"

namespace webnn::schema {

void infer_gemm(const OperatorCall& call, Inference& result) {
  const Shape& a = call.shape(0);
  const Shape& b = call.shape(1);
  const bool a_transposed = call.boolean("aTranspose"), b_transposed = call.boolean("bTranspose");
  const std::uint32_t rows = a[a_transposed ? 1 : 0], a_inner = a[a_transposed ? 0 : 1];
  const std::uint32_t b_inner = b[b_transposed ? 1 : 0], columns = b[b_transposed ? 0 : 1];
  if (a_inner != b_inner)
    result.fail(sentence("'a' ", a, a_transposed ? " transposed" : "", " has ", counted(a_inner, "column"),
                         ", but 'b' ", b, b_transposed ? " transposed" : "", " has ", counted(b_inner, "row")));
  if (call.has_operand(2)) {
    const Shape product{rows, columns};
    if (broadcast(call.shape(2), product) != product)
      result.fail_operand(
          2, sentence("'c' has shape ", call.shape(2), ", which does not broadcast to the product's ", product));
  }
  infer_output(result, call.operand(0).type, {rows, columns});
}

void infer_matmul(const OperatorCall& call, Inference& result) {
  const Shape& a = call.shape(0);
  const Shape& b = call.shape(1);
  const std::uint32_t a_inner = a[a.rank() - 1], b_inner = b[b.rank() - 2];
  if (a_inner != b_inner) {
    result.fail(
        sentence("'a' ", a, " has ", counted(a_inner, "column"), ", but 'b' ", b, " has ", counted(b_inner, "row")));
    return;
  }
  const auto batch = broadcast(Shape(a.sizes().first(a.rank() - 2)), Shape(b.sizes().first(b.rank() - 2)));
  if (!batch) {
    result.fail(sentence("the batch dimensions of 'a' ", a, " and 'b' ", b, " do not broadcast with each other"));
    return;
  }
  Sizes sizes(batch->begin(), batch->end());
  sizes.push_back(a[a.rank() - 2]);
  sizes.push_back(b[b.rank() - 1]);
  infer_output(result, call.operand(0).type, sizes);
}

}  // namespace webnn::schema
