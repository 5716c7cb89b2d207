// ResNet-50, version 1.5 (He and others 2015; the stride is on the 3x3 convolution).
#include "models/generate/architectures.hpp"
#include "models/generate/layers/layers.hpp"

namespace webnn::models {
namespace {

Tensor unit(Layers& layers, const std::string& name, const Tensor& input, const Convolution& convolution,
            float scale = 1) {
  return layers.batch_normalization(name + ".norm", layers.convolution(name, input, convolution, false), scale);
}

Tensor unit_relu(Layers& layers, const std::string& name, const Tensor& input, const Convolution& convolution) {
  return layers.unary(name + ".relu", "relu", unit(layers, name, input, convolution));
}

/// 1x1, 3x3, 1x1 convolutions beside a shortcut, which is a convolution where the shape changes.
Tensor bottleneck(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t width,
                  std::uint32_t stride) {
  constexpr float small = 0.3f;  // sixteen branches add up
  const std::uint32_t channels = 4 * width;
  Tensor x = unit_relu(layers, name + ".conv1", input, {width});
  x = unit_relu(layers, name + ".conv2", x, {.channels = width, .window = 3, .stride = stride, .padding = 1});
  x = unit(layers, name + ".conv3", x, {channels}, small);
  const Tensor shortcut = input.shape == x.shape
                              ? input
                              : unit(layers, name + ".shortcut", input, {.channels = channels, .stride = stride});
  return layers.unary(name + ".relu", "relu", layers.add(name + ".add", x, shortcut));
}

}  // namespace

void write_resnet50(GraphWriter& graph) {
  Layers layers(graph);
  Tensor x = graph.input("image", {graph.batch(), 3, 224, 224});
  x = unit_relu(layers, "conv1", x, {.channels = 64, .window = 7, .stride = 2, .padding = 3});
  x = layers.max_pool("pool1", x, 3, 2, 1);
  constexpr std::uint32_t blocks[] = {3, 4, 6, 3};
  for (std::uint32_t stage = 0; stage < 4; ++stage)
    for (std::uint32_t i = 0; i < blocks[stage]; ++i)
      x = bottleneck(layers, "stage" + std::to_string(stage + 1) + ".block" + std::to_string(i + 1), x, 64u << stage,
                     i == 0 && stage != 0 ? 2 : 1);
  x = layers.global_average("pool", x);
  x = layers.dense("classifier", x, 1000);
  graph.output("logits", x.name);
}

}  // namespace webnn::models
