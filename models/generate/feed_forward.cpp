// The feed-forward layers of a language model for one token: products of matrices whose weights do not fit the caches,
// as float32 and in blocks of 4-bit integers.
#include <cmath>

#include "models/generate/architectures.hpp"
#include "models/generate/layers/layers.hpp"
#include "models/generate/layers/quantized_layers.hpp"

namespace webnn::models {
namespace {

namespace feed_forward {
constexpr std::uint32_t layer_count = 8, hidden = 768, inner = 3072;
}  // namespace feed_forward

Tensor float_product(Layers& layers, const std::string& name, const Tensor& x, std::uint32_t features) {
  const std::uint32_t inputs = x.shape[1];
  const Tensor weight = layers.normal(name + ".weight", {inputs, features}, std::sqrt(1 / float(inputs)));
  return layers.graph.node(name, "matmul", {x, weight}, {x.shape[0], features});
}

void write(GraphWriter& graph, bool is_quantized) {
  Layers layers(graph);
  const auto product = [&](const std::string& name, const Tensor& x, std::uint32_t features) {
    return is_quantized ? block_quantized_product(layers, name, x, features) : float_product(layers, name, x, features);
  };
  Tensor x = graph.input("token", {1, feed_forward::hidden});
  for (std::uint32_t i = 1; i <= feed_forward::layer_count; ++i) {
    const std::string name = "layer" + std::to_string(i);
    const Tensor up = layers.unary(name + ".gelu", "gelu", product(name + ".up", x, feed_forward::inner));
    x = layers.add(name + ".sum", product(name + ".down", up, feed_forward::hidden), x);
  }
  graph.output("hidden", x.name);
}

}  // namespace

void write_feed_forward(GraphWriter& graph) { write(graph, false); }
void write_feed_forward_int4(GraphWriter& graph) { write(graph, true); }

}  // namespace webnn::models
