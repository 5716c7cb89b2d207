#include "models/generate/layers/transformer_layers.hpp"

#include <cmath>

namespace webnn::models {

Tensor linear(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t features, bool with_bias) {
  const std::uint32_t inputs = input.shape[2];
  const Shape shape{1, input.shape[1], features};
  const Tensor weight = layers.normal(name + ".weight", {inputs, features}, std::sqrt(1 / float(inputs)));
  if (!with_bias) return layers.graph.node(name, "matmul", {input, weight}, shape);
  const Tensor bias = layers.normal(name + ".bias", {features}, 0.02f);
  return layers.add(name, layers.graph.node(name + ".product", "matmul", {input, weight}, shape), bias);
}

Tensor layer_normalization(Layers& layers, const std::string& name, const Tensor& input, double epsilon) {
  const Shape features{input.shape[2]};
  const Tensor scale = layers.normal(name + ".scale", features, 0.02f, 1);
  const Tensor bias = layers.normal(name + ".bias", features, 0.02f);
  return layers.graph.node(name, "layerNormalization", {input, scale, bias}, input.shape,
                           {{"axes", {2}}, {"epsilon", epsilon}});
}

Tensor rms_normalization(Layers& layers, const std::string& name, const Tensor& input, double epsilon) {
  GraphWriter& graph = layers.graph;
  const Shape row{1, input.shape[1], 1};
  const Tensor two = graph.filled(name + ".two", "float32", {}, 2);
  const Tensor least = graph.filled(name + ".epsilon", "float32", {}, epsilon);
  const Tensor squares = graph.node(name + ".squares", "pow", {input, two}, input.shape);
  Tensor x = graph.node(name + ".mean", "reduceMean", {squares}, row, {{"axes", {2}}, {"keepDimensions", true}});
  x = layers.unary(name + ".root", "sqrt", layers.add(name + ".above0", x, least));
  x = layers.mul(name + ".normal", input, layers.unary(name + ".factor", "reciprocal", x));
  return layers.mul(name, x, layers.normal(name + ".scale", {input.shape[2]}, 0.02f, 1));
}

Tensor split_heads(Layers& layers, const std::string& name, const Tensor& flat, std::uint32_t heads,
                   const std::vector<std::uint32_t>& permutation) {
  const std::uint32_t tokens = flat.shape[1], width = flat.shape[2] / heads;
  const Tensor split = layers.reshape(name + ".split", flat, {1, tokens, heads, width});
  return layers.transpose(name + ".heads", split, permutation);
}

Tensor heads_of(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t features,
                std::uint32_t heads, const std::vector<std::uint32_t>& permutation, bool with_bias) {
  return split_heads(layers, name, linear(layers, name, input, features, with_bias), heads, permutation);
}

Tensor score(Layers& layers, const std::string& name, const Tensor& query, const Tensor& key) {
  const Shape shape{1, query.shape[1], query.shape[2], key.shape[3]};
  return layers.graph.node(name + ".scores", "matmul", {query, key}, shape);
}

Tensor scale_for(Layers& layers, const std::string& name, const Tensor& x, std::uint32_t width) {
  const Tensor factor = layers.graph.filled(name + ".factor", "float32", {}, 1 / std::sqrt(double(width)));
  return layers.mul(name + ".scaled", x, factor);
}

Tensor mix(Layers& layers, const std::string& name, const Tensor& scores, const Tensor& value) {
  const std::uint32_t heads = scores.shape[1], tokens = scores.shape[2], width = value.shape[3];
  const Tensor weights = layers.unary(name + ".weights", "softmax", scores, {{"axis", 3}});
  const Tensor mixed = layers.graph.node(name + ".mixed", "matmul", {weights, value}, {1, heads, tokens, width});
  return layers.reshape(name + ".joined", layers.transpose(name + ".tokens", mixed, {0, 2, 1, 3}),
                        {1, tokens, heads * width});
}

Tensor gelu_feed_forward(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t inner) {
  const Tensor wide = layers.unary(name + ".gelu", "gelu", linear(layers, name + ".inner", input, inner));
  return linear(layers, name + ".output", wide, input.shape[2]);
}

}  // namespace webnn::models
