// ResNet-50 as quantising exporters write it: float operators between quantizeLinear and dequantizeLinear pairs.
//
// Normalisation is already folded into the weights.
#include <cmath>

#include "models/generate/architectures.hpp"
#include "models/generate/layers/quantized_layers.hpp"

namespace webnn::models {
namespace {

/// Convolution, relu, quantisation. He initialisation keeps the deviation.
Activation convolution_relu(Layers& layers, const std::string& name, const Activation& input, const Convolution& c) {
  const Tensor x = layers.unary(name + ".relu", "relu", quantized_convolution(layers, name, input, c));
  return quantize(layers, x, input.deviation, true);
}

Activation bottleneck(Layers& layers, const std::string& name, const Activation& input, std::uint32_t width,
                      std::uint32_t stride) {
  constexpr float small = 0.3f;
  const std::uint32_t channels = 4 * width;
  Activation x = convolution_relu(layers, name + ".conv1", input, {width});
  x = convolution_relu(layers, name + ".conv2", x, {.channels = width, .window = 3, .stride = stride, .padding = 1});
  const Tensor branch = quantized_convolution(layers, name + ".conv3", x, {channels}, small);
  x = quantize(layers, branch, small * x.deviation, false);
  Activation shortcut = input;
  if (input.tensor.shape != x.tensor.shape)
    shortcut = quantize(
        layers, quantized_convolution(layers, name + ".shortcut", input, {.channels = channels, .stride = stride}),
        input.deviation, false);
  const Tensor sum = layers.add(name + ".add", x.tensor, shortcut.tensor);
  const float deviation = std::sqrt(x.deviation * x.deviation + shortcut.deviation * shortcut.deviation);
  return quantize(layers, layers.unary(name + ".relu", "relu", sum), deviation, true);
}

}  // namespace

void write_resnet50_int8(GraphWriter& graph) {
  Layers layers(graph);
  Activation x = quantize(layers, graph.input("image", {1, 3, 224, 224}), 1, false);
  x.deviation = std::sqrt(2.0f);  // relu has not halved the squares of the input
  x = convolution_relu(layers, "conv1", x, {.channels = 64, .window = 7, .stride = 2, .padding = 3});
  x.tensor = layers.max_pool("pool1", x.tensor, 3, 2, 1);
  x.deviation *= 2;  // the largest of nine
  constexpr std::uint32_t blocks[] = {3, 4, 6, 3};
  for (std::uint32_t stage = 0; stage < 4; ++stage)
    for (std::uint32_t i = 0; i < blocks[stage]; ++i)
      x = bottleneck(layers, "stage" + std::to_string(stage + 1) + ".block" + std::to_string(i + 1), x, 64u << stage,
                     i == 0 && stage != 0 ? 2 : 1);
  const Tensor pooled = layers.global_average("pool", x.tensor);
  graph.output("logits", quantized_classifier(layers, quantize(layers, pooled, x.deviation / 2, true), 1000).name);
}

}  // namespace webnn::models
