// One block of SmolLM2-135M (Allal and others 2025) on 128 tokens, none of which sees later ones: RMS normalisation,
// rotary embedding, attention with fewer keys than queries, a feed-forward part with a gate.
#include <cmath>

#include "models/generate/architectures.hpp"
#include "models/generate/layers/transformer_layers.hpp"
#include "models/generate/layers/units.hpp"

namespace webnn::models {
namespace {

namespace smollm2 {
constexpr std::uint32_t tokens = 128, hidden = 576, heads = 9, key_heads = 3, width = 64, inner = 1536;
constexpr double epsilon = 1e-5, theta = 1e5;
}  // namespace smollm2

/// What a rotation turns pairs of features by, for each position: [1, 1, tokens, width].
struct Rotation {
  Tensor cosine, sine;
};

Rotation rotation_of(Layers& layers, const Tensor& positions) {
  GraphWriter& graph = layers.graph;
  std::vector<float> frequencies(smollm2::width / 2);
  for (std::uint32_t i = 0; i < smollm2::width / 2; ++i)
    frequencies[i] = float(std::pow(smollm2::theta, -2.0 * i / smollm2::width));
  const Tensor table = graph.constant("rotation.table", {smollm2::width / 2}, frequencies);
  Tensor x = layers.unary("rotation.positions", "cast", positions, {{"to", "float32"}});
  x = layers.reshape("rotation.column", x, {1, 1, smollm2::tokens, 1});
  x = graph.node("rotation.half", "mul", {x, table}, {1, 1, smollm2::tokens, smollm2::width / 2});
  x = layers.concat("rotation.angles", {x, x}, 3);
  const Tensor cosine = layers.unary("rotation.cosine", "cos", x);
  return {cosine, layers.unary("rotation.sine", "sin", x)};
}

/// x cos + (-second half of x, first half of x) sin.
Tensor rotate(Layers& layers, const std::string& name, const Tensor& x, const Rotation& rotation) {
  Shape half = x.shape;
  half[3] = smollm2::width / 2;
  const auto half_from = [&](const std::string& part, std::uint32_t start) {
    return layers.graph.node(name + part, "slice", {x}, half, {{"starts", {0u, 0u, 0u, start}}, {"sizes", half}});
  };
  const Tensor first = half_from(".first", 0), second = half_from(".second", smollm2::width / 2);
  const Tensor turned = layers.concat(name + ".turned", {layers.unary(name + ".negative", "neg", second), first}, 3);
  const Tensor kept = layers.mul(name + ".cosine", x, rotation.cosine);
  return layers.add(name + ".rotated", kept, layers.mul(name + ".sine", turned, rotation.sine));
}

/// Each head as many times as queries share it.
Tensor repeat_heads(Layers& layers, const std::string& name, const Tensor& x) {
  const Shape wide{1, smollm2::key_heads, smollm2::heads / smollm2::key_heads, smollm2::tokens, smollm2::width};
  const Tensor single =
      layers.reshape(name + ".single", x, {1, smollm2::key_heads, 1, smollm2::tokens, smollm2::width});
  const Tensor repeated = layers.graph.node(name + ".expanded", "expand", {single}, wide, {{"newShape", wide}});
  return layers.reshape(name + ".repeated", repeated, {1, smollm2::heads, smollm2::tokens, smollm2::width});
}

Tensor attention(Layers& layers, const std::string& name, const Tensor& input, const Rotation& rotation,
                 const Tensor& mask) {
  const auto projected = [&](const std::string& part, std::uint32_t count) {
    return heads_of(layers, name + part, input, count * smollm2::width, count, {0, 2, 1, 3}, false);
  };
  const Tensor query = rotate(layers, name + ".query", projected(".query", smollm2::heads), rotation);
  Tensor key = rotate(layers, name + ".key", projected(".key", smollm2::key_heads), rotation);
  key = layers.transpose(name + ".key.transposed", repeat_heads(layers, name + ".key", key), {0, 1, 3, 2});
  const Tensor value = repeat_heads(layers, name + ".value", projected(".value", smollm2::key_heads));
  const Tensor scores = scale_for(layers, name, score(layers, name, query, key), smollm2::width);
  const Tensor mixed = mix(layers, name, layers.add(name + ".masked", scores, mask), value);
  return linear(layers, name + ".output", mixed, smollm2::hidden, false);
}

Tensor gated_feed_forward(Layers& layers, const std::string& name, const Tensor& input) {
  const Tensor gate = linear(layers, name + ".gate", input, smollm2::inner, false);
  const Tensor open = apply(layers, name + ".gate", gate, Nonlinearity::silu);
  const Tensor up = linear(layers, name + ".up", input, smollm2::inner, false);
  return linear(layers, name + ".down", layers.mul(name + ".gated", open, up), smollm2::hidden, false);
}

}  // namespace

void write_smollm2_block(GraphWriter& graph) {
  Layers layers(graph);
  const Tensor x = graph.input("hidden", {1, smollm2::tokens, smollm2::hidden});
  const Rotation rotation = rotation_of(layers, graph.input("positions", {1, smollm2::tokens}, "int32"));
  const Tensor all = graph.filled("mask.table", "float32", {smollm2::tokens, smollm2::tokens}, -3.4028234663852886e38);
  const Tensor mask = layers.unary("mask", "triangular", all, {{"upper", true}, {"diagonal", 1}});
  const Tensor normal = rms_normalization(layers, "attention.norm", x, smollm2::epsilon);
  const Tensor sum = layers.add("attention.add", x, attention(layers, "attention", normal, rotation, mask));
  const Tensor fed = gated_feed_forward(layers, "feed", rms_normalization(layers, "feed.norm", sum, smollm2::epsilon));
  graph.output("next", layers.add("feed.add", sum, fed).name);
}

}  // namespace webnn::models
