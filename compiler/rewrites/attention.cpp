// Attention as models write it: scaled products of queries and keys, a mask, softmax, a product with the values. As one
// operator it needs no memory for the scores, and reads the heads where the projections have left them.
//
// Legend as in simplify.cpp. The results equal those of the spelled-out operators within a few units in the last place.
#include <cmath>
#include <numeric>
#include <optional>

#include "compiler/rewrites/guards.hpp"
#include "compiler/rewrites/rewrite.hpp"
#include "schema/elements/elements.hpp"

namespace webnn::compiler {
namespace {

/// The softmax is along the last axis, the keys. ?k holds keys as columns; the permutation ?t turns them into rows.
bool is_attention(Match& match) {
  const auto axis = match.number("a").value_or(Number(0)).as_int64();
  const unsigned rank = match.descriptor("k").shape.rank();
  if (rank < 2 || axis + 1 != std::int64_t(rank)) return false;
  IntegerList swapped(rank);
  std::iota(swapped.begin(), swapped.end(), 0);
  std::swap(swapped[rank - 2], swapped[rank - 1]);
  match.set_attribute("t", std::move(swapped));
  return true;
}

/// ?f is the scale ?c (1 if there is none yet) times ?s, or divided by it.
bool set_scale(Match& match, double scale) {
  if (!std::isfinite(scale)) return false;
  match.set_attribute("f", scale);
  return true;
}
bool multiply_scale(Match& match) {
  const auto s = element_of(match, "s");
  return s && set_scale(match, match.number("c").value_or(Number(1)).as_double() * s->as_double());
}
bool divide_scale(Match& match) {
  const auto s = element_of(match, "s");
  return s && set_scale(match, match.number("c").value_or(Number(1)).as_double() / s->as_double());
}

bool is_attention_times(Match& match) { return is_attention(match) && multiply_scale(match); }
bool is_attention_divided(Match& match) { return is_attention(match) && divide_scale(match); }

constexpr Rewrite attention_rows[] = {
    // scores, optionally scaled and masked
    {"attention", "matmul(softmax(matmul(?q, ?k)) {axis=?a}, ?v)", "@attention(?q, ?k, ?v) {keyPermutation=?t}",
     is_attention},
    {"attention_mul", "matmul(softmax(mul(matmul(?q, ?k), ?s:constant)) {axis=?a}, ?v)",
     "@attention(?q, ?k, ?v) {scale=?f, keyPermutation=?t}", is_attention_times},
    {"attention_div", "matmul(softmax(div(matmul(?q, ?k), ?s:constant)) {axis=?a}, ?v)",
     "@attention(?q, ?k, ?v) {scale=?f, keyPermutation=?t}", is_attention_divided},
    {"attention_mul_mask", "matmul(softmax(add(mul(matmul(?q, ?k), ?s:constant), ?m)) {axis=?a}, ?v)",
     "@attention(?q, ?k, ?v, mask=?m) {scale=?f, keyPermutation=?t}", is_attention_times},
    {"attention_div_mask", "matmul(softmax(add(div(matmul(?q, ?k), ?s:constant), ?m)) {axis=?a}, ?v)",
     "@attention(?q, ?k, ?v, mask=?m) {scale=?f, keyPermutation=?t}", is_attention_divided},
    {"attention_mask", "matmul(softmax(add(matmul(?q, ?k), ?m)) {axis=?a}, ?v)",
     "@attention(?q, ?k, ?v, mask=?m) {keyPermutation=?t}", is_attention},

    // scale factors on queries and keys
    {"query_mul",
     "@attention(mul(?q, ?s:constant), ?k, ?v, mask=?m:optional) {scale=?c, queryPermutation=?a, keyPermutation=?b, "
     "valuePermutation=?d, "
     "outputPermutation=?o}",
     "@attention(?q, ?k, ?v, mask=?m:optional) {scale=?f, queryPermutation=?a, keyPermutation=?b, valuePermutation=?d, "
     "outputPermutation=?o}",
     multiply_scale},
    {"query_div",
     "@attention(div(?q, ?s:constant), ?k, ?v, mask=?m:optional) {scale=?c, queryPermutation=?a, keyPermutation=?b, "
     "valuePermutation=?d, "
     "outputPermutation=?o}",
     "@attention(?q, ?k, ?v, mask=?m:optional) {scale=?f, queryPermutation=?a, keyPermutation=?b, valuePermutation=?d, "
     "outputPermutation=?o}",
     divide_scale},
    {"key_mul",
     "@attention(?q, mul(?k, ?s:constant), ?v, mask=?m:optional) {scale=?c, queryPermutation=?a, keyPermutation=?b, "
     "valuePermutation=?d, "
     "outputPermutation=?o}",
     "@attention(?q, ?k, ?v, mask=?m:optional) {scale=?f, queryPermutation=?a, keyPermutation=?b, valuePermutation=?d, "
     "outputPermutation=?o}",
     multiply_scale},
    {"key_div",
     "@attention(?q, div(?k, ?s:constant), ?v, mask=?m:optional) {scale=?c, queryPermutation=?a, keyPermutation=?b, "
     "valuePermutation=?d, "
     "outputPermutation=?o}",
     "@attention(?q, ?k, ?v, mask=?m:optional) {scale=?f, queryPermutation=?a, keyPermutation=?b, valuePermutation=?d, "
     "outputPermutation=?o}",
     divide_scale},

    // transposes of operands and of the result
    {"query_transpose",
     "@attention(?t=transpose(?x) {permutation=?p}, ?key, ?value, mask=?m:optional) {scale=?c, queryPermutation=?q, "
     "keyPermutation=?b, valuePermutation=?d, outputPermutation=?o}",
     "@attention(?x, ?key, ?value, mask=?m:optional) {scale=?c, queryPermutation=?r, keyPermutation=?b, "
     "valuePermutation=?d, outputPermutation=?o}",
     compose_permutations},
    {"key_transpose",
     "@attention(?query, ?t=transpose(?x) {permutation=?p}, ?value, mask=?m:optional) {scale=?c, queryPermutation=?a, "
     "keyPermutation=?q, valuePermutation=?d, outputPermutation=?o}",
     "@attention(?query, ?x, ?value, mask=?m:optional) {scale=?c, queryPermutation=?a, keyPermutation=?r, "
     "valuePermutation=?d, outputPermutation=?o}",
     compose_permutations},
    {"value_transpose",
     "@attention(?query, ?key, ?t=transpose(?x) {permutation=?p}, mask=?m:optional) {scale=?c, queryPermutation=?a, "
     "keyPermutation=?b, valuePermutation=?q, outputPermutation=?o}",
     "@attention(?query, ?key, ?x, mask=?m:optional) {scale=?c, queryPermutation=?a, keyPermutation=?b, "
     "valuePermutation=?r, outputPermutation=?o}",
     compose_permutations},
    {"output_transpose",
     "transpose(@attention(?query, ?key, ?value, mask=?m:optional) {scale=?c, queryPermutation=?a, keyPermutation=?b, "
     "valuePermutation=?d, outputPermutation=?p}) {permutation=?q}",
     "@attention(?query, ?key, ?value, mask=?m:optional) {scale=?c, queryPermutation=?a, keyPermutation=?b, "
     "valuePermutation=?d, outputPermutation=?r}",
     compose_permutations},
};

}  // namespace

std::span<const Rewrite> attention_rewrites() { return attention_rows; }

}  // namespace webnn::compiler
