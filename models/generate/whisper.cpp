// The encoder of Whisper tiny (Radford and others 2022): two convolutions along time, then layers with the
// normalisation before each of their parts.
#include <cmath>

#include "models/generate/architectures.hpp"
#include "models/generate/layers/transformer_layers.hpp"

namespace webnn::models {
namespace {

namespace whisper {
constexpr std::uint32_t bands = 80, frames = 3000, hidden = 384, heads = 6, inner = 1536, layer_count = 4;
constexpr double epsilon = 1e-5;
}  // namespace whisper

/// A convolution along time, with gelu: [1, channels, frames, 1], as exporters write one of a single dimension.
Tensor convolution_along_time(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t stride) {
  const std::uint32_t channels = input.shape[1];
  const Tensor filter =
      layers.normal(name + ".filter", {whisper::hidden, channels, 3, 1}, std::sqrt(2.5f / float(3 * channels)));
  const Tensor bias = layers.normal(name + ".bias", {whisper::hidden}, 0.1f);
  const Shape shape{1, whisper::hidden, windowed(input.shape[2], 3, stride, 1), 1};
  const Options options = {{"padding", {1, 1, 0, 0}}, {"strides", {stride, 1}}, {"dilations", {1, 1}}, {"groups", 1}};
  return layers.unary(name + ".gelu", "gelu", layers.graph.node(name, "conv2d", {input, filter, bias}, shape, options));
}

/// The query is divided before the product; keys have no bias.
Tensor attention(Layers& layers, const std::string& name, const Tensor& input) {
  const Tensor projected = linear(layers, name + ".query", input, whisper::hidden);
  const Tensor query =
      split_heads(layers, name + ".query",
                  scale_for(layers, name + ".query", projected, whisper::hidden / whisper::heads), whisper::heads);
  const Tensor key = heads_of(layers, name + ".key", input, whisper::hidden, whisper::heads, {0, 2, 3, 1}, false);
  const Tensor value = heads_of(layers, name + ".value", input, whisper::hidden, whisper::heads);
  return linear(layers, name + ".output", mix(layers, name, score(layers, name, query, key), value), whisper::hidden);
}

}  // namespace

void write_whisper_tiny_encoder(GraphWriter& graph) {
  Layers layers(graph);
  const Tensor mel = graph.input("mel", {1, whisper::bands, whisper::frames});
  Tensor x = layers.reshape("mel.image", mel, {1, whisper::bands, whisper::frames, 1});
  x = convolution_along_time(layers, "conv1", x, 1);
  x = convolution_along_time(layers, "conv2", x, 2);
  const std::uint32_t tokens = x.shape[2];
  x = layers.transpose("tokens", layers.reshape("conv2.flat", x, {1, whisper::hidden, tokens}), {0, 2, 1});
  x = layers.add("embeddings", x, layers.normal("positions.weight", {tokens, whisper::hidden}, 0.5f));
  for (std::uint32_t i = 1; i <= whisper::layer_count; ++i) {
    const std::string name = "layer" + std::to_string(i);
    Tensor normal = layer_normalization(layers, name + ".attention.norm", x, whisper::epsilon);
    x = layers.add(name + ".attention.add", attention(layers, name + ".attention", normal), x);
    normal = layer_normalization(layers, name + ".feed.norm", x, whisper::epsilon);
    x = layers.add(name + ".feed.add", gelu_feed_forward(layers, name + ".feed", normal, whisper::inner), x);
  }
  graph.output("hidden", layer_normalization(layers, "norm", x, whisper::epsilon).name);
}

}  // namespace webnn::models
