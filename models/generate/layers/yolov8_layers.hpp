// The unit of all YOLOv8 networks as exporters write it: the normalisation is folded into the convolution.
#pragma once

#include <string>

#include "models/generate/layers/units.hpp"

namespace webnn::models {

/// Convolution with bias, then silu. `size` is a factor on the result.
inline Tensor silu_unit(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t channels,
                        std::uint32_t window, std::uint32_t stride = 1, float gain = gain_of(Nonlinearity::silu)) {
  const Convolution convolution = {.channels = channels, .window = window, .stride = stride, .padding = window / 2};
  return apply(layers, name, layers.convolution(name, input, convolution, true, gain), Nonlinearity::silu);
}

}  // namespace webnn::models
