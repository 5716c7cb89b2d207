// Forms of calls that sum products: convolutions, windows, contractions and recurrent networks.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tests/harness/random/call_generator.hpp"

namespace webnn::tests {

void CallGenerator::convolution() {
  const bool transposed = op().name == "convTranspose2d";
  if (!transposed && chance(3)) return convolution_of_full_vectors();
  if (!transposed && chance(8)) return convolution_of_few_positions();
  const std::uint32_t groups = chance(3) ? 1 + below(6) : 1;
  const bool depthwise = chance(4);
  const std::uint32_t group_in = depthwise ? 1 : size(70);
  const std::uint32_t group_out = depthwise ? 1 : size(70);
  const std::uint32_t group_count = depthwise ? size(70) : groups;
  const std::uint32_t height = 1 + below(14), width = 1 + below(14);
  const std::uint32_t kernel_height = 1 + below(5), kernel_width = depthwise ? kernel_height | 1u : 1 + below(5);
  filter_and_bias({1 + below(2), group_count * group_in, height, width},
                  transposed ? Sizes{group_count * group_in, group_out, kernel_height, kernel_width}
                             : Sizes{group_count * group_out, group_in, kernel_height, kernel_width},
                  group_count * group_out);
  set("groups", std::int64_t(group_count));
  if (transposed && chance(3)) return set_list("strides", {kernel_height, kernel_width});  // windows side by side
  if (chance(2)) set_list("padding", {below(3), below(3), below(3), below(3)});
  if (chance(2)) set_list("strides", {1 + below(3), 1 + below(3)});
  if (chance(4)) set_list("dilations", {1 + below(2), 1 + below(2)});
  if (transposed && chance(3)) set_list("outputPadding", {below(2), below(2)});
}

void CallGenerator::filter_and_bias(const Sizes& input, const Sizes& filter, std::uint32_t output_channels) {
  const bool quantized = op().name == "@quantizedConv2d";
  operand(input);
  operand(filter, quantized ? DataType::int8 : type());
  if (!quantized) return maybe({output_channels});
  chance(3) ? absent() : operand({output_channels}, DataType::float32);
  operand({output_channels}, DataType::float32);
  const double input_scale = quantization_of("input");
  // Mostly no finer than the sums, as in real networks.
  quantization_of("output", chance(3) ? input_scale / 4 : 8 * input_scale);
  draw("dataType");
}

void CallGenerator::convolution_of_full_vectors() {
  const std::uint32_t channels = 16 * (1 + below(5)), outputs = 16 * (1 + below(5)), window = chance(4) ? 1 : 3;
  filter_and_bias({1 + below(2), channels, 4 + below(14), 4 + below(14)}, {outputs, channels, window, window}, outputs);
  if (chance(2)) set_list("padding", {below(2), below(2), below(2), below(2)});
}

void CallGenerator::convolution_of_few_positions() {
  const std::uint32_t channels = size(150), outputs = size(150);
  filter_and_bias({1 + below(2), channels, 1 + below(2), 1 + below(2)}, {outputs, channels, 1, 1}, outputs);
}

void CallGenerator::window() {
  operand({1 + below(2), size(70), 1 + below(16), 1 + below(16)});
  if (!chance(4)) set_list("windowDimensions", {1 + below(4), 1 + below(4)});
  if (chance(2)) set_list("padding", {below(2), below(2), below(2), below(2)});
  if (chance(2)) set_list("strides", {1 + below(3), 1 + below(3)});
  if (chance(5)) set_list("dilations", {1 + below(2), 1 + below(2)});
  draw("outputShapeRounding");
}

void CallGenerator::contraction() {
  const std::uint32_t rows = size(130), inner = size(300), columns = size(130);
  if (op().name == "gemm") return draw_gemm(rows, inner, columns);
  if (op().name == "@blockQuantizedMatmul") return draw_block_quantized_matmul(rows);
  if (op().name == "@attention") return draw_attention();
  const Sizes batch = sizes(below(3));
  Sizes a = chance(3) ? broadcastable(batch) : batch, b = chance(2) ? broadcastable(batch) : batch;
  for (Sizes* list : {&a, &b})
    for (std::uint32_t& item : *list) item = std::min(item, 6u);
  a.insert(a.end(), {rows, inner});
  b.insert(b.end(), {inner, columns});
  operand(a);
  operand(b);
}

void CallGenerator::draw_gemm(std::uint32_t rows, std::uint32_t inner, std::uint32_t columns) {
  const bool a_transpose = chance(3), b_transpose = chance(2);
  operand(a_transpose ? Sizes{inner, rows} : Sizes{rows, inner});
  operand(b_transpose ? Sizes{columns, inner} : Sizes{inner, columns});
  maybe(chance(2) ? Sizes{columns} : broadcastable({rows, columns}));
  set("aTranspose", a_transpose);
  set("bTranspose", b_transpose);
  if (chance(3)) set("alpha", 0.5);
  if (chance(3)) set("beta", 1.5);
}

void CallGenerator::draw_block_quantized_matmul(std::uint32_t rows) {
  static constexpr std::array<DataType, 4> stored = {DataType::int4, DataType::uint4, DataType::int8, DataType::uint8};
  const DataType type = stored[below(4)], scale_type = chance(2) ? DataType::float32 : DataType::float16;
  const std::uint32_t blocks = 1 + below(5), block = chance(4) ? 1 + below(70) : 8 * (1 + below(8));
  const std::uint32_t column_blocks = chance(4) ? 1 : 13 + below(50), columns = column_blocks * (1 + below(3));
  const bool transposed = chance(2);
  const auto matrix = [&](std::uint32_t lines, std::uint32_t width) {
    return transposed ? Sizes{width, lines} : Sizes{lines, width};
  };
  operand(chance(3) ? Sizes{2, 1, rows, blocks * block} : Sizes{rows, blocks * block});
  operand(matrix(blocks * block, columns), type);
  operand(matrix(blocks, column_blocks), scale_type);
  operand(matrix(blocks, column_blocks), type);
  set("bTranspose", transposed);
}

void CallGenerator::permuted_operand(const Sizes& shape, std::string_view permutation_name) {
  Sizes order = permutation(unsigned(shape.size())), stored(shape.size());
  if (chance(2)) std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = 0; i < order.size(); ++i) stored[order[i]] = shape[i];
  operand(stored);
  set_list(permutation_name, order);
}

void CallGenerator::draw_attention() {
  const std::uint32_t queries = size(150), keys = size(300), features = size(80), value_features = size(80);
  Sizes batch(below(3));
  for (std::uint32_t& item : batch) item = 1 + below(4);
  const auto with_batch = [&](std::uint32_t tokens, std::uint32_t count) {
    Sizes shape = batch;
    for (std::uint32_t& item : shape)
      if (chance(5)) item = 1;
    shape.insert(shape.end(), {tokens, count});
    return shape;
  };
  Sizes scores = batch;
  scores.insert(scores.end(), {queries, keys});
  permuted_operand(with_batch(queries, features), "queryPermutation");
  permuted_operand(with_batch(keys, features), "keyPermutation");
  permuted_operand(with_batch(keys, value_features), "valuePermutation");
  maybe(broadcastable(scores));
  set_list("outputPermutation", permutation(unsigned(scores.size())));
  set("scale", chance(4) ? -0.5 : 1 / std::sqrt(double(features)));
}

void CallGenerator::recurrent() {
  const std::uint32_t gates = op().name.starts_with("lstm") ? 4 : 3;
  const bool cell = op().name.ends_with("Cell");
  const std::uint32_t steps = 1 + below(4), batch = 1 + below(4), features = size(40), hidden = size(40);
  const std::uint32_t directions = !cell && chance(3) ? 2 : 1;
  const auto form = [&](Sizes shape) {
    if (!cell) shape.insert(shape.begin(), directions);
    return shape;
  };
  operand(cell ? Sizes{batch, features} : Sizes{steps, batch, features});
  operand(form({gates * hidden, features}));
  operand(form({gates * hidden, hidden}));
  if (cell) operand({batch, hidden});
  if (cell && gates == 4) operand({batch, hidden});
  maybe(form({gates * hidden}));
  maybe(form({gates * hidden}));
  if (gates == 4) maybe(form({3 * hidden}));
  if (!cell) maybe({directions, batch, hidden});
  if (!cell && gates == 4) maybe({directions, batch, hidden});
  if (!cell) {
    set("steps", std::int64_t(steps));
    set("direction", std::string(directions == 2 ? "both" : chance(2) ? "forward" : "backward"));
    draw("returnSequence");
  }
  set("hiddenSize", std::int64_t(hidden));
  draw("layout");
  if (gates == 3) draw("resetAfter");
}

}  // namespace webnn::tests
