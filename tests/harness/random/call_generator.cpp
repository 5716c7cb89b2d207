#include "tests/harness/random/call_generator.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace webnn::tests {

std::optional<RandomCall> CallGenerator::run() {
  make_form();
  return finish();
}

void CallGenerator::make_form() {
  switch (op().family) {
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
      if (!chance(5)) set_list("axes", some_axes(input(0).shape.rank()));
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
      if (op().name == "reshape") {
        const Shape& shape = input(0).shape;
        set_list("newShape", {std::uint32_t(element_count(shape))});
      }
      return;
    default:  // one operand, and attributes that need no more than its rank
      operand(sizes(
          rank(std::max<unsigned>(op().operands[0].min_rank, 1), std::min<unsigned>(op().operands[0].max_rank, 5))));
      return draw_all();
  }
}

void CallGenerator::broadcasting() {
  const Sizes shape = sizes(rank(0, 5));
  const bool first = chance(2);
  operand(first ? shape : broadcastable(shape));
  if (op().operands.size() > 1) operand(!first || chance(2) ? shape : broadcastable(shape));
}

void CallGenerator::select() {
  const Sizes shape = sizes(rank(0, 4));
  operand(broadcastable(shape), DataType::uint8);
  operand(shape, type() == DataType::uint8 ? DataType::float32 : type());
  operand(broadcastable(shape), input(1).type);
}

void CallGenerator::normalization() {
  if (op().name == "layerNormalization" || op().name == "@rmsNormalization") {
    const Sizes shape = sizes(rank(1, 4));
    Sizes axes(1 + below(std::uint32_t(shape.size())));
    std::iota(axes.begin(), axes.end(), std::uint32_t(shape.size() - axes.size()));
    if (chance(3)) axes = some_axes(unsigned(shape.size()));
    operand(shape);
    Sizes normalized;
    for (const std::uint32_t axis : axes) normalized.push_back(shape[axis]);
    for (std::size_t i = 1; i < op().operands.size(); ++i) maybe(normalized);
    set_list("axes", axes);
    return;
  }
  const bool instance = op().name == "instanceNormalization";
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

void CallGenerator::quantization() {
  if (op().name == "@quantizedAdd") return quantized_add();
  if (op().name == "@quantizedAveragePool2d") return quantized_average_pool2d();
  if (op().name == "@byteTable") {
    operand(sizes(rank(0, 4)));
    return operand({256}, chance(2) ? DataType::int8 : DataType::uint8);
  }
  const bool forward = op().name == "quantizeLinear";
  static constexpr std::array<DataType, 3> stored = {DataType::int8, DataType::uint8, DataType::int32};
  const DataType zero_point = forward ? stored[below(3)] : type();
  const Sizes shape = sizes(rank(1, 4));
  Sizes scale(shape.size(), 1);
  const auto axis = below(std::uint32_t(shape.size()));
  if (chance(2)) scale[axis] = shape[axis];
  operand(shape);
  operand(scale, forward ? type() : DataType::float32);
  operand(scale, zero_point);
}

void CallGenerator::quantized_add() {
  const Sizes shape = sizes(rank(1, 4));
  operand(shape);
  operand(shape, chance(2) ? DataType::int8 : DataType::uint8);
  quantization_of("a");
  quantization_of("b");
  quantization_of("output");
  draw("dataType");
}

void CallGenerator::quantized_average_pool2d() {
  window();
  quantization_of("input");
  quantization_of("output");
  draw("dataType");
}

double CallGenerator::quantization_of(const std::string& name, double unit) {
  const double scale = unit * double(1 + below(8)) / 16;
  set(name + "Scale", scale);
  set(name + "ZeroPoint", chance(2) ? std::int64_t(below(4)) : std::int64_t{0});
  return scale;
}

}  // namespace webnn::tests
