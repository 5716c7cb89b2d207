// Attention as models write it: scaled products of queries and keys, a mask, softmax, a product with the values. As one
// operator it needs no memory for the scores, and reads the heads where the projections have left them.
//
// Legend as in simplify.cpp. The results equal those of the spelled-out operators within a few units in the last place.
#include <algorithm>
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

/// Whether ?s divides something.
bool divides(const Match& match, ValueId s) {
  return std::ranges::any_of(match.nodes(), [&](NodeId id) {
    const Node& node = match.graph().node(id);
    return node.op == "div"_op && node.inputs[1] == s;
  });
}

/// Whether a factor keeps its digits in the scores' type: it is no infinity, no zero and not subnormal there. A product of
/// factors may be all three where each factor is none.
bool is_normal(double factor, DataType type) {
  const bool is_half = type == DataType::float16;
  const double least = is_half ? 0x1p-14 : 0x1p-126, greatest = is_half ? 65504 : 0x1.fffffep127;
  return std::abs(factor) >= least && std::abs(factor) <= greatest;  // false for NaN
}

/// ?f is the scale ?c (1 if there is none yet) times the number ?s, or divided by it. Without ?s there is no ?f.
bool set_scale(Match& match) {
  const ValueId s = match.value("s");
  if (!s.valid()) return true;
  const auto factor = element_of(match, "s");
  if (!factor) return false;
  const double known = match.number("c").value_or(Number(1)).as_double();
  const double scale = divides(match, s) ? known / factor->as_double() : known * factor->as_double();
  if (!is_normal(scale, match.descriptor("s").type)) return false;
  match.set_attribute("f", scale);
  return true;
}

bool is_scaled_attention(Match& match) { return is_attention(match) && set_scale(match); }

#define SCORES "<matmul(?q, ?k) | mul(matmul(?q, ?k), ?s:constant) | div(matmul(?q, ?k), ?s:constant)>"
#define SCALED(x) "<mul(" x ", ?s:constant) | div(" x ", ?s:constant)>"

constexpr Rewrite attention_rows[] = {
    // scores, optionally scaled and masked
    {"attention", "matmul(softmax(<" SCORES " | add(" SCORES ", ?m)>) {axis=?a}, ?v)",
     "@attention(?q, ?k, ?v, mask=?m:optional) {scale=?f, keyPermutation=?t}", is_scaled_attention},

    // scale factors on queries and keys
    {"query_scale",
     "@attention(" SCALED("?q") ", ?k, ?v, mask=?m:optional) {scale=?c, queryPermutation=?a, keyPermutation=?b, "
                                "valuePermutation=?d, outputPermutation=?o}",
     "@attention(?q, ?k, ?v, mask=?m:optional) {scale=?f, queryPermutation=?a, keyPermutation=?b, valuePermutation=?d, "
     "outputPermutation=?o}",
     set_scale},
    {"key_scale",
     "@attention(?q, " SCALED("?k") ", ?v, mask=?m:optional) {scale=?c, queryPermutation=?a, keyPermutation=?b, "
                                    "valuePermutation=?d, outputPermutation=?o}",
     "@attention(?q, ?k, ?v, mask=?m:optional) {scale=?f, queryPermutation=?a, keyPermutation=?b, valuePermutation=?d, "
     "outputPermutation=?o}",
     set_scale},

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

#undef SCORES
#undef SCALED

}  // namespace

std::span<const Rewrite> attention_rewrites() { return attention_rows; }

}  // namespace webnn::compiler
