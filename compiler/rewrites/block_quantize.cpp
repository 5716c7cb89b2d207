// Matrix products with weights stored as small integers, with a scale and a zero point for each block, as in language
// models: they become products that read the integers directly.
//
// Legend as in quantize.cpp. Weights are constants and have two axes in the product. Float16 scales are behind a cast
// if the product has been widened to float32.
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

/// ?n, the new shape of ?w, only joins neighbouring axes, and each joined axis still consists of equal blocks; ?o is
/// the new shape of ?s. A joined axis qualifies if its leading axes have one scale for each index and its trailing axes
/// share one, because blocks then stay contiguous.
bool joins_axes(Match& match) {
  const Shape &weights = match.descriptor("w").shape, &scale = match.descriptor("s").shape;
  IntegerList result;
  unsigned axis = 0;
  for (const std::int64_t size : match.integers("n")) {
    std::int64_t elements = 1, scales = 1;
    bool is_inside_block = false;  // the axes before end inside a block
    while (axis < weights.rank() && elements < size) {
      if (is_inside_block && scale[axis] != 1) return false;
      is_inside_block = is_inside_block || scale[axis] != weights[axis];
      elements *= weights[axis];
      scales *= scale[axis];
      ++axis;
    }
    if (elements != size) return false;
    result.push_back(scales);
  }
  match.set_attribute("o", std::move(result));
  return true;
}

constexpr Rewrite block_quantize_rows[] = {
    // operators between weights and product move to the weights, or next to the product
    {"reshape", "reshape(?d=dequantizeLinear(?w:constant, ?s:constant, ?z:constant)) {newShape=?n}",
     "dequantizeLinear(reshape(?w) {newShape=?n}, reshape(?s) {newShape=?o}, reshape(?z) {newShape=?o})", joins_axes},
    {"cast_transpose",
     "cast(transpose(?d=dequantizeLinear(?w:constant, ?s:constant, ?z:constant)) {permutation=?p}) {dataType=float32}",
     "transpose(cast(dequantizeLinear(?w, ?s, ?z)) {dataType=float32}) {permutation=?p}"},

    // products
    {"matmul", "matmul(?x, ?d=dequantizeLinear(?w:constant, ?s:constant, ?z:constant))",
     "@blockQuantizedMatmul(?x, ?w, ?s, ?z)"},
    {"matmul_transpose",
     "matmul(?x, ?t=transpose(?d=dequantizeLinear(?w:constant, ?s:constant, ?z:constant)) {permutation=[1, 0]})",
     "@blockQuantizedMatmul(?x, ?w, ?s, ?z) {bTranspose=true}"},
    {"gemm", "gemm(?x, ?d=dequantizeLinear(?w:constant, ?s:constant, ?z:constant)) {bTranspose=?b}",
     "@blockQuantizedMatmul(?x, ?w, ?s, ?z) {bTranspose=?b}"},
    {"gemm_c", "gemm(?x, ?d=dequantizeLinear(?w:constant, ?s:constant, ?z:constant), c=?c) {bTranspose=?b}",
     "add(@blockQuantizedMatmul(?x, ?w, ?s, ?z) {bTranspose=?b}, ?c)"},
    {"matmul_half",
     "matmul(?x, ?f=cast(?d=dequantizeLinear(?w:constant, ?s:constant, ?z:constant)) {dataType=float32})",
     "@blockQuantizedMatmul(?x, ?w, ?s, ?z)"},
    {"matmul_transpose_half",
     "matmul(?x, ?t=transpose(?f=cast(?d=dequantizeLinear(?w:constant, ?s:constant, ?z:constant)) {dataType=float32}) "
     "{permutation=[1, 0]})",
     "@blockQuantizedMatmul(?x, ?w, ?s, ?z) {bTranspose=true}"},
    {"gemm_half",
     "gemm(?x, ?f=cast(?d=dequantizeLinear(?w:constant, ?s:constant, ?z:constant)) {dataType=float32}) {bTranspose=?b}",
     "@blockQuantizedMatmul(?x, ?w, ?s, ?z) {bTranspose=?b}"},
    {"gemm_c_half",
     "gemm(?x, ?f=cast(?d=dequantizeLinear(?w:constant, ?s:constant, ?z:constant)) {dataType=float32}, c=?c) "
     "{bTranspose=?b}",
     "add(@blockQuantizedMatmul(?x, ?w, ?s, ?z) {bTranspose=?b}, ?c)"},
};

}  // namespace

std::span<const Rewrite> block_quantize_rewrites() { return block_quantize_rows; }

}  // namespace webnn::compiler
