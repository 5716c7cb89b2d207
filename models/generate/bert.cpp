// BERT encoders (Devlin and others 2018), from embeddings to the last hidden state, written out in plain operators.
#include <cmath>

#include "models/generate/architectures.hpp"
#include "models/generate/layers.hpp"

namespace webnn::models {
namespace {

struct Encoder {
  std::uint32_t layers, hidden, heads, inner, tokens;
};

/// x W + b on [1, tokens, features].
Tensor linear(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t features) {
  const std::uint32_t inputs = input.shape[2];
  const Shape shape{1, input.shape[1], features};
  const Tensor weight = layers.normal(name + ".weight", {inputs, features}, std::sqrt(1 / float(inputs)));
  const Tensor bias = layers.normal(name + ".bias", {features}, 0.02f);
  return layers.add(name, layers.graph.node(name + ".product", "matmul", {input, weight}, shape), bias);
}

Tensor layer_normalization(Layers& layers, const std::string& name, const Tensor& input) {
  const Shape features{input.shape[2]};
  const Tensor scale = layers.normal(name + ".scale", features, 0.02f, 1);
  const Tensor bias = layers.normal(name + ".bias", features, 0.02f);
  return layers.graph.node(name, "layerNormalization", {input, scale, bias}, input.shape,
                           {{"axes", {2}}, {"epsilon", 1e-12}});
}

/// Several heads attend from every token to every other; `mask` is added to the scores.
Tensor attention(Layers& layers, const std::string& name, const Tensor& input, const Tensor& mask,
                 const Encoder& encoder) {
  const std::uint32_t width = encoder.hidden / encoder.heads;
  const auto heads = [&](const std::string& part, const std::vector<std::uint32_t>& permutation) {
    const Tensor flat = linear(layers, name + "." + part, input, encoder.hidden);
    const Tensor split = layers.reshape(name + "." + part + ".split", flat, {1, encoder.tokens, encoder.heads, width});
    return layers.transpose(name + "." + part + ".heads", split, permutation);
  };
  const Tensor query = heads("query", {0, 2, 1, 3});
  const Tensor key = heads("key", {0, 2, 3, 1});  // already transposed for the product
  const Tensor value = heads("value", {0, 2, 1, 3});

  GraphWriter& graph = layers.graph;
  const Shape square{1, encoder.heads, encoder.tokens, encoder.tokens};
  const Tensor factor = graph.filled(name + ".factor", "float32", {}, 1 / std::sqrt(double(width)));
  Tensor scores = graph.node(name + ".scores", "matmul", {query, key}, square);
  scores = graph.node(name + ".scaled", "mul", {scores, factor}, square);
  scores = layers.add(name + ".masked", scores, mask);
  const Tensor weights = layers.unary(name + ".weights", "softmax", scores, {{"axis", 3}});
  const Tensor mixed = graph.node(name + ".mixed", "matmul", {weights, value}, query.shape);
  const Tensor joined = layers.reshape(name + ".joined", layers.transpose(name + ".tokens", mixed, {0, 2, 1, 3}),
                                       {1, encoder.tokens, encoder.hidden});
  return linear(layers, name + ".output", joined, encoder.hidden);
}

Tensor feed_forward(Layers& layers, const std::string& name, const Tensor& input, const Encoder& encoder) {
  const Tensor inner = layers.unary(name + ".gelu", "gelu", linear(layers, name + ".inner", input, encoder.inner));
  return linear(layers, name + ".output", inner, encoder.hidden);
}

void write_encoder(GraphWriter& graph, const Encoder& encoder) {
  Layers layers(graph);
  const Tensor embeddings = graph.input("embeddings", {1, encoder.tokens, encoder.hidden});
  const Tensor mask = graph.input("mask", {1, 1, 1, encoder.tokens});  // 0, or a large negative number to hide a token
  Tensor x = layer_normalization(layers, "embeddings.norm", embeddings);
  for (std::uint32_t i = 1; i <= encoder.layers; ++i) {
    const std::string name = "layer" + std::to_string(i);
    const Tensor attended = attention(layers, name + ".attention", x, mask, encoder);
    x = layer_normalization(layers, name + ".attention.norm", layers.add(name + ".attention.add", attended, x));
    const Tensor fed = feed_forward(layers, name + ".feed", x, encoder);
    x = layer_normalization(layers, name + ".feed.norm", layers.add(name + ".feed.add", fed, x));
  }
  graph.output("hidden", x.name);
}

}  // namespace

void write_bert_small(GraphWriter& graph) {
  write_encoder(graph, {.layers = 6, .hidden = 384, .heads = 6, .inner = 1536, .tokens = 128});
}

void write_bert_base(GraphWriter& graph) {
  write_encoder(graph, {.layers = 12, .hidden = 768, .heads = 12, .inner = 3072, .tokens = 128});
}

}  // namespace webnn::models
