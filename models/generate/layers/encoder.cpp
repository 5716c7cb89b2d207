#include "models/generate/layers/encoder.hpp"

namespace webnn::models {
namespace {

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
