// What transformers are made of, written out in plain operators as exporters do. Values are [1, tokens, features].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/generate/layers/layers.hpp"

namespace webnn::models {

/// x W, and + b unless `with_bias` is false.
Tensor linear(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t features,
              bool with_bias = true);
Tensor layer_normalization(Layers& layers, const std::string& name, const Tensor& input, double epsilon);
/// x / sqrt(mean of squares + epsilon) with a factor for each feature.
Tensor rms_normalization(Layers& layers, const std::string& name, const Tensor& input, double epsilon);

/// As [1, heads, tokens, width], or with another order of these when `permutation` is not {0, 2, 1, 3}.
Tensor split_heads(Layers& layers, const std::string& name, const Tensor& flat, std::uint32_t heads,
                   const std::vector<std::uint32_t>& permutation = {0, 2, 1, 3});
/// A projection of `input` to `features`, split.
Tensor heads_of(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t features,
                std::uint32_t heads, const std::vector<std::uint32_t>& permutation = {0, 2, 1, 3},
                bool with_bias = true);

/// query times key; `key` is transposed, [1, heads, width, tokens].
Tensor score(Layers& layers, const std::string& name, const Tensor& query, const Tensor& key);
/// x divided by the root of a head's width.
Tensor scale_for(Layers& layers, const std::string& name, const Tensor& x, std::uint32_t width);
/// softmax(scores) value, with the heads side by side again.
Tensor mix(Layers& layers, const std::string& name, const Tensor& scores, const Tensor& value);

/// Two projections with gelu between them.
Tensor gelu_feed_forward(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t inner);

}  // namespace webnn::models
