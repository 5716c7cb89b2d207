// MobileNet version 2, width 1.0 (Sandler and others 2018): inverted residuals with depthwise convolutions.
#include "models/generate/mobilenet_v2.hpp"

#include "models/generate/architectures.hpp"
#include "models/generate/layers/units.hpp"

namespace webnn::models {

void write_mobilenet_v2(GraphWriter& graph) {
  Layers layers(graph);
  Tensor x = graph.input("image", {graph.batch(), 3, 224, 224});
  x = unit(layers, "stem", x, {.channels = 32, .window = 3, .stride = 2}, Nonlinearity::relu6);
  std::uint32_t number = 0;
  for (const MobileNetStage& stage : mobilenet_stages)
    for (std::uint32_t i = 0; i < stage.repeats; ++i)
      x = inverted_residual(layers, "block" + std::to_string(++number), x,
                            {.window = 3,
                             .hidden = x.shape[1] * stage.expansion,
                             .channels = stage.channels,
                             .stride = i == 0 ? stage.stride : 1});
  x = unit(layers, "head", x, {1280}, Nonlinearity::relu6);
  x = layers.global_average("pool", x);
  x = layers.dense("classifier", x, 1000);
  graph.output("logits", x.name);
}

}  // namespace webnn::models
