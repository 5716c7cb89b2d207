// Drafts of calls of operators with weights, windows and states; one function for each family.
#include <algorithm>
#include <array>

#include "tests/random_graphs/network_maker.hpp"

namespace webnn::tests {

using namespace webnn::compiler;

namespace {

using Sizes = std::vector<std::uint32_t>;
constexpr std::array<std::string_view, 2> input_layouts = {"nchw", "nhwc"};

/// Where a layout has an axis: place_of("nhwc", 'c') is 3.
unsigned place_of(std::string_view layout, char axis) { return unsigned(layout.find(axis)); }

/// A shape from the sizes of its axes, in the order of a layout.
Shape in_order(std::string_view layout, std::string_view axes, const Sizes& sizes) {
  Shape shape = Shape::filled(unsigned(layout.size()), 1);
  for (std::size_t i = 0; i < axes.size(); ++i) shape[place_of(layout, axes[i])] = sizes[i];
  return shape;
}

/// A window that fits somewhere, with its padding, strides and dilations.
struct Window {
  Sizes size{1, 1}, padding{0, 0, 0, 0}, strides{1, 1}, dilations{1, 1};
};

Window draw_window(NetworkMaker& maker, std::uint32_t height, std::uint32_t width) {
  Window window;
  const std::array<std::uint32_t, 2> plane = {height, width};
  for (unsigned axis = 0; axis < 2; ++axis) {
    if (maker.chance(3))
      for (unsigned side = 0; side < 2; ++side) window.padding[2 * axis + side] = maker.below(3);
    const std::uint32_t room = plane[axis] + window.padding[2 * axis] + window.padding[2 * axis + 1];
    window.size[axis] = std::min(room, maker.chance(3) ? 3 : 1 + maker.below(5));
    if (maker.chance(3)) window.strides[axis] = 1 + maker.below(4);
    if (maker.chance(5) && window.size[axis] > 1)
      window.dilations[axis] = 1 + maker.below((room - 1) / (window.size[axis] - 1));
  }
  return window;
}

void set_window(NetworkMaker& maker, Draft& draft, const Window& window) {
  if (window.padding != Sizes{0, 0, 0, 0} || maker.chance(4)) draft.set_list("padding", window.padding);
  if (window.strides != Sizes{1, 1} || maker.chance(4)) draft.set_list("strides", window.strides);
  if (window.dilations != Sizes{1, 1} || maker.chance(4)) draft.set_list("dilations", window.dilations);
}

void pooling(NetworkMaker& maker, Draft& draft) {
  const Shape shape = maker.shape_of(draft.first(maker));
  if (shape.rank() != 4) return;
  const std::string_view layout = maker.any_of(input_layouts);
  const Window window = draw_window(maker, shape[place_of(layout, 'h')], shape[place_of(layout, 'w')]);
  set_window(maker, draft, window);
  if (!maker.chance(6)) draft.set_list("windowDimensions", window.size);
  draft.set("layout", std::string(layout));
  maker.draw(draft, "outputShapeRounding");
}

/// As many channels as the work allows.
std::uint32_t draw_channels(NetworkMaker& maker, std::uint64_t work_of_one) {
  const std::uint64_t most =
      std::max<std::uint64_t>(1, NetworkMaker::most_work / std::max<std::uint64_t>(work_of_one, 1));
  return std::uint32_t(std::min<std::uint64_t>(maker.size(), most));
}

void convolution(NetworkMaker& maker, Draft& draft) {
  const bool transposed = draft.op == "convTranspose2d"_op;
  const ValueId input = draft.first(maker);
  const Shape shape = maker.shape_of(input);
  if (shape.rank() != 4) return;
  static constexpr std::array<std::string_view, 4> filter_layouts = {"oihw", "hwio", "ohwi", "ihwo"};
  static constexpr std::array<std::string_view, 3> transposed_layouts = {"iohw", "hwoi", "ohwi"};
  const std::string_view layout = maker.any_of(input_layouts);
  const std::string_view filter_layout = transposed ? maker.any_of(transposed_layouts) : maker.any_of(filter_layouts);
  const std::uint32_t channels = shape[place_of(layout, 'c')];
  const Window window = draw_window(maker, shape[place_of(layout, 'h')], shape[place_of(layout, 'w')]);
  set_window(maker, draft, window);
  std::uint32_t groups = 1;
  if (maker.chance(3)) groups = channels;
  if (maker.chance(4))
    for (std::uint32_t divisor = 2; divisor < channels; ++divisor)
      if (channels % divisor == 0 && maker.chance(2)) groups = divisor;
  const std::uint64_t work_of_one = element_count(shape) / groups * window.size[0] * window.size[1];
  const std::uint32_t group_out = groups > 1 && maker.chance(2) ? 1 : draw_channels(maker, work_of_one * groups);
  const Shape filter_shape =
      transposed
          ? in_order(filter_layout, "oihw", {group_out, channels, window.size[0], window.size[1]})
          : in_order(filter_layout, "oihw", {group_out * groups, channels / groups, window.size[0], window.size[1]});
  draft.inputs.push_back(maker.like(maker.type_of(input), filter_shape, Domain::weights));
  draft.inputs.push_back(maker.maybe_like(maker.type_of(input), {group_out * groups}));
  draft.set("inputLayout", std::string(layout));
  draft.set("filterLayout", std::string(filter_layout));
  if (groups != 1) draft.set("groups", std::int64_t(groups));
  if (transposed && maker.chance(4))
    draft.set_list("outputPadding", {maker.below(window.strides[0]), maker.below(window.strides[1])});
}

void contraction(NetworkMaker& maker, Draft& draft) {
  const ValueId a = draft.first(maker);
  const DataType type = maker.type_of(a);
  const Shape shape = maker.shape_of(a);
  if (shape.rank() < 2) return;
  const bool is_gemm = draft.op == "gemm"_op;
  const bool a_transpose = is_gemm && maker.chance(3), b_transpose = is_gemm && maker.chance(2);
  const std::uint32_t inner = shape[shape.rank() - (a_transpose ? 2 : 1)];
  const std::uint32_t columns = draw_channels(maker, element_count(shape));
  if (!is_gemm) {
    Shape b;
    for (unsigned i = maker.chance(2) ? shape.rank() - 2 : 0; i + 2 < shape.rank(); ++i)
      b.push_back(maker.chance(3) ? 1 : shape[i]);
    b.push_back(inner);
    b.push_back(columns);
    draft.inputs.push_back(maker.like(type, b, maker.chance(2) ? Domain::weights : Domain::any));
    return;
  }
  draft.inputs.push_back(
      maker.like(type, b_transpose ? Shape{columns, inner} : Shape{inner, columns}, Domain::weights));
  const std::uint32_t rows = shape[a_transpose ? 1 : 0];
  draft.inputs.push_back(
      maker.maybe_like(type, maker.chance(2) ? Shape{columns} : maker.broadcastable({rows, columns})));
  draft.set("aTranspose", a_transpose);
  draft.set("bTranspose", b_transpose);
  if (maker.chance(3)) draft.set("alpha", 0.5);
  if (maker.chance(3)) draft.set("beta", 1.5);
}

void layer_normalization(NetworkMaker& maker, Draft& draft, DataType type, const Shape& shape) {
  Sizes axes;
  for (unsigned i = shape.rank() == 0 ? 0 : maker.below(shape.rank()); i < shape.rank(); ++i) axes.push_back(i);
  if (maker.chance(3)) axes = maker.some_axes(shape.rank());
  Shape normalized;
  for (const std::uint32_t axis : axes) normalized.push_back(shape[axis]);
  draft.inputs.push_back(maker.maybe_like(type, normalized));
  draft.inputs.push_back(maker.maybe_like(type, normalized));
  draft.set_list("axes", axes);
}

void normalization(NetworkMaker& maker, Draft& draft) {
  const ValueId input = draft.first(maker);
  const DataType type = maker.type_of(input);
  const Shape shape = maker.shape_of(input);
  if (maker.chance(3)) draft.set("epsilon", 0.01);
  if (draft.op == "layerNormalization"_op) return layer_normalization(maker, draft, type, shape);
  if (shape.rank() == 0) return;
  std::uint32_t axis = 0;
  if (draft.op == "instanceNormalization"_op) {
    const std::string_view layout = maker.any_of(input_layouts);
    draft.set("layout", std::string(layout));
    axis = place_of(layout, 'c');
  } else {
    axis = maker.below(shape.rank());
    draft.set("axis", std::int64_t(axis));
    draft.inputs.push_back(maker.like(type, {shape[axis]}));
    draft.inputs.push_back(maker.like(type, {shape[axis]}, Domain::positive));
  }
  if (axis >= shape.rank()) return;
  draft.inputs.push_back(maker.maybe_like(type, {shape[axis]}));
  draft.inputs.push_back(maker.maybe_like(type, {shape[axis]}));
}

void resample(NetworkMaker& maker, Draft& draft) {
  static constexpr std::array<double, 7> scales = {0.5, 1, 1.5, 2, 3, 0.7, 1.9};
  draft.first(maker);
  maker.draw(draft, "mode");
  const std::uint32_t axis = maker.below(3);
  draft.set_list("axes", {axis, axis + 1});
  if (maker.chance(2)) {
    draft.set_list("sizes", {1 + maker.below(17), 1 + maker.below(17)});
  } else {
    draft.set("scales", RealList{maker.any_of(scales), maker.any_of(scales)});
  }
}

void quantization(NetworkMaker& maker, Draft& draft) {
  const ValueId input = draft.first(maker);
  const Shape shape = maker.shape_of(input);
  Shape scale;  // one for each element of an axis, for each block of it, or for all
  for (unsigned i = 0; i < shape.rank(); ++i)
    scale.push_back(maker.chance(3) ? shape[i] : shape[i] % 2 == 0 && maker.chance(4) ? shape[i] / 2 : 1);
  static constexpr std::array<DataType, 8> stored = {DataType::int8,  DataType::uint8, DataType::int8,
                                                     DataType::uint8, DataType::int32, DataType::uint32,
                                                     DataType::int4,  DataType::uint4};
  const bool forward = draft.op == "quantizeLinear"_op;
  const DataType real = forward ? maker.type_of(input) : maker.chance(4) ? DataType::float16 : DataType::float32;
  draft.inputs.push_back(maker.like(real, scale, Domain::positive));
  draft.inputs.push_back(maker.like(forward ? maker.any_of(stored) : maker.type_of(input), scale, Domain::indices, 8));
}

void recurrent(NetworkMaker& maker, Draft& draft) {
  const ValueId input = draft.first(maker);
  const DataType type = maker.type_of(input);
  const Shape shape = maker.shape_of(input);
  const std::string_view name = row(draft.op).name;
  const bool cell = name.ends_with("Cell"), is_lstm = name.starts_with("lstm");
  if (shape.rank() != (cell ? 2 : 3)) return;
  const std::uint32_t gates = is_lstm ? 4 : 3, steps = cell ? 1 : shape[0];
  const std::uint32_t batch = shape[cell ? 0 : 1], features = shape[cell ? 1 : 2];
  const std::uint32_t hidden = std::min(draw_channels(maker, 8ull * element_count(shape)), 24u);
  const std::uint32_t directions = !cell && maker.chance(3) ? 2 : 1;
  if (steps > 16) return;  // too long a chain of roundings
  const auto form = [&](Shape part) {
    if (cell) return part;
    Shape whole{directions};
    for (const std::uint32_t size : part) whole.push_back(size);
    return whole;
  };
  const auto weights = [&](const Shape& part) { return maker.like(type, form(part), Domain::weights); };
  const auto maybe = [&](const Shape& part) { return maker.chance(3) ? ValueId{} : weights(part); };
  draft.inputs.push_back(weights({gates * hidden, features}));
  draft.inputs.push_back(weights({gates * hidden, hidden}));
  if (cell) draft.inputs.push_back(maker.like(type, {batch, hidden}));
  if (cell && is_lstm) draft.inputs.push_back(maker.like(type, {batch, hidden}));
  draft.inputs.push_back(maybe({gates * hidden}));
  draft.inputs.push_back(maybe({gates * hidden}));
  if (is_lstm) draft.inputs.push_back(maybe({3 * hidden}));
  if (!cell) draft.inputs.push_back(maybe({batch, hidden}));
  if (!cell && is_lstm) draft.inputs.push_back(maybe({batch, hidden}));
  draft.set("hiddenSize", std::int64_t(hidden));
  maker.draw(draft, "layout");
  if (!is_lstm) maker.draw(draft, "resetAfter");
  if (cell) return;
  draft.set("steps", std::int64_t(steps));
  maker.draw(draft, "returnSequence");
  draft.set("direction", std::string(directions == 2 ? "both" : maker.chance(2) ? "forward" : "backward"));
}

}  // namespace

DraftFunction draft_layer(Family family) {
  switch (family) {
    case Family::window:
      return pooling;
    case Family::convolution:
      return convolution;
    case Family::contraction:
      return contraction;
    case Family::normalization:
      return normalization;
    case Family::resample:
      return resample;
    case Family::quantization:
      return quantization;
    case Family::recurrent:
      return recurrent;
    default:
      return nullptr;
  }
}

}  // namespace webnn::tests
