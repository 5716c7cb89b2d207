// Draws a digit and lets a model that was compiled with this program say which one it is.
#include <algorithm>
#include <array>
#include <cstdio>
#include <digits.hpp>
#include <span>
#include <webnn/load.hpp>

int main() {
  using digits::inputs::image, digits::outputs::probabilities;

  std::array<float, image::element_count> pixels{};
  constexpr std::size_t width = image::shape[3], height = image::shape[2];
  for (std::size_t y = 3; y < height - 3; ++y)  // a stroke from top to bottom: 1
    for (std::size_t x = width / 2 - 1; x <= width / 2; ++x) pixels[y * width + x] = 1;
  std::array<float, probabilities::element_count> result{};

  try {
    webnn::Context context;
    const webnn::Graph graph = webnn::loadProgram(context, digits::program);
    const webnn::Tensor input = context.createTensor({webnn::DataType::float32, graph.inputs()[0].shape, false, true});
    const webnn::Tensor output =
        context.createTensor({webnn::DataType::float32, graph.outputs()[0].shape, true, false});
    context.writeTensor(input, std::as_bytes(std::span(pixels)));
    context.dispatch(graph, {{image::name, input}}, {{probabilities::name, output}});
    context.readTensor(output, std::as_writable_bytes(std::span(result))).get();
  } catch (const webnn::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  const auto best = std::ranges::max_element(result);
  std::printf("%td with a probability of %.2f\n", best - result.begin(), double(*best));
}
