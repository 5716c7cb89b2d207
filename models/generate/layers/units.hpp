// What modern convolutional networks are made of: units of a convolution, a normalisation and a nonlinearity, and
// inverted residuals, which are made of units.
#pragma once

#include <cstdint>
#include <string>

#include "models/generate/layers/layers.hpp"

namespace webnn::models {

enum class Nonlinearity : std::uint8_t { none, relu, relu6, hard_swish, silu };

/// The factor on the mean square with which a layer before the nonlinearity has to make up for it.
float gain_of(Nonlinearity nonlinearity);
/// Operators named after their function: NAME.relu and so on.
Tensor apply(Layers& layers, const std::string& name, const Tensor& input, Nonlinearity nonlinearity);

/// What all units of a network have in common.
struct UnitStyle {
  double epsilon = 1e-5;      // of the normalisation
  bool odd_at_end = false;    // padding as TensorFlow's: as little as possible, and an odd one below and to the right
  float linear_scale = 0.5f;  // of units without nonlinearity: they end residual branches, which are kept small
};

/// Convolution, batch normalisation, nonlinearity. The padding follows from the window.
Tensor unit(Layers& layers, const std::string& name, const Tensor& input, Convolution convolution,
            Nonlinearity nonlinearity, const UnitStyle& style = {});

/// Expansion to `hidden` channels (unless there are as many), a depthwise convolution, projection to `channels`.
struct InvertedResidual {
  std::uint32_t window, hidden, channels, stride;
  Nonlinearity nonlinearity = Nonlinearity::relu6;
  std::uint32_t squeezed = 0;  // channels between squeeze and excitation; 0 where a block has neither
};
/// Beside a shortcut where the shape stays.
Tensor inverted_residual(Layers& layers, const std::string& name, const Tensor& input, const InvertedResidual& block,
                         const UnitStyle& style = {});

}  // namespace webnn::models
