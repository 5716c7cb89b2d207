// EfficientNet-lite0 (Tan and Le 2019; lite: without squeeze-and-excite, with relu6), padded as TensorFlow does.
#include "models/generate/architectures.hpp"
#include "models/generate/layers/units.hpp"

namespace webnn::models {
namespace {

/// `repeats` blocks of which the first has `stride`.
struct Stage {
  std::uint32_t repeats, window, stride, expansion, channels;
};
constexpr Stage stages[] = {{1, 3, 1, 1, 16},  {2, 3, 2, 6, 24},  {2, 5, 2, 6, 40}, {3, 3, 2, 6, 80},
                            {3, 5, 1, 6, 112}, {4, 5, 2, 6, 192}, {1, 3, 1, 6, 320}};

}  // namespace

void write_efficientnet_lite0(GraphWriter& graph) {
  constexpr UnitStyle style = {.epsilon = 1e-3, .odd_at_end = true};
  Layers layers(graph);
  Tensor x = graph.input("image", {1, 3, 224, 224});
  x = unit(layers, "stem", x, {.channels = 32, .window = 3, .stride = 2}, Nonlinearity::relu6, style);
  std::uint32_t number = 0;
  for (const Stage& stage : stages)
    for (std::uint32_t i = 0; i < stage.repeats; ++i)
      x = inverted_residual(layers, "block" + std::to_string(++number), x,
                            {.window = stage.window,
                             .hidden = x.shape[1] * stage.expansion,
                             .channels = stage.channels,
                             .stride = i == 0 ? stage.stride : 1},
                            style);
  x = unit(layers, "head", x, {1280}, Nonlinearity::relu6, style);
  x = layers.global_average("pool", x);
  x = layers.dense("classifier", x, 1000);
  graph.output("logits", x.name);
}

}  // namespace webnn::models
