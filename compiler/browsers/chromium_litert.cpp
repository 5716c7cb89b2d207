// What Chromium takes where LiteRT (TensorFlow Lite) runs its graphs.
//
// Source: Chromium 151.0.7909.0, services/webnn/tflite/graph_builder_tflite.cc, GetContextProperties(), for each operand
// as third_party/blink/renderer/modules/ml/ml_context.cc reports it by opSupportLimits(). Read on 23 November 2026.
#include "compiler/browsers/browsers.hpp"

namespace webnn::compiler {
namespace {

using enum DataType;

constexpr DataTypes litert_float{float32, float16};
constexpr DataTypes litert_index{int32, uint32, int64};
constexpr DataTypes litert_all{float32, float16, int32, uint32, int64, uint64, int8, uint8, int4};

// Columns: operators; operands; types; lowest and highest rank.
// clang-format off
constexpr OperandLimits litert_rows[] = {
    {"argMin argMax", "input", litert_float | int32 | int8 | uint8, 1, 8},
    {"argMin argMax", "output", {int32, int64}, 0, 8},
    {"batchNormalization", "input", litert_float, 1, 5},
    {"batchNormalization", "", litert_float, 1, 1},
    {"cast", "input output", litert_float | int8 | uint8 | int32 | uint32 | int64, 0, 8},
    {"clamp", "", litert_float, 0, 5},
    {"concat", "", litert_all, 1, 8},
    {"conv2d convTranspose2d", "bias", litert_float, 0, 8},
    {"conv2d convTranspose2d", "", litert_float, 4, 4},
    {"cumulativeSum", "", litert_float | int32 | int64, 1, 8},
    {"dequantizeLinear", "scale", litert_float, 0, 6},
    {"dequantizeLinear", "", {int4, uint8, int8, int32}, 0, 6},

    {"add sub", "", litert_float | int32 | int64, 0, 6},
    {"mul", "", litert_float | int32 | uint32 | int64, 0, 6},
    {"div", "", litert_float | int32, 0, 5},
    {"max min", "", litert_float | int8 | uint8 | int32 | int64, 0, 5},
    {"pow", "", litert_float | int32, 0, 5},
    {"equal greater greaterOrEqual lesser lesserOrEqual notEqual", "", litert_float | int32 | int64, 0, 5},
    {"logicalAnd logicalOr logicalXor logicalNot", "", {uint8}, 0, 5},
    {"isNaN isInfinite", "", litert_float, 0, 5},

    {"abs sign", "", litert_float | int32, 0, 8},
    {"ceil cos exp floor log roundEven sin sqrt tan gelu leakyRelu tanh", "", litert_float, 0, 8},
    {"erf reciprocal", "", litert_float, 0, 5},
    {"identity", "", litert_float | int8 | uint8 | int32 | int64, 0, 8},
    {"neg", "", litert_float | int32 | int64, 0, 8},
    {"elu", "", litert_float | int8, 0, 5},
    {"hardSigmoid hardSwish sigmoid softplus softsign", "", litert_float, 0, 6},
    {"linear", "", litert_float | int32 | int64, 0, 6},
    {"relu", "", litert_float | int8 | int32 | int64, 0, 5},
    {"prelu", "", litert_float, 0, 5},

    {"expand", "", litert_float | int8 | uint8 | int32 | uint32 | int64, 0, 8},
    {"gather", "indices", litert_index, 0, 5},
    {"gatherElements gatherND", "indices", litert_index, 1, 5},
    {"gather gatherElements gatherND", "", litert_float | int8 | uint8 | int32 | int64, 1, 8},
    {"scatterElements", "indices", {int32}, 1, 8},
    {"scatterND", "indices", {int32}, 1, 5},
    {"scatterElements scatterND", "", litert_float | int8 | int32 | uint32 | int64, 1, 8},
    {"pad", "", litert_float | uint8 | int32 | int64, 0, 5},
    {"reshape", "", litert_all, 0, 8},
    {"reverse", "", litert_float | int8 | uint8 | int32, 0, 8},
    {"slice", "", litert_float | int8 | uint8 | int32 | uint32 | int64, 0, 5},
    {"split", "", litert_float | int8 | uint8 | int32 | int64, 0, 8},
    {"tile", "", litert_float | uint8 | int32 | int64, 0, 8},
    {"transpose", "", litert_float | int8 | uint8 | int32 | int64, 0, 6},
    {"triangular", "", litert_float | int32 | uint32 | int64, 0, 6},
    {"where", "condition", {uint8}, 0, 5},
    {"where", "", litert_float | int8 | int32 | uint32 | int64, 0, 5},

    {"gemm", "c", litert_float, 0, 2},
    {"gemm", "", litert_float, 2, 2},
    {"matmul", "", litert_float | int8, 0, 5},
    {"gru lstm", "bias recurrentBias peepholeWeight", litert_float, 2, 2},
    {"gru lstm", "", litert_float, 3, 3},
    {"gruCell lstmCell", "bias recurrentBias peepholeWeight", litert_float, 1, 1},
    {"gruCell lstmCell", "", litert_float, 2, 2},
    {"instanceNormalization", "input", litert_float, 4, 4},
    {"instanceNormalization", "", litert_float, 1, 1},
    {"layerNormalization", "", litert_float, 0, 6},
    {"softmax", "", litert_float, 1, 6},
    {"averagePool2d l2Pool2d maxPool2d", "", litert_float, 4, 4},
    {"resample2d", "", litert_float, 0, 4},
    {"quantizeLinear", "zeroPoint", {uint8, int8, int32}, 0, 5},
    {"quantizeLinear", "", litert_float, 0, 5},

    {"reduceL1 reduceSumSquare", "", litert_float | int32, 0, 8},
    {"reduceL2 reduceLogSum reduceLogSumExp", "", litert_float, 0, 8},
    {"reduceMax reduceMin reduceProduct reduceSum", "", litert_float | int32 | int64, 0, 8},
    {"reduceMean", "", litert_float | uint8 | int32 | int64, 0, 8},
};
// clang-format on

}  // namespace

std::span<const OperandLimits> chromium_litert_limits() { return litert_rows; }

}  // namespace webnn::compiler
