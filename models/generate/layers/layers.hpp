// Layers with random weights, as the architectures are made of: each adds its constants and operators to a graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/writer/graph_writer.hpp"
#include "models/writer/random.hpp"
#include "schema/round_up.hpp"

namespace webnn::models {

/// Zeros before and after the rows, and as many before and after the columns; a single number is for all four sides.
struct Padding {
  constexpr Padding(std::uint32_t everywhere) : begin(everywhere), end(everywhere) {}
  constexpr Padding(std::uint32_t before, std::uint32_t after) : begin(before), end(after) {}
  std::uint32_t begin, end;
};

struct Convolution {
  std::uint32_t channels;  // of the output
  std::uint32_t window = 1;
  std::uint32_t stride = 1;
  Padding padding = 0;
  std::uint32_t groups = 1;
};

/// Height or width after a window has moved over `size` elements.
constexpr std::uint32_t windowed(std::uint32_t size, std::uint32_t window, std::uint32_t stride, Padding padding) {
  return (size + padding.begin + padding.end - window) / stride + 1;
}
/// The padding with which `size` elements become `size` / `stride`, rounded up; an odd one comes after them.
constexpr Padding same_padding(std::uint32_t size, std::uint32_t window, std::uint32_t stride) {
  const std::uint32_t reach = (schema::div_up(size, stride) - 1) * stride + window;
  const std::uint32_t missing = reach > size ? reach - size : 0;
  return {missing / 2, missing - missing / 2};
}
/// The output's shape for an input in nchw.
Shape convolved_shape(const Shape& input, const Convolution& convolution);
/// The options of conv2d.
Options convolution_options(const Convolution& convolution);

class Layers {
 public:
  explicit Layers(GraphWriter& graph, std::uint64_t seed = 1) : graph(graph), random(seed) {}

  GraphWriter& graph;
  Random random;

  std::vector<float> normal_numbers(const Shape& shape, float deviation, float mean = 0);
  Tensor normal(const std::string& name, const Shape& shape, float deviation, float mean = 0) {
    return graph.constant(name, shape, normal_numbers(shape, deviation, mean));
  }

  /// conv2d with He-initialised filters; its bias is left to a normalisation unless `with_bias`. `gain` is the factor
  /// on the mean square, 2 where relu takes half of it away.
  Tensor convolution(const std::string& name, const Tensor& input, const Convolution& convolution, bool with_bias,
                     float gain = 2);
  /// batchNormalization with statistics near 0 and 1. A `scale` below 1 keeps a residual branch small.
  Tensor batch_normalization(const std::string& name, const Tensor& input, float scale = 1, double epsilon = 1e-5);
  /// An operator whose output has the input's shape.
  Tensor unary(const std::string& name, const std::string& op, const Tensor& input,
               const Options& options = Options::object()) {
    return graph.node(name, op, {input}, input.shape, options);
  }
  Tensor add(const std::string& name, const Tensor& a, const Tensor& b) {
    return graph.node(name, "add", {a, b}, a.shape);
  }
  Tensor mul(const std::string& name, const Tensor& a, const Tensor& b) {
    return graph.node(name, "mul", {a, b}, a.shape);
  }
  Tensor concat(const std::string& name, const std::vector<Tensor>& inputs, std::uint32_t axis);
  /// Parts of `sizes` along an axis, named NAME.0, NAME.1 and so on.
  std::vector<Tensor> split(const std::string& name, const Tensor& input, const std::vector<std::uint32_t>& sizes,
                            std::uint32_t axis);
  Tensor max_pool(const std::string& name, const Tensor& input, std::uint32_t window, std::uint32_t stride,
                  std::uint32_t padding);
  /// Average over height and width, which become 1.
  Tensor spatial_average(const std::string& name, const Tensor& input) {
    return graph.node(name, "averagePool2d", {input}, {input.shape[0], input.shape[1], 1, 1});
  }
  /// Average over height and width, then [batch, channels].
  Tensor global_average(const std::string& name, const Tensor& input);
  Tensor reshape(const std::string& name, const Tensor& input, const Shape& shape) {
    return graph.node(name, "reshape", {input}, shape, {{"newShape", shape}});
  }
  Tensor transpose(const std::string& name, const Tensor& input, const std::vector<std::uint32_t>& permutation);
  /// A gemm with bias on [batch, features].
  Tensor dense(const std::string& name, const Tensor& input, std::uint32_t features);
};

}  // namespace webnn::models
