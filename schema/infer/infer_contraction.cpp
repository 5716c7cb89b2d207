// Shape rules of matrix products.
#include <optional>

#include "schema/infer/infer.hpp"
#include "schema/infer/infer_support.hpp"
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

namespace {

/// The operand's shape after the permutation in the attribute; reports an attribute that is no permutation.
std::optional<Shape> transposed_operand(const OperatorCall& call, Inference& result, std::size_t operand,
                                        std::string_view attribute) {
  const Shape& shape = call.shape(operand);
  if (!check_one_per_axis(call, result, attribute, shape.rank()) || !check_axes(call, result, attribute, shape.rank()))
    return std::nullopt;
  Shape transposed;
  for (const std::uint32_t axis : call.u32_list(attribute)) transposed.push_back(shape[axis]);
  return transposed;
}

}  // namespace

void infer_attention(const OperatorCall& call, Inference& result) {
  const auto query = transposed_operand(call, result, 0, "queryPermutation");
  const auto key = transposed_operand(call, result, 1, "keyPermutation");
  const auto value = transposed_operand(call, result, 2, "valuePermutation");
  if (!query || !key || !value) return;
  const unsigned rank = query->rank();
  if (key->rank() != rank || value->rank() != rank) {
    result.fail(sentence("'query' ", *query, ", 'key' ", *key, " and 'value' ", *value, " differ in rank"));
    return;
  }
  if ((*query)[rank - 1] != (*key)[rank - 1])
    result.fail(sentence("'query' ", *query, " and 'key' ", *key, " differ in features, the last axis"));
  if ((*key)[rank - 2] != (*value)[rank - 2])
    result.fail(sentence("'key' ", *key, " and 'value' ", *value, " differ in tokens, the last axis but one"));
  const auto batch_of = [&](const Shape& shape) { return Shape(shape.sizes().first(rank - 2)); };
  auto batch = broadcast(batch_of(*query), batch_of(*key));
  if (batch) batch = broadcast(*batch, batch_of(*value));
  if (!batch) {
    result.fail(sentence("the batch dimensions of 'query' ", *query, ", 'key' ", *key, " and 'value' ", *value,
                         " do not broadcast with each other"));
    return;
  }
  Shape scores = *batch, output = *batch;
  scores.push_back((*query)[rank - 2]);
  scores.push_back((*key)[rank - 2]);
  output.push_back((*query)[rank - 2]);
  output.push_back((*value)[rank - 1]);
  if (call.has_operand(3) && broadcast(call.shape(3), scores) != scores)
    result.fail_operand(
        3, sentence("'mask' has shape ", call.shape(3), ", which does not broadcast to the scores' ", scores));
  // The default has as many axes as the query, and the output must have that many too.
  if (!check_one_per_axis(call, result, "outputPermutation", rank) ||
      !check_axes(call, result, "outputPermutation", rank))
    return;
  Sizes sizes;
  for (const std::uint32_t axis : call.u32_list("outputPermutation")) sizes.push_back(output[axis]);
  infer_output(result, call.operand(0).type, sizes);
}

}  // namespace webnn::schema
