// The digit classifier: its parameters, its forward pass and its gradients.
//
//   image [1,1,20,20] -> conv2d 3x3, 8 channels -> relu -> maxPool2d 2x2 -> conv2d 3x3, 16 channels -> relu
//   -> maxPool2d 2x2 -> reshape [1,400] -> gemm -> softmax -> probabilities [1,10]
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/trainer/glyphs.hpp"
#include "models/writer/graph_writer.hpp"

namespace webnn::models {

/// A 3x3 convolution with padding 1, then relu, then 2x2 max pooling.
struct ConvolutionStage {
  std::uint32_t in_channels, out_channels, size;  // size: height and width before pooling
  std::uint32_t pooled_size() const { return size / 2; }
};
constexpr ConvolutionStage stage_1{1, 8, image_size}, stage_2{8, 16, image_size / 2};
constexpr std::uint32_t feature_count = 16 * (image_size / 4) * (image_size / 4);

enum ParameterIndex : std::uint8_t { filter_1, bias_1, filter_2, bias_2, dense_weight, dense_bias, parameter_count };
struct ParameterRow {
  const char* name;
  Shape shape;
};
/// Name and shape of each parameter, by ParameterIndex.
const std::array<ParameterRow, parameter_count>& parameter_table();

/// Elements of each parameter, by ParameterIndex; gradients have the same form.
using Parameters = std::array<std::vector<float>, parameter_count>;
Parameters zero_parameters();
/// He initialisation; biases are zero.
Parameters random_parameters(Random& random);

template <typename Real>
struct StageResult {
  std::vector<Real> padded_input;        // [in_channels, size + 2, size + 2]
  std::vector<Real> activation;          // after relu, [out_channels, size, size]
  std::vector<Real> pooled;              // [out_channels, size / 2, size / 2]
  std::vector<std::uint32_t> pooled_at;  // where in `activation` each pooled element comes from
};

template <typename Real>
struct ForwardResult {
  StageResult<Real> stage_1, stage_2;
  std::array<Real, digit_count> probabilities{};
};

/// Runs the network; `Real` is float for training and double for reference results.
template <typename Real>
ForwardResult<Real> forward(const Parameters& parameters, const Image& image);

/// Adds the gradient of the cross entropy of `label` to `gradients`.
void backward(const Parameters& parameters, const ForwardResult<float>& result, std::uint32_t label,
              Parameters& gradients);

/// The class with the highest probability.
std::uint32_t best_class(std::span<const float> probabilities);

}  // namespace webnn::models
