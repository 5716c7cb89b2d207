#include "compiler/rewrites/int32_sums.hpp"

#include <algorithm>
#include <cmath>

#include "schema/elements/elements.hpp"

namespace webnn::compiler {
namespace {

constexpr double greatest_int32 = 0x1p31 - 1;

double number_in(const Match& match, std::string_view name, std::size_t index = 0) {
  const Value& value = match.graph().value(match.value(name));
  return load_element(value.descriptor.type, value.data.view().data(), index).as_double();
}

/// The greatest magnitude of an 8-bit number of ?x less the zero point.
double greatest_number(const Match& match) {
  const double zero_point = number_in(match, "xz");
  const bool is_unsigned = match.descriptor("xz").type == DataType::uint8;
  const double least = is_unsigned ? 0 : -128, greatest = is_unsigned ? 255 : 127;
  return std::max(zero_point - least, greatest - zero_point);
}

}  // namespace

bool products_fit_int32(const Match& match, double taps) {
  constexpr double greatest_weight = 128;
  const double room = greatest_int32 - taps * greatest_weight * greatest_number(match);
  if (room < 0) return false;
  const ValueId bias = match.value("b");
  if (!bias.valid() || !match.graph().is_constant(bias)) return true;
  const std::uint64_t scales = element_count(match.descriptor("ws").shape);
  const double input_scale = number_in(match, "xs");
  for (std::uint64_t i = 0; i < element_count(match.descriptor("b").shape); ++i) {
    const double unit = input_scale * number_in(match, "ws", scales == 1 ? 0 : i);
    if (!(std::abs(number_in(match, "b", i)) <= room * unit)) return false;  // NaN neither
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
