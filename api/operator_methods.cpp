// Each method hands its arguments over in the order of the operator's row.
// Written from schema/operators/operator_table.cpp by `webnn-tests --bless -tc='operator methods*'`; do not edit.
#include "api/operator_methods.hpp"

#include "api/attribute_value.hpp"
#include "schema/operators/operator_table.hpp"

// clang-format off
namespace webnn {

using schema::operator""_op;

Operand OperatorMethods::abs(const Operand& input, const OperatorOptions& options) {
  return call("abs"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::ceil(const Operand& input, const OperatorOptions& options) {
  return call("ceil"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::clamp(const Operand& input, const ClampOptions& options) {
  return call("clamp"_op, {input}, attribute_values(options.minValue, options.maxValue), options.label)[0];
}

Operand OperatorMethods::cos(const Operand& input, const OperatorOptions& options) {
  return call("cos"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::elu(const Operand& input, const EluOptions& options) {
  return call("elu"_op, {input}, attribute_values(options.alpha), options.label)[0];
}

Operand OperatorMethods::erf(const Operand& input, const OperatorOptions& options) {
  return call("erf"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::exp(const Operand& input, const OperatorOptions& options) {
  return call("exp"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::floor(const Operand& input, const OperatorOptions& options) {
  return call("floor"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::gelu(const Operand& input, const OperatorOptions& options) {
  return call("gelu"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::hardSigmoid(const Operand& input, const HardSigmoidOptions& options) {
  return call("hardSigmoid"_op, {input}, attribute_values(options.alpha, options.beta), options.label)[0];
}

Operand OperatorMethods::hardSwish(const Operand& input, const OperatorOptions& options) {
  return call("hardSwish"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::leakyRelu(const Operand& input, const LeakyReluOptions& options) {
  return call("leakyRelu"_op, {input}, attribute_values(options.alpha), options.label)[0];
}

Operand OperatorMethods::linear(const Operand& input, const LinearOptions& options) {
  return call("linear"_op, {input}, attribute_values(options.alpha, options.beta), options.label)[0];
}

Operand OperatorMethods::log(const Operand& input, const OperatorOptions& options) {
  return call("log"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::neg(const Operand& input, const OperatorOptions& options) {
  return call("neg"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::reciprocal(const Operand& input, const OperatorOptions& options) {
  return call("reciprocal"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::relu(const Operand& input, const OperatorOptions& options) {
  return call("relu"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::roundEven(const Operand& input, const OperatorOptions& options) {
  return call("roundEven"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::sigmoid(const Operand& input, const OperatorOptions& options) {
  return call("sigmoid"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::sign(const Operand& input, const OperatorOptions& options) {
  return call("sign"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::sin(const Operand& input, const OperatorOptions& options) {
  return call("sin"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::softplus(const Operand& input, const OperatorOptions& options) {
  return call("softplus"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::softsign(const Operand& input, const OperatorOptions& options) {
  return call("softsign"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::sqrt(const Operand& input, const OperatorOptions& options) {
  return call("sqrt"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::tan(const Operand& input, const OperatorOptions& options) {
  return call("tan"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::tanh(const Operand& input, const OperatorOptions& options) {
  return call("tanh"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::add(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("add"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::sub(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("sub"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::mul(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("mul"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::div(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("div"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::max(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("max"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::min(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("min"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::pow(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("pow"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::prelu(const Operand& input, const Operand& slope, const OperatorOptions& options) {
  return call("prelu"_op, {input, slope}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::equal(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("equal"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::notEqual(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("notEqual"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::greater(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("greater"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::greaterOrEqual(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("greaterOrEqual"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::lesser(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("lesser"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::lesserOrEqual(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("lesserOrEqual"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::logicalNot(const Operand& a, const OperatorOptions& options) {
  return call("logicalNot"_op, {a}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::logicalAnd(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("logicalAnd"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::logicalOr(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("logicalOr"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::logicalXor(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("logicalXor"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::isNaN(const Operand& a, const OperatorOptions& options) {
  return call("isNaN"_op, {a}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::isInfinite(const Operand& a, const OperatorOptions& options) {
  return call("isInfinite"_op, {a}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::where(const Operand& condition, const Operand& trueValue, const Operand& falseValue,
    const OperatorOptions& options) {
  return call("where"_op, {condition, trueValue, falseValue}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::cast(const Operand& input, DataType dataType, const OperatorOptions& options) {
  return call("cast"_op, {input}, attribute_values(dataType), options.label)[0];
}

Operand OperatorMethods::identity(const Operand& input, const OperatorOptions& options) {
  return call("identity"_op, {input}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::reshape(const Operand& input, const std::vector<std::uint32_t>& newShape,
    const OperatorOptions& options) {
  return call("reshape"_op, {input}, attribute_values(newShape), options.label)[0];
}

Operand OperatorMethods::concat(const std::vector<Operand>& inputs, std::uint32_t axis,
    const OperatorOptions& options) {
  return call("concat"_op, inputs, attribute_values(axis), options.label)[0];
}

Operand OperatorMethods::expand(const Operand& input, const std::vector<std::uint32_t>& newShape,
    const OperatorOptions& options) {
  return call("expand"_op, {input}, attribute_values(newShape), options.label)[0];
}

Operand OperatorMethods::pad(const Operand& input, const std::vector<std::uint32_t>& beginningPadding,
    const std::vector<std::uint32_t>& endingPadding, const PadOptions& options) {
  return call("pad"_op, {input}, attribute_values(beginningPadding, endingPadding, options.mode, options.value),
      options.label)[0];
}

Operand OperatorMethods::reverse(const Operand& input, const ReverseOptions& options) {
  return call("reverse"_op, {input}, attribute_values(options.axes), options.label)[0];
}

Operand OperatorMethods::slice(const Operand& input, const std::vector<std::uint32_t>& starts,
    const std::vector<std::uint32_t>& sizes, const SliceOptions& options) {
  return call("slice"_op, {input}, attribute_values(starts, sizes, options.strides), options.label)[0];
}

std::vector<Operand> OperatorMethods::split(const Operand& input, const Splits& splits, const SplitOptions& options) {
  return call("split"_op, {input}, attribute_values(splits, options.axis), options.label);
}

Operand OperatorMethods::tile(const Operand& input, const std::vector<std::uint32_t>& repetitions,
    const OperatorOptions& options) {
  return call("tile"_op, {input}, attribute_values(repetitions), options.label)[0];
}

Operand OperatorMethods::transpose(const Operand& input, const TransposeOptions& options) {
  return call("transpose"_op, {input}, attribute_values(options.permutation), options.label)[0];
}

Operand OperatorMethods::triangular(const Operand& input, const TriangularOptions& options) {
  return call("triangular"_op, {input}, attribute_values(options.upper, options.diagonal), options.label)[0];
}

Operand OperatorMethods::gather(const Operand& input, const Operand& indices, const GatherOptions& options) {
  return call("gather"_op, {input, indices}, attribute_values(options.axis), options.label)[0];
}

Operand OperatorMethods::gatherElements(const Operand& input, const Operand& indices, const GatherOptions& options) {
  return call("gatherElements"_op, {input, indices}, attribute_values(options.axis), options.label)[0];
}

Operand OperatorMethods::gatherND(const Operand& input, const Operand& indices, const OperatorOptions& options) {
  return call("gatherND"_op, {input, indices}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::scatterElements(const Operand& input, const Operand& indices, const Operand& updates,
    const ScatterOptions& options) {
  return call("scatterElements"_op, {input, indices, updates}, attribute_values(options.axis), options.label)[0];
}

Operand OperatorMethods::scatterND(const Operand& input, const Operand& indices, const Operand& updates,
    const OperatorOptions& options) {
  return call("scatterND"_op, {input, indices, updates}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::reduceL1(const Operand& input, const ReduceOptions& options) {
  return call("reduceL1"_op, {input}, attribute_values(options.axes, options.keepDimensions), options.label)[0];
}

Operand OperatorMethods::reduceL2(const Operand& input, const ReduceOptions& options) {
  return call("reduceL2"_op, {input}, attribute_values(options.axes, options.keepDimensions), options.label)[0];
}

Operand OperatorMethods::reduceLogSum(const Operand& input, const ReduceOptions& options) {
  return call("reduceLogSum"_op, {input}, attribute_values(options.axes, options.keepDimensions), options.label)[0];
}

Operand OperatorMethods::reduceLogSumExp(const Operand& input, const ReduceOptions& options) {
  return call("reduceLogSumExp"_op, {input}, attribute_values(options.axes, options.keepDimensions), options.label)[0];
}

Operand OperatorMethods::reduceMax(const Operand& input, const ReduceOptions& options) {
  return call("reduceMax"_op, {input}, attribute_values(options.axes, options.keepDimensions), options.label)[0];
}

Operand OperatorMethods::reduceMean(const Operand& input, const ReduceOptions& options) {
  return call("reduceMean"_op, {input}, attribute_values(options.axes, options.keepDimensions), options.label)[0];
}

Operand OperatorMethods::reduceMin(const Operand& input, const ReduceOptions& options) {
  return call("reduceMin"_op, {input}, attribute_values(options.axes, options.keepDimensions), options.label)[0];
}

Operand OperatorMethods::reduceProduct(const Operand& input, const ReduceOptions& options) {
  return call("reduceProduct"_op, {input}, attribute_values(options.axes, options.keepDimensions), options.label)[0];
}

Operand OperatorMethods::reduceSum(const Operand& input, const ReduceOptions& options) {
  return call("reduceSum"_op, {input}, attribute_values(options.axes, options.keepDimensions), options.label)[0];
}

Operand OperatorMethods::reduceSumSquare(const Operand& input, const ReduceOptions& options) {
  return call("reduceSumSquare"_op, {input}, attribute_values(options.axes, options.keepDimensions), options.label)[0];
}

Operand OperatorMethods::argMin(const Operand& input, std::uint32_t axis, const ArgMinMaxOptions& options) {
  return call("argMin"_op, {input}, attribute_values(axis, options.keepDimensions, options.outputDataType),
      options.label)[0];
}

Operand OperatorMethods::argMax(const Operand& input, std::uint32_t axis, const ArgMinMaxOptions& options) {
  return call("argMax"_op, {input}, attribute_values(axis, options.keepDimensions, options.outputDataType),
      options.label)[0];
}

Operand OperatorMethods::cumulativeSum(const Operand& input, std::uint32_t axis, const CumulativeSumOptions& options) {
  return call("cumulativeSum"_op, {input}, attribute_values(axis, options.exclusive, options.reversed),
      options.label)[0];
}

Operand OperatorMethods::batchNormalization(const Operand& input, const Operand& mean, const Operand& variance,
    const BatchNormalizationOptions& options) {
  return call("batchNormalization"_op, {input, mean, variance, options.scale, options.bias},
      attribute_values(options.axis, options.epsilon), options.label)[0];
}

Operand OperatorMethods::instanceNormalization(const Operand& input, const InstanceNormalizationOptions& options) {
  return call("instanceNormalization"_op, {input, options.scale, options.bias}, attribute_values(options.epsilon,
      options.layout), options.label)[0];
}

Operand OperatorMethods::layerNormalization(const Operand& input, const LayerNormalizationOptions& options) {
  return call("layerNormalization"_op, {input, options.scale, options.bias}, attribute_values(options.axes,
      options.epsilon), options.label)[0];
}

Operand OperatorMethods::softmax(const Operand& input, std::uint32_t axis, const OperatorOptions& options) {
  return call("softmax"_op, {input}, attribute_values(axis), options.label)[0];
}

Operand OperatorMethods::averagePool2d(const Operand& input, const Pool2dOptions& options) {
  return call("averagePool2d"_op, {input}, attribute_values(options.windowDimensions, options.padding, options.strides,
      options.dilations, options.layout, options.outputShapeRounding, options.outputSizes), options.label)[0];
}

Operand OperatorMethods::l2Pool2d(const Operand& input, const Pool2dOptions& options) {
  return call("l2Pool2d"_op, {input}, attribute_values(options.windowDimensions, options.padding, options.strides,
      options.dilations, options.layout, options.outputShapeRounding, options.outputSizes), options.label)[0];
}

Operand OperatorMethods::maxPool2d(const Operand& input, const Pool2dOptions& options) {
  return call("maxPool2d"_op, {input}, attribute_values(options.windowDimensions, options.padding, options.strides,
      options.dilations, options.layout, options.outputShapeRounding, options.outputSizes), options.label)[0];
}

Operand OperatorMethods::conv2d(const Operand& input, const Operand& filter, const Conv2dOptions& options) {
  return call("conv2d"_op, {input, filter, options.bias}, attribute_values(options.padding, options.strides,
      options.dilations, options.groups, options.inputLayout, options.filterLayout), options.label)[0];
}

Operand OperatorMethods::convTranspose2d(const Operand& input, const Operand& filter,
    const ConvTranspose2dOptions& options) {
  return call("convTranspose2d"_op, {input, filter, options.bias}, attribute_values(options.padding, options.strides,
      options.dilations, options.outputPadding, options.outputSizes, options.groups, options.inputLayout,
      options.filterLayout), options.label)[0];
}

Operand OperatorMethods::gemm(const Operand& a, const Operand& b, const GemmOptions& options) {
  return call("gemm"_op, {a, b, options.c}, attribute_values(options.alpha, options.beta, options.aTranspose,
      options.bTranspose), options.label)[0];
}

Operand OperatorMethods::matmul(const Operand& a, const Operand& b, const OperatorOptions& options) {
  return call("matmul"_op, {a, b}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::resample2d(const Operand& input, const Resample2dOptions& options) {
  return call("resample2d"_op, {input}, attribute_values(options.mode, options.scales, options.sizes, options.axes),
      options.label)[0];
}

Operand OperatorMethods::quantizeLinear(const Operand& input, const Operand& scale, const Operand& zeroPoint,
    const OperatorOptions& options) {
  return call("quantizeLinear"_op, {input, scale, zeroPoint}, attribute_values(), options.label)[0];
}

Operand OperatorMethods::dequantizeLinear(const Operand& input, const Operand& scale, const Operand& zeroPoint,
    const OperatorOptions& options) {
  return call("dequantizeLinear"_op, {input, scale, zeroPoint}, attribute_values(), options.label)[0];
}

std::vector<Operand> OperatorMethods::gru(const Operand& input, const Operand& weight, const Operand& recurrentWeight,
    std::uint32_t steps, std::uint32_t hiddenSize, const GruOptions& options) {
  return call("gru"_op, {input, weight, recurrentWeight, options.bias, options.recurrentBias,
      options.initialHiddenState}, attribute_values(steps, hiddenSize, options.resetAfter, options.returnSequence,
      options.direction, options.layout, options.activations), options.label);
}

Operand OperatorMethods::gruCell(const Operand& input, const Operand& weight, const Operand& recurrentWeight,
    const Operand& hiddenState, std::uint32_t hiddenSize, const GruCellOptions& options) {
  return call("gruCell"_op, {input, weight, recurrentWeight, hiddenState, options.bias, options.recurrentBias},
      attribute_values(hiddenSize, options.resetAfter, options.layout, options.activations), options.label)[0];
}

std::vector<Operand> OperatorMethods::lstm(const Operand& input, const Operand& weight, const Operand& recurrentWeight,
    std::uint32_t steps, std::uint32_t hiddenSize, const LstmOptions& options) {
  return call("lstm"_op, {input, weight, recurrentWeight, options.bias, options.recurrentBias, options.peepholeWeight,
      options.initialHiddenState, options.initialCellState}, attribute_values(steps, hiddenSize,
      options.returnSequence, options.direction, options.layout, options.activations), options.label);
}

std::vector<Operand> OperatorMethods::lstmCell(const Operand& input, const Operand& weight,
    const Operand& recurrentWeight, const Operand& hiddenState, const Operand& cellState, std::uint32_t hiddenSize,
    const LstmCellOptions& options) {
  return call("lstmCell"_op, {input, weight, recurrentWeight, hiddenState, cellState, options.bias,
      options.recurrentBias, options.peepholeWeight}, attribute_values(hiddenSize, options.layout,
      options.activations), options.label);
}

}  // namespace webnn
