// YOLOv8n (Jocher and others 2023): a detector whose layers are split, concatenated and enlarged.
#include "models/generate/architectures.hpp"
#include "models/generate/layers/yolov8_layers.hpp"
#include "models/generate/yolov8_detect.hpp"

namespace webnn::models {
namespace {

/// Half of the channels goes through `count` pairs of convolutions; all that came up is put together.
Tensor cross_stage(Layers& layers, const std::string& name, const Tensor& input, std::uint32_t channels,
                   std::uint32_t count, bool with_shortcuts) {
  constexpr float small = 1;  // mean squares of branches beside shortcuts
  const std::uint32_t half = channels / 2;
  std::vector<Tensor> parts =
      layers.split(name + ".parts", silu_unit(layers, name + ".conv1", input, channels, 1), {half, half}, 1);
  for (std::uint32_t i = 1; i <= count; ++i) {
    const std::string pair = name + ".pair" + std::to_string(i);
    const Tensor narrow = silu_unit(layers, pair + ".conv1", parts.back(), half, 3);
    const Tensor x = with_shortcuts ? silu_unit(layers, pair + ".conv2", narrow, half, 3, 1, small)
                                    : silu_unit(layers, pair + ".conv2", narrow, half, 3);
    parts.push_back(with_shortcuts ? layers.add(pair + ".add", parts.back(), x) : x);
  }
  return silu_unit(layers, name + ".conv2", layers.concat(name, parts, 1), channels, 1);
}

/// Maxima over growing neighbourhoods, put together.
Tensor pyramid_pooling(Layers& layers, const std::string& name, const Tensor& input) {
  const std::uint32_t channels = input.shape[1];
  std::vector<Tensor> parts = {silu_unit(layers, name + ".conv1", input, channels / 2, 1)};
  for (int i = 1; i <= 3; ++i)
    parts.push_back(layers.max_pool(name + ".pool" + std::to_string(i), parts.back(), 5, 1, 2));
  return silu_unit(layers, name + ".conv2", layers.concat(name, parts, 1), channels, 1);
}

/// Twice as high and wide, with `beside` behind it.
Tensor enlarged_with(Layers& layers, const std::string& name, const Tensor& input, const Tensor& beside) {
  const Shape shape{1, input.shape[1], 2 * input.shape[2], 2 * input.shape[3]};
  const Tensor large = layers.graph.node(name + ".enlarged", "resample2d", {input}, shape,
                                         {{"mode", "nearest-neighbor"}, {"scales", {2, 2}}, {"axes", {2, 3}}});
  return layers.concat(name + ".joined", {large, beside}, 1);
}

void write_yolov8n(GraphWriter& graph, std::uint32_t size) {
  Layers layers(graph);
  struct Stage {
    std::uint32_t channels, pairs;
  };
  constexpr Stage stages[] = {{32, 1}, {64, 2}, {128, 2}, {256, 1}};
  Tensor x = silu_unit(layers, "stem", graph.input("image", {1, 3, size, size}), 16, 3, 2);
  std::vector<Tensor> maps;
  for (const Stage& stage : stages) {
    const std::string name = "stage" + std::to_string(maps.size() + 1);
    x = silu_unit(layers, name + ".conv", x, stage.channels, 3, 2);
    x = cross_stage(layers, name, x, stage.channels, stage.pairs, true);
    maps.push_back(x);
  }
  const Tensor coarse = pyramid_pooling(layers, "pooling", x);
  const Tensor middle = cross_stage(layers, "up1", enlarged_with(layers, "up1", coarse, maps[2]), 128, 1, false);
  const Tensor fine = cross_stage(layers, "up2", enlarged_with(layers, "up2", middle, maps[1]), 64, 1, false);
  const auto shrunk_with = [&](const std::string& name, const Tensor& input, const Tensor& beside) {
    const Tensor small = silu_unit(layers, name + ".conv", input, input.shape[1], 3, 2);
    return cross_stage(layers, name, layers.concat(name + ".joined", {small, beside}, 1), beside.shape[1], 1, false);
  };
  const Tensor next = shrunk_with("down1", fine, middle);
  const Tensor last = shrunk_with("down2", next, coarse);
  graph.output("detections", detect(layers, {fine, next, last}, size).name);
}

}  // namespace

void write_yolov8n_320(GraphWriter& graph) { write_yolov8n(graph, 320); }
void write_yolov8n_640(GraphWriter& graph) { write_yolov8n(graph, 640); }

}  // namespace webnn::models
