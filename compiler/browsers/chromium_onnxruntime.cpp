// What Chromium takes where ONNX Runtime runs its graphs.
//
// Source: Chromium 151.0.7909.0, services/webnn/ort/context_impl_ort.cc, GetContextProperties(), for each operand as
// third_party/blink/renderer/modules/ml/ml_context.cc reports it by opSupportLimits(). Read on 23 November 2026.
#include "compiler/browsers/browsers.hpp"

namespace webnn::compiler {
namespace {

using enum DataType;

constexpr DataTypes ort_float{float32, float16};
constexpr DataTypes ort_signed{float32, float16, int32, int64};
constexpr DataTypes ort_index{int32, int64};
constexpr DataTypes ort_wide{float32, float16, int32, uint32, int64, uint64};
constexpr DataTypes ort_bytes{float32, float16, int32, uint32, int64, uint64, int8, uint8};
constexpr DataTypes ort_quantized{int4, uint4, int8, uint8};
constexpr DataTypes ort_all = ort_bytes | int4 | uint4;

// Columns: operators; operands; types; lowest and highest rank.
// clang-format off
constexpr OperandLimits ort_rows[] = {
    {"argMin argMax", "output", ort_index, 0, 8},
    {"argMin argMax", "", ort_bytes, 1, 8},
    {"batchNormalization", "input", ort_float, 1, 8},
    {"batchNormalization", "", ort_float, 1, 1},
    {"cast", "input output", ort_all, 0, 8},
    {"clamp", "", ort_bytes, 0, 8},
    {"concat", "", ort_bytes, 1, 8},
    {"conv2d convTranspose2d", "bias", ort_float, 1, 1},
    {"conv2d convTranspose2d", "", ort_float, 3, 8},
    {"cumulativeSum", "", ort_signed, 1, 8},
    {"dequantizeLinear", "scale", ort_float, 0, 8},
    {"dequantizeLinear", "", ort_quantized, 0, 8},  // int32 too with some of its execution providers

    {"add sub mul div max min", "", ort_bytes, 0, 8},
    {"pow", "", ort_signed, 0, 8},
    {"equal greater greaterOrEqual lesser lesserOrEqual notEqual", "", ort_bytes, 0, 8},
    {"logicalAnd logicalOr logicalXor logicalNot", "", {uint8}, 0, 8},
    {"isNaN isInfinite", "", ort_float, 0, 8},

    {"abs erf sign", "", ort_bytes, 0, 8},
    {"ceil cos exp floor log reciprocal roundEven sin sqrt tan", "", ort_float, 0, 8},
    {"elu gelu hardSigmoid hardSwish leakyRelu linear sigmoid softplus softsign tanh", "", ort_float, 0, 8},
    {"identity", "", ort_all, 0, 8},
    {"neg relu", "", ort_signed | int8, 0, 8},
    {"prelu", "", ort_wide, 0, 8},

    {"expand pad reshape reverse slice tile", "", ort_bytes, 0, 8},
    {"gather", "indices", ort_index, 0, 8},
    {"gatherElements gatherND scatterElements scatterND", "indices", ort_index, 1, 8},
    {"scatterND", "updates", ort_bytes, 0, 8},
    {"gather gatherElements gatherND scatterElements scatterND split", "", ort_bytes, 1, 8},
    {"transpose", "", ort_all, 0, 8},
    {"triangular", "", ort_float | int64, 2, 8},
    {"where", "condition", {uint8}, 0, 8},
    {"where", "", ort_signed | uint8, 0, 8},

    {"gemm", "c", ort_wide, 0, 2},
    {"gemm", "", ort_wide, 2, 2},
    {"matmul", "", ort_wide, 0, 8},
    {"gru lstm", "bias recurrentBias peepholeWeight", ort_float, 2, 2},
    {"gru lstm", "", ort_float, 3, 3},
    {"gruCell lstmCell", "bias recurrentBias peepholeWeight", ort_float, 1, 1},
    {"gruCell lstmCell", "", ort_float, 2, 2},
    {"instanceNormalization", "input", ort_float, 4, 4},
    {"instanceNormalization", "", ort_float, 1, 1},
    {"layerNormalization", "", ort_float, 0, 8},
    {"softmax", "", ort_float, 1, 8},
    {"averagePool2d l2Pool2d", "", ort_float, 3, 8},
    {"maxPool2d", "", ort_float | int8 | uint8, 3, 8},
    {"resample2d", "", ort_float | int8 | uint8 | int32, 4, 4},
    {"quantizeLinear", "zeroPoint", ort_quantized, 0, 8},
    {"quantizeLinear", "", ort_float | int32, 0, 8},

    {"reduceL1 reduceL2 reduceLogSum reduceLogSumExp reduceMax reduceMean reduceMin reduceProduct reduceSum reduceSumSquare",
     "", ort_signed, 0, 8},
};
// clang-format on

}  // namespace

std::span<const OperandLimits> chromium_onnxruntime_limits() { return ort_rows; }

}  // namespace webnn::compiler
