// Encoders with the normalisation behind each sum (Devlin and others 2018).
#pragma once

#include <cstdint>

#include "models/generate/layers/transformer_layers.hpp"

namespace webnn::models {

struct Encoder {
  std::uint32_t layers, hidden, heads, inner, tokens;
};
inline constexpr double encoder_epsilon = 1e-12;

/// Rows of the tables of embeddings.
struct Vocabulary {
  std::uint32_t words, positions;
};

/// The sum of what token, place and kind of sentence (always the first) say, normalised; `tokens` are numbers of words,
/// [1, encoder.tokens].
Tensor embeddings(Layers& layers, const Tensor& tokens, const Encoder& encoder, const Vocabulary& vocabulary);

/// What hides tokens when it is added to scores: [1, 1, 1, tokens]. `hides` has 1 for them, [1, tokens].
Tensor score_mask(Layers& layers, const Tensor& hides);

/// All layers on embeddings that are normalised already. `mask` is added to the scores.
Tensor encoder_layers(Layers& layers, Tensor x, const Tensor& mask, const Encoder& encoder);

}  // namespace webnn::models
