#include "models/generate/layers/quantized_layers.hpp"

#include <algorithm>
#include <cmath>

namespace webnn::models {
namespace {

Tensor dequantize(Layers& layers, const Tensor& quantized, const Tensor& scale, const char* type) {
  const Tensor zero = layers.graph.filled(quantized.name + ".zero", type, scale.shape, 0);
  return layers.graph.node(quantized.name + ".dequantized", "dequantizeLinear", {quantized, scale, zero},
                           quantized.shape);
}

}  // namespace

Activation quantize(Layers& layers, const Tensor& x, float deviation, bool never_negative, float most) {
  const float step = std::min(4 * deviation, most) / (never_negative ? 255.0f : 127.0f);
  const char* type = never_negative ? "uint8" : "int8";
  const Shape one(x.shape.size(), 1);
  const Tensor scale = layers.graph.filled(x.name + ".scale", "float32", one, double(step));
  const Tensor zero = layers.graph.filled(x.name + ".zero", type, one, 0);
  const Tensor quantized = layers.graph.node(x.name + ".quantized", "quantizeLinear", {x, scale, zero}, x.shape);
  return {dequantize(layers, quantized, scale, type), step, deviation};
}

namespace {

/// An int8 weight, dequantised by one scale for each of its outputs. `scales` receives them.
Tensor quantized_weight(Layers& layers, const std::string& name, const Shape& shape, std::size_t output_axis,
                        float deviation, std::vector<float>& scales) {
  const std::vector<float> numbers = layers.normal_numbers(shape, deviation);
  std::size_t inner = 1;  // elements between two neighbours on the output axis
  for (std::size_t axis = output_axis + 1; axis < shape.size(); ++axis) inner *= shape[axis];
  const auto output_of = [&](std::size_t i) { return i / inner % shape[output_axis]; };

  scales.assign(shape[output_axis], 0);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    scales[output_of(i)] = std::max(scales[output_of(i)], std::fabs(numbers[i]) / 127);
  std::vector<std::int8_t> bytes(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    bytes[i] = std::int8_t(std::nearbyint(numbers[i] / scales[output_of(i)]));

  Shape scale_shape(shape.size(), 1);
  scale_shape[output_axis] = shape[output_axis];
  const Tensor quantized = layers.graph.constant(name, shape, bytes);
  return dequantize(layers, quantized, layers.graph.constant(name + ".scale", scale_shape, scales), "int8");
}

/// An int32 bias whose step is the product of the input's and the weight's.
Tensor quantized_bias(Layers& layers, const std::string& name, float input_scale, std::vector<float> scales) {
  const Shape shape{std::uint32_t(scales.size())};
  std::vector<std::int32_t> integers(scales.size());
  for (std::size_t i = 0; i < scales.size(); ++i) {
    scales[i] *= input_scale;
    integers[i] = std::int32_t(std::nearbyint(0.1f * layers.random.normal() / scales[i]));
  }
  const Tensor quantized = layers.graph.constant(name, shape, integers);
  return dequantize(layers, quantized, layers.graph.constant(name + ".scale", shape, scales), "int32");
}

}  // namespace

Tensor quantized_convolution(Layers& layers, const std::string& name, const Activation& input, const Convolution& c,
                             float gain) {
  const std::uint32_t channels = input.tensor.shape[1] / c.groups;  // that each output channel sees
  const float deviation = gain * std::sqrt(2 / float(channels * c.window * c.window));
  std::vector<float> scales;
  const Tensor filter =
      quantized_weight(layers, name + ".filter", {c.channels, channels, c.window, c.window}, 0, deviation, scales);
  const Tensor bias = quantized_bias(layers, name + ".bias", input.scale, scales);
  return layers.graph.node(name, "conv2d", {input.tensor, filter, bias}, convolved_shape(input.tensor.shape, c),
                           convolution_options(c));
}

Tensor quantized_classifier(Layers& layers, const Activation& input, std::uint32_t classes) {
  const std::uint32_t features = input.tensor.shape[1];
  std::vector<float> scales;
  const Tensor weight =
      quantized_weight(layers, "classifier.weight", {features, classes}, 1, std::sqrt(1 / float(features)), scales);
  const Tensor bias = quantized_bias(layers, "classifier.bias", input.scale, scales);
  return layers.graph.node("classifier", "gemm", {input.tensor, weight}, {1, classes}, {{"c", bias.name}});
}

Tensor block_quantized_product(Layers& layers, const std::string& name, const Tensor& x, std::uint32_t features,
                               std::uint32_t block) {
  const std::uint32_t inputs = x.shape.back(), blocks = inputs / block;
  const Shape shape{features, blocks, block}, of_blocks{features, blocks, 1};
  const std::vector<float> numbers = layers.normal_numbers(shape, std::sqrt(1 / float(inputs)));
  std::vector<float> scales(element_count(of_blocks));
  std::vector<std::uint8_t> stored(numbers.size());
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const float* const first = numbers.data() + i * block;
    const auto [least, greatest] = std::minmax_element(first, first + block);
    scales[i] = std::max(-*least / 8, *greatest / 7);
    for (std::size_t k = 0; k < block; ++k)
      stored[i * block + k] = std::uint8_t(8 + int(std::nearbyint(first[k] / scales[i])));
  }
  GraphWriter& graph = layers.graph;
  const Tensor weight = graph.four_bit_constant(name + ".weight", shape, stored);
  const Tensor scale = graph.constant(name + ".weight.scale", of_blocks, scales);
  const Tensor zero = graph.filled(name + ".weight.zero", "uint4", of_blocks, 8);
  const Tensor floats = graph.node(name + ".dequantized", "dequantizeLinear", {weight, scale, zero}, shape);
  const Tensor matrix = layers.reshape(name + ".matrix", floats, {features, inputs});
  Shape result = x.shape;
  result.back() = features;
  return graph.node(name, "matmul", {x, layers.transpose(name + ".transposed", matrix, {1, 0})}, result);
}

}  // namespace webnn::models
