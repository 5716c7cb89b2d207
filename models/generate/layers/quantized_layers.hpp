// Layers as quantising exporters write them: float operators between quantizeLinear and dequantizeLinear pairs.
//
// Weights are int8 with one scale for each output channel, biases int32 with the scale of the products, activations
// uint8 where they are never negative and int8 elsewhere, with one scale each. Language models have only their weights
// quantised, in blocks.
#pragma once

#include <cstdint>
#include <string>

#include "models/generate/layers/layers.hpp"

namespace webnn::models {

/// A quantised and dequantised activation: `scale` is its step, `deviation` an estimate of its standard deviation
/// before relu, from which the ranges of later layers follow.
struct Activation {
  Tensor tensor;
  float scale, deviation;
};

/// Rounds `x` to 8 bits: uint8 when it is never negative. The range is four standard deviations, but not beyond `most`.
Activation quantize(Layers& layers, const Tensor& x, float deviation, bool never_negative, float most = 1e30f);

/// conv2d on a quantised input; the result is not quantised yet. `gain` is the factor on the deviation.
Tensor quantized_convolution(Layers& layers, const std::string& name, const Activation& input, const Convolution& c,
                             float gain = 1);

/// A gemm with bias on [1, features]; its result stays float.
Tensor quantized_classifier(Layers& layers, const Activation& input, std::uint32_t classes);

/// x W on [.., features], with W in uint4, one scale and zero point for each `block` inputs of an output: written as
/// exporters of language models do, [outputs, blocks, block] and then transposed.
Tensor block_quantized_product(Layers& layers, const std::string& name, const Tensor& x, std::uint32_t features,
                               std::uint32_t block = 32);

}  // namespace webnn::models
