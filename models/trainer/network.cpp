// Forward and backward passes, written for clarity: one image at a time, planes addressed by channel, row and column.
#include "models/trainer/network.hpp"

#include <algorithm>
#include <cmath>

#include "models/trainer/exact_math.hpp"

namespace webnn::models {
namespace {

constexpr std::uint32_t window = 3, taps = window * window;

template <typename Real>
std::vector<Real> pad_planes(const Real* planes, std::uint32_t channels, std::uint32_t size) {
  const std::uint32_t stride = size + 2;
  std::vector<Real> padded(std::size_t{channels} * stride * stride);
  for (std::uint32_t c = 0; c < channels; ++c)
    for (std::uint32_t y = 0; y < size; ++y)
      std::copy_n(planes + (c * size + y) * size, size, padded.data() + (c * stride + y + 1) * stride + 1);
  return padded;
}

/// out[y][x] += weight * in[y + ky][x + kx] over a whole plane.
template <typename Real>
void add_shifted_plane(const Real* padded_plane, std::uint32_t tap, Real weight, std::uint32_t size, Real* out) {
  const std::uint32_t stride = size + 2;
  const Real* in = padded_plane + tap / window * stride + tap % window;
  for (std::uint32_t y = 0; y < size; ++y)
    for (std::uint32_t x = 0; x < size; ++x) out[y * size + x] += weight * in[y * stride + x];
}

template <typename Real>
void max_pool(const ConvolutionStage& stage, StageResult<Real>& result) {
  const std::uint32_t half = stage.pooled_size();
  result.pooled.resize(std::size_t{stage.out_channels} * half * half);
  result.pooled_at.resize(result.pooled.size());
  std::size_t i = 0;
  for (std::uint32_t c = 0; c < stage.out_channels; ++c) {
    for (std::uint32_t y = 0; y < half; ++y) {
      for (std::uint32_t x = 0; x < half; ++x, ++i) {
        const std::uint32_t corner = (c * stage.size + 2 * y) * stage.size + 2 * x;
        std::uint32_t best = corner;
        for (const std::uint32_t at : {corner + 1, corner + stage.size, corner + stage.size + 1})
          if (result.activation[at] > result.activation[best]) best = at;
        result.pooled[i] = result.activation[best];
        result.pooled_at[i] = best;
      }
    }
  }
}

template <typename Real>
StageResult<Real> run_stage(const ConvolutionStage& stage, const std::vector<Real>& input,
                            const std::vector<float>& filter, const std::vector<float>& bias) {
  const std::size_t padded_plane = std::size_t{stage.size + 2} * (stage.size + 2);
  const std::size_t plane = std::size_t{stage.size} * stage.size;
  StageResult<Real> result;
  result.padded_input = pad_planes(input.data(), stage.in_channels, stage.size);
  result.activation.resize(stage.out_channels * plane);
  for (std::uint32_t oc = 0; oc < stage.out_channels; ++oc) {
    Real* out = result.activation.data() + oc * plane;
    std::fill_n(out, plane, Real(bias[oc]));
    for (std::uint32_t ic = 0; ic < stage.in_channels; ++ic)
      for (std::uint32_t tap = 0; tap < taps; ++tap)
        add_shifted_plane(result.padded_input.data() + ic * padded_plane, tap,
                          Real(filter[(oc * stage.in_channels + ic) * taps + tap]), stage.size, out);
    for (std::size_t i = 0; i < plane; ++i) out[i] = std::max(out[i], Real(0));
  }
  max_pool(stage, result);
  return result;
}

template <typename Real>
void softmax(std::array<Real, digit_count>& values) {
  const Real highest = *std::max_element(values.begin(), values.end());
  Real sum = 0;
  for (Real& value : values) sum += (value = Real(exact_exp(double(value - highest))));
  for (Real& value : values) value /= sum;
}

/// The gradients of a stage's filter and bias from `pooled_gradient`; when `input_gradient` is given, that of its input
/// too, with padding.
void stage_backward(const ConvolutionStage& stage, const StageResult<float>& result,
                    const std::vector<float>& pooled_gradient, const std::vector<float>& filter,
                    std::vector<float>& filter_gradient, std::vector<float>& bias_gradient,
                    std::vector<float>* input_gradient) {
  const std::uint32_t size = stage.size, stride = size + 2;
  const std::size_t padded_plane = std::size_t{stride} * stride, plane = std::size_t{size} * size;
  std::vector<float> gradient(result.activation.size());
  for (std::size_t i = 0; i < pooled_gradient.size(); ++i)
    if (result.pooled[i] > 0) gradient[result.pooled_at[i]] = pooled_gradient[i];

  for (std::uint32_t oc = 0; oc < stage.out_channels; ++oc) {
    const float* out = gradient.data() + oc * plane;
    for (std::size_t i = 0; i < plane; ++i) bias_gradient[oc] += out[i];
    for (std::uint32_t ic = 0; ic < stage.in_channels; ++ic) {
      const float* in = result.padded_input.data() + ic * padded_plane;
      const std::size_t first = std::size_t{oc * stage.in_channels + ic} * taps;
      for (std::uint32_t y = 0; y < size; ++y) {
        for (std::uint32_t x = 0; x < size; ++x) {
          const float g = out[y * size + x];
          if (g == 0) continue;  // most are: pooling passes one of four
          const float* corner = in + y * stride + x;
          for (std::uint32_t tap = 0; tap < taps; ++tap)
            filter_gradient[first + tap] += g * corner[tap / window * stride + tap % window];
          if (!input_gradient) continue;
          float* target = input_gradient->data() + ic * padded_plane + y * stride + x;
          for (std::uint32_t tap = 0; tap < taps; ++tap)
            target[tap / window * stride + tap % window] += g * filter[first + tap];
        }
      }
    }
  }
}

/// The inner part of padded planes.
std::vector<float> crop_planes(const std::vector<float>& padded, std::uint32_t channels, std::uint32_t size) {
  std::vector<float> planes(std::size_t{channels} * size * size);
  for (std::uint32_t c = 0; c < channels; ++c)
    for (std::uint32_t y = 0; y < size; ++y)
      std::copy_n(padded.data() + (c * (size + 2) + y + 1) * (size + 2) + 1, size,
                  planes.data() + (c * size + y) * size);
  return planes;
}

}  // namespace

const std::array<ParameterRow, parameter_count>& parameter_table() {
  static const std::array<ParameterRow, parameter_count> table = {{
      {"filter_1", {stage_1.out_channels, stage_1.in_channels, window, window}},
      {"bias_1", {stage_1.out_channels}},
      {"filter_2", {stage_2.out_channels, stage_2.in_channels, window, window}},
      {"bias_2", {stage_2.out_channels}},
      {"dense_weight", {feature_count, digit_count}},
      {"dense_bias", {digit_count}},
  }};
  return table;
}

Parameters zero_parameters() {
  Parameters parameters;
  for (std::size_t i = 0; i < parameter_count; ++i) parameters[i].resize(element_count(parameter_table()[i].shape));
  return parameters;
}

Parameters random_parameters(Random& random) {
  Parameters parameters = zero_parameters();
  const auto fill = [&](ParameterIndex index, std::uint32_t fan_in) {
    const float deviation = std::sqrt(2.0f / float(fan_in));
    for (float& weight : parameters[index]) weight = deviation * random.normal();
  };
  fill(filter_1, stage_1.in_channels * taps);
  fill(filter_2, stage_2.in_channels * taps);
  fill(dense_weight, feature_count);
  return parameters;
}

template <typename Real>
ForwardResult<Real> forward(const Parameters& parameters, const Image& image) {
  ForwardResult<Real> result;
  const std::vector<Real> input(image.begin(), image.end());
  result.stage_1 = run_stage<Real>(stage_1, input, parameters[filter_1], parameters[bias_1]);
  result.stage_2 = run_stage<Real>(stage_2, result.stage_1.pooled, parameters[filter_2], parameters[bias_2]);
  std::copy_n(parameters[dense_bias].begin(), digit_count, result.probabilities.begin());
  for (std::uint32_t i = 0; i < feature_count; ++i)
    for (std::uint32_t k = 0; k < digit_count; ++k)
      result.probabilities[k] += result.stage_2.pooled[i] * Real(parameters[dense_weight][i * digit_count + k]);
  softmax(result.probabilities);
  return result;
}
template ForwardResult<float> forward(const Parameters&, const Image&);
template ForwardResult<double> forward(const Parameters&, const Image&);

void backward(const Parameters& parameters, const ForwardResult<float>& result, std::uint32_t label,
              Parameters& gradients) {
  std::array<float, digit_count> logits = result.probabilities;  // d(cross entropy) / d(logits)
  logits[label] -= 1;
  std::vector<float> features(feature_count);
  for (std::uint32_t i = 0; i < feature_count; ++i) {
    for (std::uint32_t k = 0; k < digit_count; ++k) {
      gradients[dense_weight][i * digit_count + k] += result.stage_2.pooled[i] * logits[k];
      features[i] += parameters[dense_weight][i * digit_count + k] * logits[k];
    }
  }
  for (std::uint32_t k = 0; k < digit_count; ++k) gradients[dense_bias][k] += logits[k];

  std::vector<float> stage_2_input(result.stage_2.padded_input.size());
  stage_backward(stage_2, result.stage_2, features, parameters[filter_2], gradients[filter_2], gradients[bias_2],
                 &stage_2_input);
  stage_backward(stage_1, result.stage_1, crop_planes(stage_2_input, stage_2.in_channels, stage_2.size),
                 parameters[filter_1], gradients[filter_1], gradients[bias_1], nullptr);
}

std::uint32_t best_class(std::span<const float> probabilities) {
  return std::uint32_t(std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin());
}

}  // namespace webnn::models
