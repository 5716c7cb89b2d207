// MobileNet version 2 as quantising exporters write it: float operators between quantizeLinear and dequantizeLinear
// pairs. Normalisation is already folded into the weights.
#include <cmath>

#include "models/generate/architectures.hpp"
#include "models/generate/layers/quantized_layers.hpp"
#include "models/generate/mobilenet_v2.hpp"

namespace webnn::models {
namespace {

/// Convolution, relu that stops at 6, quantisation. He initialisation keeps the deviation.
Activation unit(Layers& layers, const std::string& name, const Activation& input, const Convolution& c) {
  const Tensor x = layers.unary(name + ".relu6", "clamp", quantized_convolution(layers, name, input, c),
                                {{"minValue", 0}, {"maxValue", 6}});
  return quantize(layers, x, input.deviation, true, 6);
}

/// What no relu follows: it has twice the squares that a relu would leave.
Activation linear(Activation x) {
  x.deviation *= std::sqrt(2.0f);
  return x;
}

Activation block(Layers& layers, const std::string& name, const Activation& input, const MobileNetStage& stage,
                 std::uint32_t stride) {
  constexpr float keep = 0.7f;
  const std::uint32_t hidden = input.tensor.shape[1] * stage.expansion;
  Activation x = input;
  if (stage.expansion != 1) x = unit(layers, name + ".expand", x, {hidden});
  x = unit(layers, name + ".depthwise", x,
           {.channels = hidden, .window = 3, .stride = stride, .padding = 1, .groups = hidden});
  const Tensor projected = quantized_convolution(layers, name + ".project", x, {stage.channels}, keep);
  x = linear(quantize(layers, projected, keep * x.deviation, false));
  if (x.tensor.shape != input.tensor.shape) return x;
  const float deviation = std::sqrt((x.deviation * x.deviation + input.deviation * input.deviation) / 2);
  return linear(quantize(layers, layers.add(name + ".add", x.tensor, input.tensor), deviation, false));
}

}  // namespace

void write_mobilenet_v2_int8(GraphWriter& graph) {
  Layers layers(graph);
  Activation x = linear(quantize(layers, graph.input("image", {1, 3, 224, 224}), 1, false));
  x = unit(layers, "stem", x, {.channels = 32, .window = 3, .stride = 2, .padding = 1});
  std::uint32_t number = 0;
  for (const MobileNetStage& stage : mobilenet_stages)
    for (std::uint32_t i = 0; i < stage.repeats; ++i)
      x = block(layers, "block" + std::to_string(++number), x, stage, i == 0 ? stage.stride : 1);
  x = unit(layers, "head", x, {1280});
  const Tensor pooled = layers.global_average("pool", x.tensor);
  graph.output("logits", quantized_classifier(layers, quantize(layers, pooled, x.deviation / 2, true), 1000).name);
}

}  // namespace webnn::models
