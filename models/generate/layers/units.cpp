#include "models/generate/layers/units.hpp"

#include <cmath>

namespace webnn::models {
namespace {

Tensor unchanged(Layers&, const std::string&, const Tensor& x) { return x; }
Tensor relu(Layers& layers, const std::string& name, const Tensor& x) {
  return layers.unary(name + ".relu", "relu", x);
}
Tensor relu6(Layers& layers, const std::string& name, const Tensor& x) {
  return layers.unary(name + ".relu6", "clamp", x, {{"minValue", 0}, {"maxValue", 6}});
}
Tensor hard_swish(Layers& layers, const std::string& name, const Tensor& x) {
  return layers.unary(name + ".hardSwish", "hardSwish", x);
}
/// Exporters have no operator for it.
Tensor silu(Layers& layers, const std::string& name, const Tensor& x) {
  return layers.mul(name + ".silu", x, layers.unary(name + ".sigmoid", "sigmoid", x));
}

struct Row {
  Nonlinearity nonlinearity;
  float gain;
  Tensor (*apply)(Layers&, const std::string&, const Tensor&);
};

// hardSwish and silu take a more than relu does: of a variance of 1 about a third is left.
constexpr Row table[] = {{Nonlinearity::none, 2, unchanged},
                         {Nonlinearity::relu, 2, relu},
                         {Nonlinearity::relu6, 2, relu6},
                         {Nonlinearity::hard_swish, 2.9f, hard_swish},
                         {Nonlinearity::silu, 2.9f, silu}};

const Row& row_of(Nonlinearity nonlinearity) { return table[std::size_t(nonlinearity)]; }

/// Each channel's average decides how much of the channel stays.
Tensor squeeze_and_excite(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t squeezed) {
  Tensor x = layers.spatial_average(name + ".pool", input);
  x = layers.unary(name + ".relu", "relu", layers.convolution(name + ".squeeze", x, {squeezed}, true));
  x = layers.convolution(name + ".excite", x, {input.shape[1]}, true);
  x = layers.unary(name + ".gate", "hardSigmoid", x, {{"alpha", 1.0 / 6}, {"beta", 0.5}});
  return layers.mul(name, input, x);
}

}  // namespace

float gain_of(Nonlinearity nonlinearity) { return row_of(nonlinearity).gain; }

Tensor apply(Layers& layers, const std::string& name, const Tensor& input, Nonlinearity nonlinearity) {
  return row_of(nonlinearity).apply(layers, name, input);
}

Tensor unit(Layers& layers, const std::string& name, const Tensor& input, Convolution convolution,
            Nonlinearity nonlinearity, const UnitStyle& style) {
  convolution.padding = style.odd_at_end ? same_padding(input.shape[2], convolution.window, convolution.stride)
                                         : Padding(convolution.window / 2);
  const bool is_linear = nonlinearity == Nonlinearity::none;
  const float scale = is_linear ? style.linear_scale : std::sqrt(gain_of(nonlinearity) / 2);
  const Tensor x = layers.convolution(name, input, convolution, false);
  return apply(layers, name, layers.batch_normalization(name + ".norm", x, scale, style.epsilon), nonlinearity);
}

Tensor inverted_residual(Layers& layers, const std::string& name, const Tensor& input, const InvertedResidual& block,
                         const UnitStyle& style) {
  const std::uint32_t hidden = block.hidden;
  UnitStyle last = style;
  Tensor x = input;
  if (hidden != input.shape[1]) x = unit(layers, name + ".expand", x, {hidden}, block.nonlinearity, style);
  x = unit(layers, name + ".depthwise", x,
           {.channels = hidden, .window = block.window, .stride = block.stride, .groups = hidden}, block.nonlinearity,
           style);
  if (block.squeezed != 0) {
    x = squeeze_and_excite(layers, name + ".squeeze", x, block.squeezed);
    last.linear_scale *= 2;  // about half of everything stayed
  }
  x = unit(layers, name + ".project", x, {block.channels}, Nonlinearity::none, last);
  return x.shape == input.shape ? layers.add(name + ".add", x, input) : x;
}

}  // namespace webnn::models
