// MiniLM-L6-v2 (Wang and others 2020; Reimers and Gurevych 2019): from tokens to one vector for the sentence.
#include "models/generate/architectures.hpp"
#include "models/generate/layers/encoder.hpp"

namespace webnn::models {
namespace {

constexpr Encoder encoder = {.layers = 6, .hidden = 384, .heads = 12, .inner = 1536, .tokens = 128};
constexpr std::uint32_t vocabulary = 30522, positions = 512;

/// Rows of a table of `size` embeddings.
Tensor embedding_table(Layers& layers, const std::string& name, std::uint32_t size) {
  return layers.normal(name + ".weight", {size, encoder.hidden}, 0.05f);
}

/// The sum of what token, place and kind of sentence (always the first) say.
Tensor embed(Layers& layers, const Tensor& tokens) {
  GraphWriter& graph = layers.graph;
  const Shape rows{encoder.tokens, encoder.hidden}, one_row{1, encoder.hidden};
  const Shape shape{1, encoder.tokens, encoder.hidden};
  const auto first_rows = [&](const std::string& name, const Tensor& table, const Shape& sizes) {
    return graph.node(name, "slice", {table}, sizes, {{"starts", {0, 0}}, {"sizes", sizes}});
  };
  const Tensor words =
      graph.node("words", "gather", {embedding_table(layers, "words", vocabulary), tokens}, shape, {{"axis", 0}});
  const Tensor kind = first_rows("kinds", embedding_table(layers, "kinds", 2), one_row);
  const Tensor places = first_rows("places", embedding_table(layers, "places", positions), rows);
  return layers.add("embeddings", layers.add("words.kinds", words, kind), places);
}

/// The mean of the tokens that are not hidden; `shown` is 1 or 0.
Tensor mean_of_tokens(Layers& layers, const Tensor& x, const Tensor& shown) {
  GraphWriter& graph = layers.graph;
  const Shape row{1, encoder.hidden}, one{1, 1};
  const Tensor column = layers.reshape("shown.column", shown, {1, encoder.tokens, 1});
  const Tensor kept = layers.mul("kept", x, column);
  const Tensor sum = graph.node("kept.sum", "reduceSum", {kept}, row, {{"axes", {1}}, {"keepDimensions", false}});
  const Tensor count = graph.node("shown.sum", "reduceSum", {column}, one, {{"axes", {1}}, {"keepDimensions", false}});
  const Tensor positive = layers.unary("shown.count", "clamp", count, {{"minValue", 1e-9}});
  return graph.node("mean", "div", {sum, positive}, row);
}

/// Divided by the length.
Tensor unit_vector(Layers& layers, const Tensor& x) {
  GraphWriter& graph = layers.graph;
  const Tensor length = graph.node("length", "reduceL2", {x}, {1, 1}, {{"axes", {1}}, {"keepDimensions", true}});
  const Tensor positive = layers.unary("length.positive", "clamp", length, {{"minValue", 1e-12}});
  return graph.node("sentence", "div", {x, positive}, x.shape);
}

}  // namespace

void write_minilm_l6(GraphWriter& graph) {
  Layers layers(graph);
  const Tensor tokens = graph.input("tokens", {1, encoder.tokens}, "int32");
  const Tensor attention = graph.input("attention", {1, encoder.tokens}, "int32");  // 0 hides a token
  const Tensor zero = graph.filled("zero", "int32", {}, 0);
  const Tensor least = graph.filled("least", "float32", {}, -3.4028234663852886e38);
  const Tensor none = graph.filled("none", "float32", {}, 0);
  const Tensor one = graph.filled("one", "float32", {}, 1);
  const Tensor hides = graph.node("hides", "equal", {attention, zero}, attention.shape);
  const Tensor shown = graph.node("shown", "where", {hides, none, one}, attention.shape);
  const Tensor mask = layers.reshape("mask", graph.node("mask.row", "where", {hides, least, none}, attention.shape),
                                     {1, 1, 1, encoder.tokens});
  Tensor x = layer_normalization(layers, "embeddings.norm", embed(layers, tokens), encoder_epsilon);
  x = encoder_layers(layers, x, mask, encoder);
  graph.output("sentence", unit_vector(layers, mean_of_tokens(layers, x, shown)).name);
}

}  // namespace webnn::models
