#include "models/generate/yolov8_detect.hpp"

#include <numeric>

#include "models/generate/layers/yolov8_layers.hpp"

namespace webnn::models {
namespace {

constexpr std::uint32_t classes = 80, distances = 16, sides = 4, box_width = 64, class_width = 80;

/// Two units and a convolution to `results` channels.
Tensor branch(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t width,
              std::uint32_t results) {
  Tensor x = silu_unit(layers, name + ".conv1", input, width, 3);
  x = silu_unit(layers, name + ".conv2", x, width, 3);
  return layers.convolution(name + ".conv3", x, {results}, true);
}

/// The middles of all places, in steps of their map, and the steps in pixels.
struct Places {
  Tensor middles, steps;
};

Places places_of(GraphWriter& graph, const std::vector<Tensor>& maps, std::uint32_t image_size) {
  std::vector<float> x, y, steps;
  for (const Tensor& map : maps)
    for (std::uint32_t row = 0; row < map.shape[2]; ++row)
      for (std::uint32_t column = 0; column < map.shape[3]; ++column) {
        x.push_back(float(column) + 0.5f);
        y.push_back(float(row) + 0.5f);
        steps.push_back(float(image_size / map.shape[2]));
      }
  const std::uint32_t count = std::uint32_t(steps.size());
  x.insert(x.end(), y.begin(), y.end());
  return {graph.constant("middles.table", {1, 2, count}, x), graph.constant("steps.table", {1, count}, steps)};
}

/// The expected distance to each side: softmax over 16 distances, then a convolution whose filter counts.
Tensor expected_distances(Layers& layers, const Tensor& boxes) {
  const std::uint32_t count = boxes.shape[2];
  Tensor x = layers.reshape("boxes.sides", boxes, {1, sides, distances, count});
  x = layers.transpose("boxes.distances", x, {0, 2, 1, 3});
  x = layers.unary("boxes.softmax", "softmax", x, {{"axis", 1}});
  std::vector<float> numbers(distances);
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  const Tensor filter = layers.graph.constant("distances.filter", {1, distances, 1, 1}, numbers);
  const Convolution convolution = {1};
  x = layers.graph.node("boxes.expected", "conv2d", {x, filter}, convolved_shape(x.shape, convolution),
                        convolution_options(convolution));
  return layers.reshape("boxes.expected.flat", x, {1, sides, count});
}

/// Distances to left, top, right, bottom as middle, width and height.
Tensor boxes_at(Layers& layers, const Places& places, const Tensor& distances_to_sides) {
  const std::vector<Tensor> corners = layers.split("corners", distances_to_sides, {2, 2}, 1);
  const Tensor first = layers.graph.node("corner.first", "sub", {places.middles, corners[0]}, corners[0].shape);
  const Tensor last = layers.add("corner.last", places.middles, corners[1]);
  const Tensor two = layers.graph.filled("two", "float32", {}, 2);
  const Tensor sum = layers.add("corner.sum", first, last);
  const Tensor middle = layers.graph.node("box.middle", "div", {sum, two}, sum.shape);
  const Tensor size = layers.graph.node("box.size", "sub", {last, first}, last.shape);
  return layers.mul("box.pixels", layers.concat("box", {middle, size}, 1), places.steps);
}

}  // namespace

Tensor detect(Layers& layers, const std::vector<Tensor>& maps, std::uint32_t image_size) {
  std::vector<Tensor> flat;
  for (const Tensor& map : maps) {
    const std::string name = "detect" + std::to_string(flat.size() + 1);
    const Tensor box = branch(layers, name + ".box", map, box_width, sides * distances);
    const Tensor kind = branch(layers, name + ".class", map, class_width, classes);
    const Tensor both = layers.concat(name, {box, kind}, 1);
    flat.push_back(layers.reshape(name + ".flat", both, {1, both.shape[1], both.shape[2] * both.shape[3]}));
  }
  const std::vector<Tensor> parts =
      layers.split("detect", layers.concat("detect.all", flat, 2), {sides * distances, classes}, 1);
  const Tensor boxes =
      boxes_at(layers, places_of(layers.graph, maps, image_size), expected_distances(layers, parts[0]));
  return layers.concat("detections", {boxes, layers.unary("probabilities", "sigmoid", parts[1])}, 1);
}

}  // namespace webnn::models
