// SqueezeNet 1.1 (Iandola and others 2016): fire modules, no normalisation.
#include "models/generate/architectures.hpp"
#include "models/generate/layers/layers.hpp"

namespace webnn::models {
namespace {

Tensor convolution_relu(Layers& layers, const std::string& name, const Tensor& input, const Convolution& convolution) {
  return layers.unary(name + ".relu", "relu", layers.convolution(name, input, convolution, true));
}

/// Squeezes to `squeezed` channels and expands to `expanded` by 1x1 and as many by 3x3 filters.
Tensor fire(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t squeezed,
            std::uint32_t expanded) {
  const Tensor squeeze = convolution_relu(layers, name + ".squeeze", input, {squeezed});
  const Tensor narrow = convolution_relu(layers, name + ".expand1x1", squeeze, {expanded});
  const Tensor wide =
      convolution_relu(layers, name + ".expand3x3", squeeze, {.channels = expanded, .window = 3, .padding = 1});
  return layers.graph.node(name, "concat", {narrow, wide},
                           {input.shape[0], 2 * expanded, input.shape[2], input.shape[3]}, {{"axis", 1}});
}

}  // namespace

void write_squeezenet(GraphWriter& graph) {
  Layers layers(graph);
  Tensor x = graph.input("image", {graph.batch(), 3, 224, 224});
  x = convolution_relu(layers, "conv1", x, {.channels = 64, .window = 3, .stride = 2});
  x = layers.max_pool("pool1", x, 3, 2, 0);
  x = fire(layers, "fire2", x, 16, 64);
  x = fire(layers, "fire3", x, 16, 64);
  x = layers.max_pool("pool3", x, 3, 2, 0);
  x = fire(layers, "fire4", x, 32, 128);
  x = fire(layers, "fire5", x, 32, 128);
  x = layers.max_pool("pool5", x, 3, 2, 0);
  x = fire(layers, "fire6", x, 48, 192);
  x = fire(layers, "fire7", x, 48, 192);
  x = fire(layers, "fire8", x, 64, 256);
  x = fire(layers, "fire9", x, 64, 256);
  x = convolution_relu(layers, "conv10", x, {1000});
  x = layers.global_average("pool10", x);
  x = layers.unary("probabilities", "softmax", x, {{"axis", 1}});
  graph.output("probabilities", x.name);
}

}  // namespace webnn::models
