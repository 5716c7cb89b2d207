// A small encoder for tests of programs that run Hugging Face's models: inputs and output are named as its exporters name
// those of BERT (Devlin and others 2018).
#include "models/generate/architectures.hpp"
#include "models/generate/layers/encoder.hpp"

namespace webnn::models {

void write_tiny_bert(GraphWriter& graph) {
  constexpr Encoder encoder = {.layers = 2, .hidden = 64, .heads = 2, .inner = 256, .tokens = 16};
  Layers layers(graph);
  const Tensor tokens = graph.input("input_ids", {1, encoder.tokens}, "int64");
  const Tensor attention = graph.input("attention_mask", {1, encoder.tokens}, "int64");  // 0 hides a token
  const Tensor zero = graph.filled("zero", "int64", {}, 0);
  const Tensor mask = score_mask(layers, graph.node("hides", "equal", {attention, zero}, attention.shape));
  const Tensor x = embeddings(layers, tokens, encoder, {.words = 1000, .positions = encoder.tokens});
  graph.output("last_hidden_state", encoder_layers(layers, x, mask, encoder).name);
}

}  // namespace webnn::models
