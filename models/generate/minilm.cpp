// MiniLM-L6-v2 (Wang and others 2020; Reimers and Gurevych 2019): from tokens to one vector for the sentence.
#include "models/generate/architectures.hpp"
#include "models/generate/layers/encoder.hpp"

namespace webnn::models {
namespace {

constexpr Encoder encoder = {.layers = 6, .hidden = 384, .heads = 12, .inner = 1536, .tokens = 128};

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
  const Tensor nothing = graph.filled("nothing", "float32", {}, 0);
  const Tensor one = graph.filled("one", "float32", {}, 1);
  const Tensor hides = graph.node("hides", "equal", {attention, zero}, attention.shape);
  const Tensor shown = graph.node("shown", "where", {hides, nothing, one}, attention.shape);
  const Tensor mask = score_mask(layers, hides);
  const Tensor x = embeddings(layers, tokens, encoder, {.words = 30522, .positions = 512});
  const Tensor hidden = encoder_layers(layers, x, mask, encoder);
  graph.output("sentence", unit_vector(layers, mean_of_tokens(layers, hidden, shown)).name);
}

}  // namespace webnn::models
