// Operators as graphs of their own, for programs that decide after each operator what comes next: conv2d three times,
// each a graph with a single operator, on tensors that stay in the context.
#include <cstdio>
#include <span>
#include <vector>
#include <webnn/webnn.hpp>

namespace {

constexpr webnn::DataType float32 = webnn::DataType::float32;

/// A conv2d with its filter, ready to run on any tensor of its input's shape.
struct Layer {
  webnn::Graph graph;
  webnn::Dimensions result;
};

Layer conv2d(webnn::Context& context, const webnn::Dimensions& shape, const webnn::Tensor& filter) {
  webnn::GraphBuilder builder(context);
  const webnn::Operand input = builder.input("input", float32, shape);
  const webnn::Operand result = builder.conv2d(input, builder.constant(filter), {.padding = {{1, 1, 1, 1}}});
  return {builder.build({{"result", result}}), result.shape()};
}

}  // namespace

int main() {
  webnn::Context context;
  const webnn::Dimensions image_shape = {1, 1, 5, 5}, filter_shape = {1, 1, 3, 3};

  // A blur that preserves sums: every pixel gives 1/16 to each corner, 2/16 to each side, 4/16 to itself.
  std::vector<float> blur = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  for (float& weight : blur) weight /= 16;
  const webnn::Tensor filter = context.createConstantTensor(float32, filter_shape, std::as_bytes(std::span(blur)));

  std::vector<float> pixels(25);
  pixels[12] = 256;  // one bright pixel in the middle
  webnn::Tensor image =
      context.createTensor({.dataType = float32, .shape = image_shape, .readable = true, .writable = true});
  context.writeTensor(image, std::as_bytes(std::span(pixels)));

  const Layer layer = conv2d(context, image_shape, filter);  // built once, used three times
  for (int step = 1; step <= 3; ++step) {
    const webnn::Tensor blurred =
        context.createTensor({.dataType = float32, .shape = layer.result, .readable = true, .writable = true});
    context.dispatch(layer.graph, {{"input", image}}, {{"result", blurred}});
    image = blurred;
  }

  context.readTensor(image, std::as_writable_bytes(std::span(pixels))).get();
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 5; ++x) std::printf("%8.4f", pixels[5 * y + x]);
    std::printf("\n");
  }
}
