#include "schema/operators/elementwise.hpp"

#include <array>

namespace webnn::schema {
namespace {

constexpr ErrorLimit exact{}, approximate{0, 1.0 / 1024, 1.0 / 512};
constexpr ErrorLimit ulp(double count) { return {count, 0, 0}; }
constexpr ErrorLimit within(double count, double absolute) { return {count, absolute, absolute}; }

}  // namespace

std::span<const ElementwiseRow> elementwise_rows() {
  using enum Work;
  using enum Taken;
#define UNARY(symbol, name, row, tolerance, floats, error, integers, results, onnx, ...) \
  {name##_op, #symbol, tolerance, floats, error, integers, results, onnx, #__VA_ARGS__},
#define BINARY UNARY
  static constexpr ElementwiseRow rows[] = {
#include "schema/operators/elementwise.def"
  };
  return rows;
}

const ElementwiseRow* find_elementwise(OperatorId op) {
  static const auto by_op = [] {
    std::array<const ElementwiseRow*, std::size(operator_names)> table{};
    for (const ElementwiseRow& row : elementwise_rows()) table[row.op.index] = &row;
    return table;
  }();
  return by_op[op.index];
}

bool takes_rounded(OperatorId op, std::size_t place, bool all_are_results) {
  if (const ElementwiseRow* const row = find_elementwise(op)) {
    using enum Taken;
    return row->results == rounded || (row->results == exponent && place == 1) ||
           (row->results == pair && all_are_results);
  }
  const Family family = row(op).family;
  return family == Family::cast || family == Family::quantization || family == Family::arg_reduction;
}

}  // namespace webnn::schema
