#include "compiler/rewrites/int32_sums.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "schema/elements/elements.hpp"

namespace webnn::compiler {
namespace {

constexpr double greatest_int32 = 0x1p31 - 1;

double number_of(const Value& constant, std::size_t index) {
  return load_element(constant.descriptor.type, constant.data.view().data(), index).as_double();
}
double number_in(const Match& match, std::string_view name, std::size_t index = 0) {
  return number_of(match.graph().value(match.value(name)), index);
}

/// The greatest magnitude of an 8-bit number of ?x less the zero point.
double greatest_number(const Match& match) {
  const double zero_point = number_in(match, "xz");
  const bool is_unsigned = match.descriptor("xz").type == DataType::uint8;
  const double least = is_unsigned ? 0 : -128, greatest = is_unsigned ? 255 : 127;
  return std::max(zero_point - least, greatest - zero_point);
}

}  // namespace

std::optional<std::vector<double>> known_numbers(const Match& match, ValueId value) {
  const Graph& graph = match.graph();
  const std::size_t count = element_count(graph.value(value).descriptor.shape);
  if (!match.facts().may_read(count)) return std::nullopt;
  std::vector<double> numbers(count);
  if (graph.is_constant(value)) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = number_of(graph.value(value), i);
    return numbers;
  }
  if (graph.value(value).kind != Value::Kind::result) return std::nullopt;
  const Node& node = graph.node(graph.value(value).producer);
  if (node.op != "dequantizeLinear"_op) return std::nullopt;
  const auto constant = [&](std::size_t operand) -> const Value* {  // null: not constant, or scales of blocks
    const ValueId id = node.inputs[operand];
    if (!id.valid() || !graph.is_constant(id)) return nullptr;
    const std::size_t elements = element_count(graph.value(id).descriptor.shape);
    return elements == 1 || elements == count ? &graph.value(id) : nullptr;
  };
  const Value* const operands[] = {constant(0), constant(1), constant(2)};
  if (std::ranges::find(operands, nullptr) != std::end(operands)) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = [&](const Value& of) { return number_of(of, element_count(of.descriptor.shape) == 1 ? 0 : i); };
    numbers[i] = (at(*operands[0]) - at(*operands[2])) * at(*operands[1]);
  }
  return numbers;
}

bool products_fit_int32(const Match& match, double taps) {
  constexpr double greatest_weight = 128;
  const double room = greatest_int32 - taps * greatest_weight * greatest_number(match);
  if (room < 0) return false;
  const ValueId bias = match.value("b");
  if (!bias.valid()) return true;
  const std::optional<std::vector<double>> numbers = known_numbers(match, bias);
  if (!numbers) return false;
  const std::uint64_t scales = element_count(match.descriptor("ws").shape);
  const double input_scale = number_in(match, "xs");
  for (std::size_t i = 0; i < numbers->size(); ++i) {
    const double unit = input_scale * number_in(match, "ws", scales == 1 ? 0 : i);
    if (!(std::abs((*numbers)[i]) <= room * unit)) return false;  // NaN neither
  }
  return true;
}

bool windows_fit_int32(const Match& match) {
  const Shape& x = match.descriptor("x").shape;
  const IntegerList window = match.integers("w"), given = match.integers("a");
  const IntegerList axes = given.empty() ? IntegerList{2, 3} : given;
  double bytes = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const double size = x[unsigned(axes[i])];
    bytes *= window.empty() ? size : std::min(double(window[i]), size);
  }
  return bytes * 255 <= greatest_int32;
}

}  // namespace webnn::compiler
