// MobileNet version 3, small (Howard and others 2019): inverted residuals with squeeze-and-excite and hardSwish.
#include <algorithm>

#include "models/generate/architectures.hpp"
#include "models/generate/layers/units.hpp"

namespace webnn::models {
namespace {

constexpr Nonlinearity relu = Nonlinearity::relu, swish = Nonlinearity::hard_swish;

/// A row of the paper's table 2.
struct Block {
  std::uint32_t window, hidden, channels;
  bool squeezes;
  Nonlinearity nonlinearity;
  std::uint32_t stride;
};
constexpr Block blocks[] = {{3, 16, 16, true, relu, 2},   {3, 72, 24, false, relu, 2},  {3, 88, 24, false, relu, 1},
                            {5, 96, 40, true, swish, 2},  {5, 240, 40, true, swish, 1}, {5, 240, 40, true, swish, 1},
                            {5, 120, 48, true, swish, 1}, {5, 144, 48, true, swish, 1}, {5, 288, 96, true, swish, 2},
                            {5, 576, 96, true, swish, 1}, {5, 576, 96, true, swish, 1}};

/// The multiple of 8 that is nearest, but at least 8 and not less than nine tenths.
constexpr std::uint32_t multiple_of_8(std::uint32_t channels) {
  const std::uint32_t nearest = std::max(8u, (channels + 4) / 8 * 8);
  return nearest * 10 < channels * 9 ? nearest + 8 : nearest;
}

}  // namespace

void write_mobilenet_v3_small(GraphWriter& graph) {
  constexpr UnitStyle style = {.epsilon = 1e-3};
  Layers layers(graph);
  Tensor x = graph.input("image", {1, 3, 224, 224});
  x = unit(layers, "stem", x, {.channels = 16, .window = 3, .stride = 2}, swish, style);
  std::uint32_t number = 0;
  for (const Block& block : blocks)
    x = inverted_residual(layers, "block" + std::to_string(++number), x,
                          {.window = block.window,
                           .hidden = block.hidden,
                           .channels = block.channels,
                           .stride = block.stride,
                           .nonlinearity = block.nonlinearity,
                           .squeezed = block.squeezes ? multiple_of_8(block.hidden / 4) : 0},
                          style);
  x = unit(layers, "head", x, {576}, swish, style);
  x = layers.global_average("pool", x);
  x = apply(layers, "features", layers.dense("features", x, 1024), swish);
  x = layers.dense("classifier", x, 1000);
  graph.output("logits", x.name);
}

}  // namespace webnn::models
