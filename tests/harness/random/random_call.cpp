// One generator a family makes the operands' shapes and the attributes that chance alone would hardly get right; what
// it leaves open is drawn until the operator's row accepts the call.
#include "tests/harness/random/random_call.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "tests/harness/random/random_elements.hpp"
#include "tests/harness/random/random_graph.hpp"

namespace webnn::tests {
namespace {

using Sizes = std::vector<std::uint32_t>;

class CallGenerator {
 public:
  CallGenerator(OperatorId op, DataType type, std::mt19937& engine)
      : op_(op), row_(row(op)), type_(type), engine_(engine) {}

  /// Nullopt when chance made no correct call.
  std::optional<RandomCall> run() {
    call_.spec.op = op_;
    call_.spec.attributes = Attributes(row_.attributes.size());
    make_form();
    const auto operands = call_.spec.root_operands();
    const Inference inference = check_operator(OperatorCall(op_, operands, call_.spec.attributes));
    if (!inference.ok() || inference.outputs().empty()) return std::nullopt;
    call_.spec.outputs = inference.outputs();
    for (const OperandDescriptor& output : call_.spec.outputs)
      if (element_count(output.shape) > most_elements) return std::nullopt;
    for (std::size_t i = 0; i < call_.spec.inputs.size(); ++i) {
      const auto& input = call_.spec.inputs[i];
      call_.inputs.push_back(input ? std::optional(random_elements(call_.spec, i, engine_)) : std::nullopt);
    }
    return std::move(call_);
  }

 private:
  static constexpr std::uint64_t most_elements = 200000;

  std::uint32_t below(std::uint32_t count) { return std::uint32_t(engine_() % count); }
  bool chance(std::uint32_t one_in) { return below(one_in) == 0; }
  /// A size of a dimension: mostly small, now and then past the vectors and blocks of kernels.
  std::uint32_t size(std::uint32_t large = 40) { return chance(4) ? 1 + below(large) : 1 + below(9); }
  Sizes sizes(unsigned rank) {
    Sizes list(rank);
    for (std::uint32_t& item : list) item = size(rank <= 2 ? 300 : rank == 3 ? 60 : 20);
    return list;
  }
  unsigned rank(unsigned least, unsigned most) { return least + below(most - least + 1); }

  void operand(const Sizes& shape, std::optional<DataType> type = std::nullopt) {
    call_.spec.inputs.push_back(OperandDescriptor{type.value_or(type_), Shape(shape)});
  }
  void absent() { call_.spec.inputs.emplace_back(); }
  /// An optional operand, absent now and then.
  void maybe(const Sizes& shape) {
    if (chance(3)) {
      absent();
    } else {
      operand(shape);
    }
  }
  std::size_t attribute_index(std::string_view name) const {
    const int index = row_.attribute_index(name);
    if (index < 0) throw std::runtime_error(std::string(row_.name) + " has no attribute " + std::string(name));
    return std::size_t(index);
  }
  template <class T>
  void set(std::string_view name, T value) {
    call_.spec.attributes[attribute_index(name)].emplace(std::in_place_type<T>, std::move(value));
  }
  void set_list(std::string_view name, const Sizes& list) { set(name, IntegerList(list.begin(), list.end())); }
  void draw(std::string_view name) {
    const std::size_t index = attribute_index(name);
    call_.spec.attributes[index] = random_attribute(engine_, row_.attributes[index], *call_.spec.inputs[0]);
  }
  void draw_all() {
    for (const AttributeRow& attribute : row_.attributes) draw(attribute.name);
  }
  Sizes permutation(unsigned count) {
    Sizes list(count);
    std::iota(list.begin(), list.end(), 0u);
    std::shuffle(list.begin(), list.end(), engine_);
    return list;
  }
  Sizes some_axes(unsigned of_rank) {
    Sizes axes = permutation(of_rank);
    axes.resize(of_rank == 0 ? 0 : below(of_rank + 1));
    return axes;
  }
  /// A shape that broadcasts to `shape`: leading dimensions left out, others 1.
  Sizes broadcastable(const Sizes& shape) {
    Sizes part(shape.begin() + (chance(2) ? std::ptrdiff_t(below(std::uint32_t(shape.size()) + 1)) : 0), shape.end());
    for (std::uint32_t& item : part)
      if (chance(3)) item = 1;
    return part;
  }

  void make_form() {
    switch (row_.family) {
      case Family::convolution:
        return convolution();
      case Family::window:
        return window();
      case Family::contraction:
        return contraction();
      case Family::binary:
      case Family::comparison:
      case Family::logical:
        return broadcasting();
      case Family::select:
        return select();
      case Family::reduction:
        operand(sizes(rank(1, 5)));
        if (!chance(5)) set_list("axes", some_axes(call_.spec.inputs[0]->shape.rank()));
        return draw("keepDimensions");
      case Family::normalization:
        return normalization();
      case Family::resample:
        return resample();
      case Family::movement:
        return movement();
      case Family::indexed:
        return indexed();
      case Family::quantization:
        return quantization();
      case Family::recurrent:
        return recurrent();
      case Family::cast:
        operand(sizes(rank(0, 5)));
        return draw("dataType");
      case Family::view:
        operand(sizes(rank(1, 4)));
        if (row_.name == "reshape") {
          const Shape& shape = call_.spec.inputs[0]->shape;
          set_list("newShape", {std::uint32_t(element_count(shape))});
        }
        return;
      default:  // one operand, and attributes that need no more than its rank
        operand(sizes(
            rank(std::max<unsigned>(row_.operands[0].min_rank, 1), std::min<unsigned>(row_.operands[0].max_rank, 5))));
        return draw_all();
    }
  }

  void convolution() {
    const bool transposed = row_.name == "convTranspose2d";
    if (!transposed && chance(3)) return convolution_of_full_vectors();
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

  /// The operands of a convolution, and how they are quantised if they are.
  void filter_and_bias(const Sizes& input, const Sizes& filter, std::uint32_t output_channels) {
    const bool quantized = row_.name == "@quantizedConv2d";
    operand(input);
    operand(filter, quantized ? DataType::int8 : type_);
    if (!quantized) return maybe({output_channels});
    chance(3) ? absent() : operand({output_channels}, DataType::float32);
    operand({output_channels}, DataType::float32);
    const double input_scale = quantization_of("input");
    quantization_of("output", 8 * input_scale);  // no finer than the sums, as in real networks
    draw("dataType");
  }
  double quantization_of(const std::string& name, double unit = 1) {
    const double scale = unit * double(1 + below(8)) / 16;
    set(name + "Scale", scale);
    set(name + "ZeroPoint", chance(2) ? std::int64_t(below(4)) : std::int64_t{0});
    return scale;
  }

  /// As in the body of a network: 3x3 windows side by side, or pixels, over many channels.
  void convolution_of_full_vectors() {
    const std::uint32_t channels = 16 * (1 + below(5)), outputs = 16 * (1 + below(5)), window = chance(4) ? 1 : 3;
    filter_and_bias({1 + below(2), channels, 4 + below(14), 4 + below(14)}, {outputs, channels, window, window},
                    outputs);
    if (chance(2)) set_list("padding", {below(2), below(2), below(2), below(2)});
  }

  void window() {
    operand({1 + below(2), size(70), 1 + below(16), 1 + below(16)});
    if (!chance(4)) set_list("windowDimensions", {1 + below(4), 1 + below(4)});
    if (chance(2)) set_list("padding", {below(2), below(2), below(2), below(2)});
    if (chance(2)) set_list("strides", {1 + below(3), 1 + below(3)});
    if (chance(5)) set_list("dilations", {1 + below(2), 1 + below(2)});
    draw("outputShapeRounding");
  }

  void contraction() {
    const std::uint32_t rows = size(130), inner = size(300), columns = size(130);
    if (row_.name == "gemm") return draw_gemm(rows, inner, columns);
    if (row_.name == "@blockQuantizedMatmul") return draw_block_quantized_matmul(rows);
    if (row_.name == "@attention") return draw_attention();
    const Sizes batch = sizes(below(3));
    Sizes a = chance(3) ? broadcastable(batch) : batch, b = chance(2) ? broadcastable(batch) : batch;
    for (Sizes* list : {&a, &b})
      for (std::uint32_t& item : *list) item = std::min(item, 6u);
    a.insert(a.end(), {rows, inner});
    b.insert(b.end(), {inner, columns});
    operand(a);
    operand(b);
  }
  void draw_gemm(std::uint32_t rows, std::uint32_t inner, std::uint32_t columns) {
    const bool a_transpose = chance(3), b_transpose = chance(2);
    operand(a_transpose ? Sizes{inner, rows} : Sizes{rows, inner});
    operand(b_transpose ? Sizes{columns, inner} : Sizes{inner, columns});
    maybe(chance(2) ? Sizes{columns} : broadcastable({rows, columns}));
    set("aTranspose", a_transpose);
    set("bTranspose", b_transpose);
    if (chance(3)) set("alpha", 0.5);
    if (chance(3)) set("beta", 1.5);
  }

  void draw_block_quantized_matmul(std::uint32_t rows) {
    static constexpr std::array<DataType, 4> stored = {DataType::int4, DataType::uint4, DataType::int8,
                                                       DataType::uint8};
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

  /// An operand whose axes are in any order, which the attribute puts right.
  void permuted_operand(const Sizes& shape, std::string_view permutation_name) {
    Sizes order = permutation(unsigned(shape.size())), stored(shape.size());
    if (chance(2)) std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = 0; i < order.size(); ++i) stored[order[i]] = shape[i];
    operand(stored);
    set_list(permutation_name, order);
  }
  void draw_attention() {
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

  void broadcasting() {
    const Sizes shape = sizes(rank(0, 5));
    const bool first = chance(2);
    operand(first ? shape : broadcastable(shape));
    if (row_.operands.size() > 1) operand(!first || chance(2) ? shape : broadcastable(shape));
  }

  void select() {
    const Sizes shape = sizes(rank(0, 4));
    operand(broadcastable(shape), DataType::uint8);
    operand(shape, type_ == DataType::uint8 ? DataType::float32 : type_);
    operand(broadcastable(shape), call_.spec.inputs[1]->type);
  }

  void normalization() {
    if (row_.name == "layerNormalization") {
      const Sizes shape = sizes(rank(1, 4));
      Sizes axes(1 + below(std::uint32_t(shape.size())));
      std::iota(axes.begin(), axes.end(), std::uint32_t(shape.size() - axes.size()));
      if (chance(3)) axes = some_axes(unsigned(shape.size()));
      operand(shape);
      Sizes normalized;
      for (const std::uint32_t axis : axes) normalized.push_back(shape[axis]);
      maybe(normalized);
      maybe(normalized);
      set_list("axes", axes);
      return;
    }
    const bool instance = row_.name == "instanceNormalization";
    const Sizes shape = instance ? sizes(4) : sizes(rank(2, 4));
    const std::uint32_t axis = instance ? 1 : below(std::uint32_t(shape.size()));
    operand(shape);
    if (!instance) {
      operand({shape[axis]});
      operand({shape[axis]});
      set("axis", std::int64_t(axis));
    }
    maybe({shape[axis]});
    maybe({shape[axis]});
  }

  void resample() {
    operand({1 + below(2), size(40), 1 + below(12), 1 + below(12)});
    draw("mode");
    if (chance(2)) {
      set_list("sizes", {1 + below(20), 1 + below(20)});
    } else {
      static constexpr std::array<double, 5> scales = {0.5, 1, 1.5, 2, 3};
      set("scales", RealList{scales[below(5)], scales[below(5)]});
    }
  }

  void movement() {
    const Sizes shape = row_.operands[0].min_rank == 4 ? sizes(4) : sizes(rank(1, 5));
    const auto count = std::uint32_t(shape.size());
    if (row_.name == "concat") {
      const std::uint32_t axis = below(count);
      for (std::uint32_t i = 0; i < 1 + below(4); ++i) {
        operand(shape);
        call_.spec.inputs.back()->shape[axis] = 1 + below(20);
      }
      set("axis", std::int64_t(axis));
      return;
    }
    if (row_.name == "expand") {
      operand(broadcastable(shape));
      return set_list("newShape", shape);
    }
    operand(shape);
    if (row_.name == "transpose") set_list("permutation", permutation(count));
    if (row_.name == "reverse") set_list("axes", some_axes(count));
    if (row_.name == "tile") {
      Sizes repetitions(count);
      for (std::uint32_t& item : repetitions) item = 1 + below(3);
      set_list("repetitions", repetitions);
    }
    if (row_.name == "pad") {
      Sizes before(count), after(count);
      for (std::uint32_t i = 0; i < count; ++i) before[i] = below(shape[i]), after[i] = below(shape[i]);
      set_list("beginningPadding", before);
      set_list("endingPadding", after);
      draw("mode");
      set("value", Number(2));
    }
    if (row_.name == "slice") {
      Sizes starts(count), lengths(count), strides(count);
      for (std::uint32_t i = 0; i < count; ++i) {
        starts[i] = below(shape[i]);
        lengths[i] = 1 + below(shape[i] - starts[i]);
        strides[i] = 1 + below(3);
      }
      set_list("starts", starts);
      set_list("sizes", lengths);
      if (chance(2)) set_list("strides", strides);
    }
    if (row_.name == "split") {
      const std::uint32_t axis = below(count);
      Sizes parts;
      for (std::uint32_t left = shape[axis]; left > 0; left -= parts.back()) parts.push_back(1 + below(left));
      set_list("splits", parts);
      set("axis", std::int64_t(axis));
    }
    if (row_.name == "triangular") draw_all();
  }

  void indexed() {
    const Sizes shape = sizes(rank(1, 4));
    const auto axis = below(std::uint32_t(shape.size()));
    const bool axis_given = row_.attribute_index("axis") >= 0;
    operand(shape);
    if (row_.name == "gather") {
      operand(sizes(below(3)), DataType::int32);
    } else if (axis_given) {  // gatherElements, scatterElements
      Sizes at = shape;
      at[axis] = 1 + below(shape[axis]);
      operand(at, DataType::int32);
      if (row_.operands.size() > 2) operand(at);
    } else {  // gatherND, scatterND
      const std::uint32_t depth = 1 + below(std::uint32_t(shape.size()));
      Sizes at = sizes(1);
      Sizes updates = at;
      at.push_back(depth);
      updates.insert(updates.end(), shape.begin() + depth, shape.end());
      operand(at, DataType::int32);
      if (row_.operands.size() > 2) operand(updates);
    }
    if (axis_given) set("axis", std::int64_t(axis));
  }

  void quantization() {
    if (row_.name == "@quantizedAdd") return quantized_add();
    if (row_.name == "@quantizedAveragePool2d") return quantized_average_pool2d();
    if (row_.name == "@byteTable") {
      operand(sizes(rank(0, 4)));
      return operand({256}, chance(2) ? DataType::int8 : DataType::uint8);
    }
    const bool forward = row_.name == "quantizeLinear";
    static constexpr std::array<DataType, 3> stored = {DataType::int8, DataType::uint8, DataType::int32};
    const DataType zero_point = forward ? stored[below(3)] : type_;
    const Sizes shape = sizes(rank(1, 4));
    Sizes scale(shape.size(), 1);
    const auto axis = below(std::uint32_t(shape.size()));
    if (chance(2)) scale[axis] = shape[axis];
    operand(shape);
    operand(scale, forward ? type_ : DataType::float32);
    operand(scale, zero_point);
  }

  void quantized_add() {
    const Sizes shape = sizes(rank(1, 4));
    operand(shape);
    operand(shape, chance(2) ? DataType::int8 : DataType::uint8);
    quantization_of("a");
    quantization_of("b");
    quantization_of("output");
    draw("dataType");
  }

  void quantized_average_pool2d() {
    window();
    quantization_of("input");
    quantization_of("output");
    draw("dataType");
  }

  void recurrent() {
    const std::uint32_t gates = row_.name.starts_with("lstm") ? 4 : 3;
    const bool cell = row_.name.ends_with("Cell");
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

  OperatorId op_;
  const Operator& row_;
  DataType type_;
  std::mt19937& engine_;
  RandomCall call_;
};

}  // namespace

RandomCall random_call(OperatorId op, DataType type, std::mt19937& engine) {
  for (int attempt = 0; attempt < 1000; ++attempt)
    if (auto call = CallGenerator(op, type, engine).run()) return std::move(*call);
  throw std::runtime_error("chance makes no correct call of " + std::string(row(op).name));
}

}  // namespace webnn::tests
