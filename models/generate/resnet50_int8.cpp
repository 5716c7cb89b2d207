// ResNet-50 as quantising exporters write it: float operators between quantizeLinear and dequantizeLinear pairs.
//
// Weights are int8 with one scale for each output channel, biases int32 with the scale of the products, activations
// uint8 after relu and int8 elsewhere with one scale each. Normalisation is already folded into the weights.
#include <algorithm>
#include <cmath>

#include "models/generate/architectures.hpp"
#include "models/generate/layers.hpp"

namespace webnn::models {
namespace {

/// A quantised and dequantised activation: `scale` is its step, `deviation` an estimate of its standard deviation
/// before relu, from which the ranges of later layers follow.
struct Activation {
  Tensor tensor;
  float scale, deviation;
};

Tensor dequantize(Layers& layers, const Tensor& quantized, const Tensor& scale, const char* type) {
  const Tensor zero = layers.graph.filled(quantized.name + ".zero", type, scale.shape, 0);
  return layers.graph.node(quantized.name + ".dequantized", "dequantizeLinear", {quantized, scale, zero},
                           quantized.shape);
}

/// Rounds `x` to 8 bits: uint8 when it is never negative. The range is four standard deviations.
Activation quantize(Layers& layers, const Tensor& x, float deviation, bool never_negative) {
  const float step = 4 * deviation / (never_negative ? 255.0f : 127.0f);
  const char* type = never_negative ? "uint8" : "int8";
  const Shape one(x.shape.size(), 1);
  const Tensor scale = layers.graph.filled(x.name + ".scale", "float32", one, double(step));
  const Tensor zero = layers.graph.filled(x.name + ".zero", type, one, 0);
  const Tensor quantized = layers.graph.node(x.name + ".quantized", "quantizeLinear", {x, scale, zero}, x.shape);
  return {dequantize(layers, quantized, scale, type), step, deviation};
}

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

/// conv2d on a quantised input; the result is not quantised yet. `gain` is the factor on the deviation.
Tensor convolution(Layers& layers, const std::string& name, const Activation& input, const Convolution& c,
                   float gain = 1) {
  const std::uint32_t channels = input.tensor.shape[1];
  const float deviation = gain * std::sqrt(2 / float(channels * c.window * c.window));
  std::vector<float> scales;
  const Tensor filter =
      quantized_weight(layers, name + ".filter", {c.channels, channels, c.window, c.window}, 0, deviation, scales);
  const Tensor bias = quantized_bias(layers, name + ".bias", input.scale, scales);
  return layers.graph.node(name, "conv2d", {input.tensor, filter, bias}, convolved_shape(input.tensor.shape, c),
                           convolution_options(c));
}

/// Convolution, relu, quantisation. He initialisation keeps the deviation.
Activation convolution_relu(Layers& layers, const std::string& name, const Activation& input, const Convolution& c) {
  const Tensor x = layers.unary(name + ".relu", "relu", convolution(layers, name, input, c));
  return quantize(layers, x, input.deviation, true);
}

Activation bottleneck(Layers& layers, const std::string& name, const Activation& input, std::uint32_t width,
                      std::uint32_t stride) {
  constexpr float small = 0.3f;
  const std::uint32_t channels = 4 * width;
  Activation x = convolution_relu(layers, name + ".conv1", input, {width});
  x = convolution_relu(layers, name + ".conv2", x, {.channels = width, .window = 3, .stride = stride, .padding = 1});
  const Tensor branch = convolution(layers, name + ".conv3", x, {channels}, small);
  x = quantize(layers, branch, small * x.deviation, false);
  Activation shortcut = input;
  if (input.tensor.shape != x.tensor.shape)
    shortcut =
        quantize(layers, convolution(layers, name + ".shortcut", input, {.channels = channels, .stride = stride}),
                 input.deviation, false);
  const Tensor sum = layers.add(name + ".add", x.tensor, shortcut.tensor);
  const float deviation = std::sqrt(x.deviation * x.deviation + shortcut.deviation * shortcut.deviation);
  return quantize(layers, layers.unary(name + ".relu", "relu", sum), deviation, true);
}

Tensor classifier(Layers& layers, const Activation& input, std::uint32_t classes) {
  const std::uint32_t features = input.tensor.shape[1];
  std::vector<float> scales;
  const Tensor weight =
      quantized_weight(layers, "classifier.weight", {features, classes}, 1, std::sqrt(1 / float(features)), scales);
  const Tensor bias = quantized_bias(layers, "classifier.bias", input.scale, scales);
  return layers.graph.node("classifier", "gemm", {input.tensor, weight}, {1, classes}, {{"c", bias.name}});
}

}  // namespace

void write_resnet50_int8(GraphWriter& graph) {
  Layers layers(graph);
  Activation x = quantize(layers, graph.input("image", {1, 3, 224, 224}), 1, false);
  x.deviation = std::sqrt(2.0f);  // relu has not halved the squares of the input
  x = convolution_relu(layers, "conv1", x, {.channels = 64, .window = 7, .stride = 2, .padding = 3});
  x.tensor = layers.max_pool("pool1", x.tensor, 3, 2, 1);
  x.deviation *= 2;  // the largest of nine
  constexpr std::uint32_t blocks[] = {3, 4, 6, 3};
  for (std::uint32_t stage = 0; stage < 4; ++stage)
    for (std::uint32_t i = 0; i < blocks[stage]; ++i)
      x = bottleneck(layers, "stage" + std::to_string(stage + 1) + ".block" + std::to_string(i + 1), x, 64u << stage,
                     i == 0 && stage != 0 ? 2 : 1);
  const Tensor pooled = layers.global_average("pool", x.tensor);
  graph.output("logits", classifier(layers, quantize(layers, pooled, x.deviation / 2, true), 1000).name);
}

}  // namespace webnn::models
