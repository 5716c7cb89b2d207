// BERT encoders (Devlin and others 2018), from embeddings to the last hidden state.
#include "models/generate/architectures.hpp"
#include "models/generate/layers/encoder.hpp"

namespace webnn::models {
namespace {

void write_encoder(GraphWriter& graph, const Encoder& encoder) {
  Layers layers(graph);
  const Tensor embeddings = graph.input("embeddings", {1, encoder.tokens, encoder.hidden});
  const Tensor mask = graph.input("mask", {1, 1, 1, encoder.tokens});  // 0, or a large negative number to hide a token
  const Tensor x = layer_normalization(layers, "embeddings.norm", embeddings, encoder_epsilon);
  graph.output("hidden", encoder_layers(layers, x, mask, encoder).name);
}

}  // namespace

void write_bert_small(GraphWriter& graph) {
  write_encoder(graph, {.layers = 6, .hidden = 384, .heads = 6, .inner = 1536, .tokens = 128});
}

void write_bert_base(GraphWriter& graph) {
  write_encoder(graph, {.layers = 12, .hidden = 768, .heads = 12, .inner = 3072, .tokens = 128});
}

}  // namespace webnn::models
