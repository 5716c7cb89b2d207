// Layers with random weights, as the architectures are made of: each adds its constants and operators to a graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/writer/graph_writer.hpp"
#include "models/writer/random.hpp"

namespace webnn::models {

struct Convolution {
  std::uint32_t channels;  // of the output
  std::uint32_t window = 1;
  std::uint32_t stride = 1;
  std::uint32_t padding = 0;  // on all four sides
  std::uint32_t groups = 1;
};

/// Height or width after a window has moved over `size` elements.
constexpr std::uint32_t windowed(std::uint32_t size, std::uint32_t window, std::uint32_t stride,
                                 std::uint32_t padding) {
  return (size + 2 * padding - window) / stride + 1;
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

  /// conv2d with He-initialised filters; its bias is left to a normalisation unless `with_bias`.
  Tensor convolution(const std::string& name, const Tensor& input, const Convolution& convolution, bool with_bias);
  /// batchNormalization with statistics near 0 and 1. A `scale` below 1 keeps a residual branch small.
  Tensor batch_normalization(const std::string& name, const Tensor& input, float scale = 1);
  /// An operator whose output has the input's shape.
  Tensor unary(const std::string& name, const std::string& op, const Tensor& input,
               const Options& options = Options::object()) {
    return graph.node(name, op, {input}, input.shape, options);
  }
  Tensor add(const std::string& name, const Tensor& a, const Tensor& b) {
    return graph.node(name, "add", {a, b}, a.shape);
  }
  Tensor max_pool(const std::string& name, const Tensor& input, std::uint32_t window, std::uint32_t stride,
                  std::uint32_t padding);
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
