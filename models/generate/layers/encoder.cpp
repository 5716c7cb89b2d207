#include "models/generate/layers/encoder.hpp"

namespace webnn::models {
namespace {

/// Rows of a table of `size` embeddings.
Tensor embedding_table(Layers& layers, const std::string& name, std::uint32_t size, const Encoder& encoder) {
  return layers.normal(name + ".weight", {size, encoder.hidden}, 0.05f);
}

Tensor attention(Layers& layers, const std::string& name, const Tensor& input, const Tensor& mask,
                 const Encoder& encoder) {
  const Tensor query = heads_of(layers, name + ".query", input, encoder.hidden, encoder.heads);
  // already transposed for the product
  const Tensor key = heads_of(layers, name + ".key", input, encoder.hidden, encoder.heads, {0, 2, 3, 1});
  const Tensor value = heads_of(layers, name + ".value", input, encoder.hidden, encoder.heads);
  const Tensor scores = scale_for(layers, name, score(layers, name, query, key), query.shape[3]);
  const Tensor mixed = mix(layers, name, layers.add(name + ".masked", scores, mask), value);
  return linear(layers, name + ".output", mixed, encoder.hidden);
}

}  // namespace

Tensor embeddings(Layers& layers, const Tensor& tokens, const Encoder& encoder, const Vocabulary& vocabulary) {
  GraphWriter& graph = layers.graph;
  const Shape rows{encoder.tokens, encoder.hidden}, one_row{1, encoder.hidden};
  const Shape shape{1, encoder.tokens, encoder.hidden};
  const auto first_rows = [&](const std::string& name, std::uint32_t size, const Shape& sizes) {
    const Tensor table = embedding_table(layers, name, size, encoder);
    return graph.node(name, "slice", {table}, sizes, {{"starts", {0, 0}}, {"sizes", sizes}});
  };
  const Tensor table = embedding_table(layers, "words", vocabulary.words, encoder);
  const Tensor words = graph.node("words", "gather", {table, tokens}, shape, {{"axis", 0}});
  const Tensor kind = first_rows("kinds", 2, one_row);
  const Tensor places = first_rows("places", vocabulary.positions, rows);
  const Tensor sum = layers.add("embeddings", layers.add("words.kinds", words, kind), places);
  return layer_normalization(layers, "embeddings.norm", sum, encoder_epsilon);
}

Tensor score_mask(Layers& layers, const Tensor& hides) {
  GraphWriter& graph = layers.graph;
  const Tensor least = graph.filled("least", "float32", {}, -3.4028234663852886e38);
  const Tensor none = graph.filled("none", "float32", {}, 0);
  return layers.reshape("mask", graph.node("mask.row", "where", {hides, least, none}, hides.shape),
                        {1, 1, 1, hides.shape[1]});
}

Tensor encoder_layers(Layers& layers, Tensor x, const Tensor& mask, const Encoder& encoder) {
  for (std::uint32_t i = 1; i <= encoder.layers; ++i) {
    const std::string name = "layer" + std::to_string(i);
    const Tensor attended = attention(layers, name + ".attention", x, mask, encoder);
    const Tensor sum = layers.add(name + ".attention.add", attended, x);
    x = layer_normalization(layers, name + ".attention.norm", sum, encoder_epsilon);
    const Tensor fed = gelu_feed_forward(layers, name + ".feed", x, encoder.inner);
    x = layer_normalization(layers, name + ".feed.norm", layers.add(name + ".feed.add", fed, x), encoder_epsilon);
  }
  return x;
}

}  // namespace webnn::models
