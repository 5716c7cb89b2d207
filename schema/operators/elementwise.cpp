#include "schema/operators/elementwise.hpp"

#include <algorithm>

namespace webnn::schema {
namespace {

constexpr ErrorLimit exact{}, approximate{0, 1.0 / 1024, 1.0 / 512};
constexpr ErrorLimit ulp(double count) { return {count, 0, 0}; }
constexpr ErrorLimit within(double count, double absolute) { return {count, absolute, absolute}; }

}  // namespace

std::span<const ElementwiseRow> elementwise_rows() {
  using enum Work;
#define UNARY(symbol, name, row, tolerance, floats, error, integers, onnx, ...) \
  {name##_op, #symbol, tolerance, floats, error, integers, onnx, #__VA_ARGS__},
#define BINARY UNARY
  static constexpr ElementwiseRow rows[] = {
#include "schema/operators/elementwise.def"
  };
  return rows;
}

const ElementwiseRow* find_elementwise(OperatorId op) {
  const auto rows = elementwise_rows();
  const auto found = std::ranges::find(rows, op, &ElementwiseRow::op);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace webnn::schema
