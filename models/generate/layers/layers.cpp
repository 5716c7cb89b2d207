#include "models/generate/layers/layers.hpp"

#include <cmath>

namespace webnn::models {

Shape convolved_shape(const Shape& input, const Convolution& c) {
  return {input[0], c.channels, windowed(input[2], c.window, c.stride, c.padding),
          windowed(input[3], c.window, c.stride, c.padding)};
}

Options convolution_options(const Convolution& c) {
  return {{"padding", {c.padding.begin, c.padding.end, c.padding.begin, c.padding.end}},
          {"strides", {c.stride, c.stride}},
          {"dilations", {1, 1}},
          {"groups", c.groups}};
}

std::vector<float> Layers::normal_numbers(const Shape& shape, float deviation, float mean) {
  std::vector<float> numbers(element_count(shape));
  for (float& number : numbers) number = mean + deviation * random.normal();
  return numbers;
}

Tensor Layers::convolution(const std::string& name, const Tensor& input, const Convolution& c, bool with_bias,
                           float gain) {
  const std::uint32_t group_channels = input.shape[1] / c.groups;
  const float fan_in = float(group_channels * c.window * c.window);
  const Tensor filter =
      normal(name + ".filter", {c.channels, group_channels, c.window, c.window}, std::sqrt(gain / fan_in));
  const Shape shape = convolved_shape(input.shape, c);
  if (!with_bias) return graph.node(name, "conv2d", {input, filter}, shape, convolution_options(c));
  const Tensor bias = normal(name + ".bias", {c.channels}, 0.1f);
  return graph.node(name, "conv2d", {input, filter, bias}, shape, convolution_options(c));
}

Tensor Layers::batch_normalization(const std::string& name, const Tensor& input, float scale, double epsilon) {
  const Shape channels{input.shape[1]};
  const Tensor mean = normal(name + ".mean", channels, 0.1f);
  const Tensor variance = normal(name + ".variance", channels, 0.1f, 1);
  const Tensor gamma = normal(name + ".scale", channels, 0.1f * scale, scale);
  const Tensor beta = normal(name + ".bias", channels, 0.1f);
  return graph.node(name, "batchNormalization", {input, mean, variance}, input.shape,
                    {{"scale", gamma.name}, {"bias", beta.name}, {"axis", 1}, {"epsilon", epsilon}});
}

Tensor Layers::concat(const std::string& name, const std::vector<Tensor>& inputs, std::uint32_t axis) {
  Shape shape = inputs[0].shape;
  shape[axis] = 0;
  for (const Tensor& input : inputs) shape[axis] += input.shape[axis];
  return graph.node(name, "concat", inputs, shape, {{"axis", axis}});
}

std::vector<Tensor> Layers::split(const std::string& name, const Tensor& input, const std::vector<std::uint32_t>& sizes,
                                  std::uint32_t axis) {
  std::vector<Tensor> parts;
  std::vector<std::string> names;
  for (const std::uint32_t size : sizes) {
    parts.push_back({name + "." + std::to_string(parts.size()), input.shape});
    parts.back().shape[axis] = size;
    names.push_back(parts.back().name);
  }
  graph.multi_output_node(name, "split", {input}, names, {{"splits", sizes}, {"axis", axis}});
  return parts;
}

Tensor Layers::max_pool(const std::string& name, const Tensor& input, std::uint32_t window, std::uint32_t stride,
                        std::uint32_t padding) {
  const Shape shape{input.shape[0], input.shape[1], windowed(input.shape[2], window, stride, padding),
                    windowed(input.shape[3], window, stride, padding)};
  return graph.node(name, "maxPool2d", {input}, shape,
                    {{"windowDimensions", {window, window}},
                     {"padding", {padding, padding, padding, padding}},
                     {"strides", {stride, stride}}});
}

Tensor Layers::global_average(const std::string& name, const Tensor& input) {
  return reshape(name + ".flat", spatial_average(name, input), {input.shape[0], input.shape[1]});
}

Tensor Layers::transpose(const std::string& name, const Tensor& input, const std::vector<std::uint32_t>& permutation) {
  Shape shape;
  for (const std::uint32_t axis : permutation) shape.push_back(input.shape[axis]);
  return graph.node(name, "transpose", {input}, shape, {{"permutation", permutation}});
}

Tensor Layers::dense(const std::string& name, const Tensor& input, std::uint32_t features) {
  const std::uint32_t inputs = input.shape[1];
  const Tensor weight = normal(name + ".weight", {inputs, features}, std::sqrt(1 / float(inputs)));
  const Tensor bias = normal(name + ".bias", {features}, 0.1f);
  return graph.node(name, "gemm", {input, weight}, {input.shape[0], features}, {{"c", bias.name}});
}

}  // namespace webnn::models
