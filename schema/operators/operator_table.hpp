// The operator table: one row for each of the 95 operators of the WebNN specification, followed by the internal
// operators, which only the compiler makes and no file can name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "schema/operators/operator.hpp"

namespace webnn::schema {

/// The index of a row. In code it is written as a literal, `"conv2d"_op`; a misspelt name does not compile.
struct OperatorId {
  std::uint16_t index = 0;
  constexpr bool operator==(const OperatorId&) const = default;
};

/// The operators of the specification.
std::span<const Operator> operator_table();
/// Includes internal operators; OperatorId numbers both.
std::span<const Operator> all_operators();
const Operator& row(OperatorId id);
/// Finds an operator of the specification.
std::optional<OperatorId> find_operator(std::string_view name);
/// Finds any operator, internal ones included.
std::optional<OperatorId> find_any_operator(std::string_view name);

/// Names in table order, for the literal below; a test checks that they match the rows.
inline constexpr std::string_view operator_names[] = {
#define UNARY(symbol, name, ...) name,
#define BINARY(symbol, name, ...) name,
#define INTERNAL_UNARY(...)
#include "schema/operators/elementwise.def"
    // clang-format off
    "where", "cast",
    // views and movement
    "identity", "reshape", "concat", "expand", "pad", "reverse", "slice", "split", "tile", "transpose", "triangular",
    // indexed movement
    "gather", "gatherElements", "gatherND", "scatterElements", "scatterND",
    // reductions and scans
    "reduceL1", "reduceL2", "reduceLogSum", "reduceLogSumExp", "reduceMax", "reduceMean", "reduceMin", "reduceProduct",
    "reduceSum", "reduceSumSquare", "argMin", "argMax", "cumulativeSum",
    // normalisation
    "batchNormalization", "instanceNormalization", "layerNormalization", "softmax",
    // windows, convolutions, contractions, resampling
    "averagePool2d", "l2Pool2d", "maxPool2d", "conv2d", "convTranspose2d", "gemm", "matmul", "resample2d",
    // quantisation
    "quantizeLinear", "dequantizeLinear",
    // recurrent networks
    "gru", "gruCell", "lstm", "lstmCell",
    // internal
    "@reorder", "@attention", "@rmsNormalization",
// clang-format on
#define UNARY(...)
#define BINARY(...)
#define INTERNAL_UNARY(symbol, name, ...) name,
#include "schema/operators/elementwise.def"
    "@quantizedConv2d",
    "@quantizedAdd",
    "@quantizedAveragePool2d",
    "@byteTable",
    "@blockQuantizedMatmul",
};
/// Of the specification: those without '@'.
inline constexpr std::size_t operator_count = [] {
  std::size_t count = 0;
  for (const std::string_view name : operator_names) count += name[0] != '@';
  return count;
}();

consteval OperatorId operator""_op(const char* text, std::size_t size) {
  for (std::size_t i = 0; i < std::size(operator_names); ++i)
    if (operator_names[i] == std::string_view(text, size)) return {std::uint16_t(i)};
  throw "no operator has this name";
}

/// Whether the operator is softmax, layerNormalization, @rmsNormalization or a reduction. Their result for a row, which
/// is a run over the last axes of an operand, depends on that row only.
bool works_along_rows(OperatorId op);

}  // namespace webnn::schema
