// Encoders with the normalisation behind each sum (Devlin and others 2018).
#pragma once

#include <cstdint>

#include "models/generate/layers/transformer_layers.hpp"

namespace webnn::models {

struct Encoder {
  std::uint32_t layers, hidden, heads, inner, tokens;
};
inline constexpr double encoder_epsilon = 1e-12;

/// All layers on embeddings that are normalised already. `mask` is added to the scores.
Tensor encoder_layers(Layers& layers, Tensor x, const Tensor& mask, const Encoder& encoder);

}  // namespace webnn::models
