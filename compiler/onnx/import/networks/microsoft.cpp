// Operators of com.microsoft, which ONNX Runtime's optimizer makes of several operators of ai.onnx: they are read as
// these were.
#include "compiler/onnx/import/networks/microsoft.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/onnx/import/networks/attention.hpp"
#include "compiler/onnx/import/networks/normalization.hpp"
#include "compiler/onnx/import/networks/window.hpp"
#include "compiler/onnx/import/tensors/parts.hpp"
#include "schema/sentence.hpp"

namespace webnn::compiler {
namespace {

struct FusedActivation {
  std::string_view name, text;
  double alpha = 0, beta = 0;
};

constexpr FusedActivation fused_activations[] = {
    {"Relu", "relu(?x)"},
    {"Sigmoid", "sigmoid(?x)"},
    {"Tanh", "tanh(?x)"},
    {"Elu", "elu(?x) {alpha=?alpha}", 1},
    {"LeakyRelu", "leakyRelu(?x) {alpha=?alpha}", 0.01},
    {"HardSigmoid", "hardSigmoid(?x) {alpha=?alpha, beta=?beta}", 0.2, 0.5},
    {"Clip", "clamp(?x) {minValue=?alpha, maxValue=?beta}", -INFINITY, INFINITY},
    {"Softplus", "softplus(?x)"},
    {"Softsign", "softsign(?x)"},
    {"Gelu", "gelu(?x)"},
    {"QuickGelu", "mul(?x, sigmoid(mul(?x, ?alpha)))", 1.702},
    {"Swish", "mul(?x, sigmoid(?x))"},
    {"HardSwish", "hardSwish(?x)"},
};

}  // namespace

TensorId fused_activation(ImportCall& c, TensorId x, const std::vector<double>& numbers) {
  const std::string name = c.text("activation", "");
  if (name.empty()) return x;
  const auto row = std::ranges::find(fused_activations, name, &FusedActivation::name);
  if (row == std::end(fused_activations)) c.refuse(sentence("its activation '", name, "' is not supported"));
  const double alpha = numbers.empty() ? row->alpha : numbers[0], beta = numbers.size() < 2 ? row->beta : numbers[1];
  return c.expression(row->text, {{{"x", x}, {"alpha", alpha}, {"beta", beta}}});
}

namespace {

void read_fused_conv(ImportCall& c) {
  TensorId y = convolution(c, c.input(0), c.input(1), c.optional(2));
  if (c.has(3)) y = c.make("add"_op, {y, c.input(3)});
  c.finish(fused_activation(c, y, c.reals("activation_params")));
}

/// Channels are last; the filter is as that of Conv.
void read_nhwc_conv(ImportCall& c) {
  if (c.rank(c.input(0)) != 4) c.refuse("its input does not have four dimensions");
  const TensorId x = c.transpose(c.input(0), {0, 3, 1, 2});
  TensorId y = c.transpose(convolution(c, x, c.input(1), c.optional(2)), {0, 2, 3, 1});
  if (c.has(3)) y = c.make("add"_op, {y, c.input(3)});
  c.finish(fused_activation(c, y, c.reals("activation_params")));
}

void read_fused_gemm(ImportCall& c) {
  TensorId bias = c.optional(2);
  const TensorId y = c.make("gemm"_op, {c.input(0), c.input(1), bias},
                            {{"alpha", c.real("alpha", 1)},
                             {"beta", c.real("beta", 1)},
                             {"aTranspose", c.flag("transA")},
                             {"bTranspose", c.flag("transB")}});
  std::vector<double> numbers;
  for (const std::string_view name : {"activation_alpha", "activation_beta"})
    if (c.has_attribute(name)) numbers.push_back(c.real(name));
  c.finish(fused_activation(c, y, numbers));
}

/// `batch`: the first axis is the last but one, and those between them are the batch.
TensorId fused_matmul_operand(ImportCall& c, TensorId x, bool swap, bool batch) {
  const std::int64_t rank = c.rank(x);
  if (rank < 2) return x;  // a vector has no transpose
  std::vector<std::uint32_t> permutation(std::size_t(rank), 0u);
  std::iota(permutation.begin(), permutation.end(), 0u);
  if (batch) std::rotate(permutation.begin(), permutation.begin() + 1, permutation.end() - 1);
  if (swap) std::swap(permutation[std::size_t(rank - 1)], permutation[std::size_t(rank - 2)]);
  return c.transpose(x, permutation);
}

void read_fused_matmul(ImportCall& c) {
  if (c.rank(c.input(0)) < 2 || c.rank(c.input(1)) < 2) c.refuse("its operands are not matrices");
  const TensorId a = fused_matmul_operand(c, c.input(0), c.flag("transA"), c.flag("transBatchA"));
  const TensorId b = fused_matmul_operand(c, c.input(1), c.flag("transB"), c.flag("transBatchB"));
  TensorId y = c.make("matmul"_op, {a, b});
  if (c.real("alpha", 1) != 1) y = c.make("mul"_op, {y, c.scalar_like(y, c.real("alpha"))});
  c.finish(fused_activation(c, y, {}));
}

TensorId sum_with(ImportCall& c, TensorId x, TensorId other) {
  return other.valid() ? c.make("add"_op, {x, other}) : x;
}

/// The approximation by tanh.
void read_fast_gelu(ImportCall& c) {
  const TensorId x = sum_with(c, c.input(0), c.optional(1));
  c.finish(c.expression(
      "mul(mul(?x, 0.5), add(tanh(mul(add(?x, mul(mul(mul(?x, ?x), ?x), 0.044715)), 0.7978845608028654)), 1))",
      {{{"x", x}}}));
}

void read_bias_gelu(ImportCall& c) { c.finish(c.make("gelu"_op, {c.make("add"_op, {c.input(0), c.input(1)})})); }

void read_quick_gelu(ImportCall& c) {
  const TensorId x = c.input(0);
  const double alpha = c.real("alpha", 1.702);
  if (alpha == 1) return c.finish(c.expression("mul(?x, sigmoid(?x))", {{{"x", x}}}));
  c.finish(c.expression("mul(?x, sigmoid(mul(?x, ?alpha)))", {{{"x", x}, {"alpha", alpha}}}));
}

void read_bias_split_gelu(ImportCall& c) {
  const TensorId x = c.make("add"_op, {c.input(0), c.input(1)});
  const std::int64_t last = c.rank(x) - 1, half = last < 0 ? 0 : c.dims(x).back() / 2;
  if (half < 1 || 2 * half != c.dims(x).back()) c.refuse("its input has no two halves");
  const TensorId left = parts::sliced_at(c, x, std::size_t(last), 0, half);
  c.finish(c.make("mul"_op, {left, c.make("gelu"_op, {parts::sliced_at(c, x, std::size_t(last), half, half)})}));
}

std::uint32_t last_axis(ImportCall& c, TensorId x) { return c.axis(-1, c.rank(x)); }

void read_skip_layer_normalization(ImportCall& c) {
  const TensorId sum = sum_with(c, sum_with(c, c.input(0), c.input(1)), c.optional(4));
  if (c.wants(1) || c.wants(2)) c.refuse("its statistics as results are not supported");
  c.finish(3, sum);
  c.finish(layer_normalized(c, sum, last_axis(c, sum), c.real("epsilon", 1e-12), c.input(2), c.optional(3)));
}

void read_simplified_layer_normalization(ImportCall& c) {
  const TensorId x = c.input(0);
  const std::uint32_t axis = c.axis(c.integer("axis", -1), c.rank(x));
  const double epsilon = c.real("epsilon", 1e-5);
  c.finish(c.make("mul"_op, {rms_normalized(c, x, axis, epsilon, OnnxType::float32), c.cast(c.input(1), c.type(x))}));
  if (!c.wants(1)) return;
  const TensorId wide = c.cast(x, OnnxType::float32);
  c.finish(1, inverse_root(c, mean_from(c, c.make("mul"_op, {wide, wide}), axis), epsilon));
}

void read_skip_simplified_layer_normalization(ImportCall& c) {
  const TensorId sum = sum_with(c, sum_with(c, c.input(0), c.input(1)), c.optional(3));
  if (c.wants(1) || c.wants(2)) c.refuse("its statistics as results are not supported");
  c.finish(3, sum);
  const TensorId y = rms_normalized(c, sum, last_axis(c, sum), c.real("epsilon", 1e-12), OnnxType::float32);
  c.finish(c.make("mul"_op, {y, c.input(2)}));
}

/// Over groups of channels, which are last unless the node says otherwise, and then perhaps SiLU.
TensorId group_norm(ImportCall& c, TensorId x) {
  if (c.rank(x) != 4) c.refuse("its input does not have four dimensions");
  const bool last = c.flag("channels_last", true);
  const OnnxType type = c.type(x), wide = c.type(c.input(1));
  TensorId y = c.cast(last ? c.transpose(x, {0, 3, 1, 2}) : x, wide);
  y = group_normalized(c, y, c.integer("groups"), c.real("epsilon", 1e-5), c.input(1), c.input(2));
  if (c.integer("activation") == 1) y = c.expression("mul(?x, sigmoid(?x))", {{{"x", y}}});
  y = c.cast(y, type);
  return last ? c.transpose(y, {0, 2, 3, 1}) : y;
}

void read_group_norm(ImportCall& c) { c.finish(group_norm(c, c.input(0))); }

void read_skip_group_norm(ImportCall& c) {
  const TensorId x = c.input(0);
  if (c.rank(x) != 4) c.refuse("its input does not have four dimensions");
  const bool last = c.flag("channels_last", true);
  const auto added = [&](TensorId sum, TensorId other) {  // [N, C] or [C] too
    if (!other.valid()) return sum;
    const OnnxIntegers dims = c.dims(other);
    const std::int64_t batch = dims.size() == 2 ? dims[0] : 1;
    if (dims.size() == 1 || dims.size() == 2)
      other = c.reshape(other, last ? OnnxIntegers{batch, 1, 1, dims.back()} : OnnxIntegers{batch, dims.back(), 1, 1});
    return c.make("add"_op, {sum, other});
  };
  const TensorId sum = added(added(x, c.input(3)), c.optional(4));
  c.finish(1, sum);
  c.finish(group_norm(c, sum));
}

/// Embeddings of words, positions and segments, normalised.
void read_embed_layer_normalization(ImportCall& c) {
  const TensorId words = c.input(0);
  if (c.rank(words) != 2) c.refuse("its words do not have two dimensions");
  const std::int64_t tokens = c.dims(words)[1];
  const TensorId positions = c.has(8) ? c.input(8) : counting(c, OnnxType::int32, 0, tokens);
  TensorId sum =
      c.make("add"_op, {c.make("gather"_op, {c.input(2), words}), c.make("gather"_op, {c.input(3), positions})});
  if (c.has(1) && c.has(4)) sum = c.make("add"_op, {sum, c.make("gather"_op, {c.input(4), c.input(1)})});
  c.finish(layer_normalized(c, sum, last_axis(c, sum), c.real("epsilon", 1e-12), c.input(5), c.input(6)));
  if (c.wants(1)) {  // the lengths of the sequences
    const TensorId lengths =
        c.has(7) ? c.make("reduceSum"_op, {c.cast(c.input(7), OnnxType::int32)}, {{"axes", OnnxIntegers{1}}})
                 : c.filled(OnnxType::int32, {c.dims(words)[0]}, 0);
    c.finish(1, lengths);
  }
  c.finish(2, sum);
}

void read_bias_add(ImportCall& c) { c.finish(sum_with(c, sum_with(c, c.input(0), c.input(1)), c.optional(2))); }

constexpr std::string_view ms = microsoft_domain;

constexpr OnnxImportRow microsoft_import_rows[] = {
    {.op_type = "Attention", .read = read_microsoft_attention, .domain = ms},
    {.op_type = "BiasAdd", .read = read_bias_add, .domain = ms},
    {.op_type = "BiasGelu", .read = read_bias_gelu, .domain = ms},
    {.op_type = "BiasSplitGelu", .read = read_bias_split_gelu, .domain = ms},
    {.op_type = "EmbedLayerNormalization", .read = read_embed_layer_normalization, .domain = ms},
    {.op_type = "FastGelu", .read = read_fast_gelu, .domain = ms},
    {.op_type = "FusedConv", .read = read_fused_conv, .domain = ms},
    {.op_type = "FusedGemm", .read = read_fused_gemm, .domain = ms},
    {.op_type = "FusedMatMul", .read = read_fused_matmul, .domain = ms},
    {.op_type = "FusedMatMulActivation", .read = read_fused_matmul, .domain = ms},
    {.op_type = "GatherBlockQuantized", .read = read_gather_block_quantized, .domain = ms},
    {.op_type = "Gelu", .text = "gelu(?a)", .domain = ms},
    {.op_type = "GroupNorm", .read = read_group_norm, .domain = ms},
    {.op_type = "GroupQueryAttention", .read = read_group_query_attention, .domain = ms},
    {.op_type = "MatMulNBits", .read = read_matmul_n_bits, .domain = ms},
    {.op_type = "MultiHeadAttention", .read = read_multi_head_attention, .domain = ms},
    {.op_type = "NhwcConv", .read = read_nhwc_conv, .domain = ms},
    {.op_type = "NhwcFusedConv", .read = read_nhwc_conv, .domain = ms},
    {.op_type = "QuickGelu", .read = read_quick_gelu, .domain = ms},
    {.op_type = "RotaryEmbedding", .read = read_microsoft_rotary_embedding, .domain = ms},
    // ONNX Runtime has this one in the domain of ONNX as well.
    {.op_type = "SimplifiedLayerNormalization", .read = read_simplified_layer_normalization},
    {.op_type = "SimplifiedLayerNormalization", .read = read_simplified_layer_normalization, .domain = ms},
    {.op_type = "SkipGroupNorm", .read = read_skip_group_norm, .domain = ms},
    {.op_type = "SkipLayerNormalization", .read = read_skip_layer_normalization, .domain = ms},
    {.op_type = "SkipSimplifiedLayerNormalization", .read = read_skip_simplified_layer_normalization, .domain = ms},
    {.op_type = "TransposeMatMul", .read = read_fused_matmul, .domain = ms},
};

}  // namespace

std::span<const OnnxImportRow> import_microsoft_rows() { return microsoft_import_rows; }

}  // namespace webnn::compiler
