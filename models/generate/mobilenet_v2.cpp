// MobileNet version 2, width 1.0 (Sandler and others 2018): inverted residuals with depthwise convolutions.
#include "models/generate/mobilenet_v2.hpp"

#include "models/generate/architectures.hpp"
#include "models/generate/layers.hpp"

namespace webnn::models {
namespace {

/// Convolution, batch normalisation and, unless it is a block's last one, a relu that stops at 6.
Tensor unit(Layers& layers, const std::string& name, const Tensor& input, const Convolution& convolution,
            bool activated = true) {
  Tensor x = layers.batch_normalization(name + ".norm", layers.convolution(name, input, convolution, false),
                                        activated ? 1 : 0.5f);
  if (!activated) return x;
  return layers.unary(name + ".relu6", "clamp", x, {{"minValue", 0}, {"maxValue", 6}});
}

Tensor block(Layers& layers, const std::string& name, const Tensor& input, const MobileNetStage& stage,
             std::uint32_t stride) {
  const std::uint32_t hidden = input.shape[1] * stage.expansion;
  Tensor x = input;
  if (stage.expansion != 1) x = unit(layers, name + ".expand", x, {hidden});
  x = unit(layers, name + ".depthwise", x,
           {.channels = hidden, .window = 3, .stride = stride, .padding = 1, .groups = hidden});
  x = unit(layers, name + ".project", x, {stage.channels}, false);
  return x.shape == input.shape ? layers.add(name + ".add", x, input) : x;
}

}  // namespace

void write_mobilenet_v2(GraphWriter& graph) {
  Layers layers(graph);
  Tensor x = graph.input("image", {1, 3, 224, 224});
  x = unit(layers, "stem", x, {.channels = 32, .window = 3, .stride = 2, .padding = 1});
  std::uint32_t number = 0;
  for (const MobileNetStage& stage : mobilenet_stages)
    for (std::uint32_t i = 0; i < stage.repeats; ++i)
      x = block(layers, "block" + std::to_string(++number), x, stage, i == 0 ? stage.stride : 1);
  x = unit(layers, "head", x, {1280});
  x = layers.global_average("pool", x);
  x = layers.dense("classifier", x, 1000);
  graph.output("logits", x.name);
}

}  // namespace webnn::models
