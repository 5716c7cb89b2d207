// The operators' methods of GraphBuilder and their options, with the specification's names.
// Written from schema/operators/operator_table.cpp by `webnn-tests --bless -tc='operator methods*'`; do not edit.
//
// Operands and required attributes are arguments; everything else is an option, and the specification says what an
// absent one means. `label` names the operator in messages and profiles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/operand.hpp"

namespace webnn::schema {
class Attributes;
struct OperatorId;
}  // namespace webnn::schema

// clang-format off
namespace webnn {

struct OperatorOptions {
  std::string label{};
};

struct ClampOptions {
  std::optional<Number> minValue{};
  std::optional<Number> maxValue{};
  std::string label{};
};

struct EluOptions {
  std::optional<double> alpha{};
  std::string label{};
};

struct HardSigmoidOptions {
  std::optional<double> alpha{};
  std::optional<double> beta{};
  std::string label{};
};

struct LeakyReluOptions {
  std::optional<double> alpha{};
  std::string label{};
};

struct LinearOptions {
  std::optional<double> alpha{};
  std::optional<double> beta{};
  std::string label{};
};

struct PadOptions {
  std::optional<std::string> mode{};  // constant, edge, reflection
  std::optional<Number> value{};
  std::string label{};
};

struct ReverseOptions {
  std::optional<std::vector<std::uint32_t>> axes{};
  std::string label{};
};

struct SliceOptions {
  std::optional<std::vector<std::uint32_t>> strides{};
  std::string label{};
};

struct SplitOptions {
  std::optional<std::uint32_t> axis{};
  std::string label{};
};

struct TransposeOptions {
  std::optional<std::vector<std::uint32_t>> permutation{};
  std::string label{};
};

struct TriangularOptions {
  std::optional<bool> upper{};
  std::optional<std::int32_t> diagonal{};
  std::string label{};
};

struct GatherOptions {
  std::optional<std::uint32_t> axis{};
  std::string label{};
};

struct ScatterOptions {
  std::optional<std::uint32_t> axis{};
  std::string label{};
};

struct ReduceOptions {
  std::optional<std::vector<std::uint32_t>> axes{};
  std::optional<bool> keepDimensions{};
  std::string label{};
};

struct ArgMinMaxOptions {
  std::optional<bool> keepDimensions{};
  std::optional<DataType> outputDataType{};
  std::string label{};
};

struct CumulativeSumOptions {
  std::optional<bool> exclusive{};
  std::optional<bool> reversed{};
  std::string label{};
};

struct BatchNormalizationOptions {
  Operand scale{};
  Operand bias{};
  std::optional<std::uint32_t> axis{};
  std::optional<double> epsilon{};
  std::string label{};
};

struct InstanceNormalizationOptions {
  Operand scale{};
  Operand bias{};
  std::optional<double> epsilon{};
  std::optional<std::string> layout{};  // nchw, nhwc
  std::string label{};
};

struct LayerNormalizationOptions {
  Operand scale{};
  Operand bias{};
  std::optional<std::vector<std::uint32_t>> axes{};
  std::optional<double> epsilon{};
  std::string label{};
};

struct Pool2dOptions {
  std::optional<std::vector<std::uint32_t>> windowDimensions{};
  std::optional<std::vector<std::uint32_t>> padding{};
  std::optional<std::vector<std::uint32_t>> strides{};
  std::optional<std::vector<std::uint32_t>> dilations{};
  std::optional<std::string> layout{};  // nchw, nhwc
  std::optional<std::string> outputShapeRounding{};  // floor, ceil
  std::optional<std::vector<std::uint32_t>> outputSizes{};
  std::string label{};
};

struct Conv2dOptions {
  Operand bias{};
  std::optional<std::vector<std::uint32_t>> padding{};
  std::optional<std::vector<std::uint32_t>> strides{};
  std::optional<std::vector<std::uint32_t>> dilations{};
  std::optional<std::uint32_t> groups{};
  std::optional<std::string> inputLayout{};  // nchw, nhwc
  std::optional<std::string> filterLayout{};  // oihw, hwio, ohwi, ihwo
  std::string label{};
};

struct ConvTranspose2dOptions {
  Operand bias{};
  std::optional<std::vector<std::uint32_t>> padding{};
  std::optional<std::vector<std::uint32_t>> strides{};
  std::optional<std::vector<std::uint32_t>> dilations{};
  std::optional<std::vector<std::uint32_t>> outputPadding{};
  std::optional<std::vector<std::uint32_t>> outputSizes{};
  std::optional<std::uint32_t> groups{};
  std::optional<std::string> inputLayout{};  // nchw, nhwc
  std::optional<std::string> filterLayout{};  // iohw, hwoi, ohwi
  std::string label{};
};

struct GemmOptions {
  Operand c{};
  std::optional<double> alpha{};
  std::optional<double> beta{};
  std::optional<bool> aTranspose{};
  std::optional<bool> bTranspose{};
  std::string label{};
};

struct Resample2dOptions {
  std::optional<std::string> mode{};  // nearest-neighbor, linear
  std::optional<std::vector<double>> scales{};
  std::optional<std::vector<std::uint32_t>> sizes{};
  std::optional<std::vector<std::uint32_t>> axes{};
  std::string label{};
};

struct GruOptions {
  Operand bias{};
  Operand recurrentBias{};
  Operand initialHiddenState{};
  std::optional<bool> resetAfter{};
  std::optional<bool> returnSequence{};
  std::optional<std::string> direction{};  // forward, backward, both
  std::optional<std::string> layout{};  // zrn, rzn
  std::optional<std::vector<std::string>> activations{};  // relu, sigmoid, tanh
  std::string label{};
};

struct GruCellOptions {
  Operand bias{};
  Operand recurrentBias{};
  std::optional<bool> resetAfter{};
  std::optional<std::string> layout{};  // zrn, rzn
  std::optional<std::vector<std::string>> activations{};  // relu, sigmoid, tanh
  std::string label{};
};

struct LstmOptions {
  Operand bias{};
  Operand recurrentBias{};
  Operand peepholeWeight{};
  Operand initialHiddenState{};
  Operand initialCellState{};
  std::optional<bool> returnSequence{};
  std::optional<std::string> direction{};  // forward, backward, both
  std::optional<std::string> layout{};  // iofg, ifgo
  std::optional<std::vector<std::string>> activations{};  // relu, sigmoid, tanh
  std::string label{};
};

struct LstmCellOptions {
  Operand bias{};
  Operand recurrentBias{};
  Operand peepholeWeight{};
  std::optional<std::string> layout{};  // iofg, ifgo
  std::optional<std::vector<std::string>> activations{};  // relu, sigmoid, tanh
  std::string label{};
};

class WEBNN_API OperatorMethods {
 public:
  OperatorMethods() = default;
  virtual ~OperatorMethods() = default;
  OperatorMethods(const OperatorMethods&) = delete;
  OperatorMethods& operator=(const OperatorMethods&) = delete;

  Operand abs(const Operand& input, const OperatorOptions& options = {});
  Operand ceil(const Operand& input, const OperatorOptions& options = {});
  Operand clamp(const Operand& input, const ClampOptions& options = {});
  Operand cos(const Operand& input, const OperatorOptions& options = {});
  Operand elu(const Operand& input, const EluOptions& options = {});
  Operand erf(const Operand& input, const OperatorOptions& options = {});
  Operand exp(const Operand& input, const OperatorOptions& options = {});
  Operand floor(const Operand& input, const OperatorOptions& options = {});
  Operand gelu(const Operand& input, const OperatorOptions& options = {});
  Operand hardSigmoid(const Operand& input, const HardSigmoidOptions& options = {});
  Operand hardSwish(const Operand& input, const OperatorOptions& options = {});
  Operand leakyRelu(const Operand& input, const LeakyReluOptions& options = {});
  Operand linear(const Operand& input, const LinearOptions& options = {});
  Operand log(const Operand& input, const OperatorOptions& options = {});
  Operand neg(const Operand& input, const OperatorOptions& options = {});
  Operand reciprocal(const Operand& input, const OperatorOptions& options = {});
  Operand relu(const Operand& input, const OperatorOptions& options = {});
  Operand roundEven(const Operand& input, const OperatorOptions& options = {});
  Operand sigmoid(const Operand& input, const OperatorOptions& options = {});
  Operand sign(const Operand& input, const OperatorOptions& options = {});
  Operand sin(const Operand& input, const OperatorOptions& options = {});
  Operand softplus(const Operand& input, const OperatorOptions& options = {});
  Operand softsign(const Operand& input, const OperatorOptions& options = {});
  Operand sqrt(const Operand& input, const OperatorOptions& options = {});
  Operand tan(const Operand& input, const OperatorOptions& options = {});
  Operand tanh(const Operand& input, const OperatorOptions& options = {});
  Operand add(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand sub(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand mul(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand div(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand max(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand min(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand pow(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand prelu(const Operand& input, const Operand& slope, const OperatorOptions& options = {});
  Operand equal(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand notEqual(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand greater(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand greaterOrEqual(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand lesser(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand lesserOrEqual(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand logicalNot(const Operand& a, const OperatorOptions& options = {});
  Operand logicalAnd(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand logicalOr(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand logicalXor(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand isNaN(const Operand& a, const OperatorOptions& options = {});
  Operand isInfinite(const Operand& a, const OperatorOptions& options = {});
  Operand where(const Operand& condition, const Operand& trueValue, const Operand& falseValue,
      const OperatorOptions& options = {});
  Operand cast(const Operand& input, DataType dataType, const OperatorOptions& options = {});
  Operand identity(const Operand& input, const OperatorOptions& options = {});
  Operand reshape(const Operand& input, const std::vector<std::uint32_t>& newShape,
      const OperatorOptions& options = {});
  Operand concat(const std::vector<Operand>& inputs, std::uint32_t axis, const OperatorOptions& options = {});
  Operand expand(const Operand& input, const std::vector<std::uint32_t>& newShape, const OperatorOptions& options = {});
  Operand pad(const Operand& input, const std::vector<std::uint32_t>& beginningPadding,
      const std::vector<std::uint32_t>& endingPadding, const PadOptions& options = {});
  Operand reverse(const Operand& input, const ReverseOptions& options = {});
  Operand slice(const Operand& input, const std::vector<std::uint32_t>& starts,
      const std::vector<std::uint32_t>& sizes, const SliceOptions& options = {});
  std::vector<Operand> split(const Operand& input, const Splits& splits, const SplitOptions& options = {});
  Operand tile(const Operand& input, const std::vector<std::uint32_t>& repetitions,
      const OperatorOptions& options = {});
  Operand transpose(const Operand& input, const TransposeOptions& options = {});
  Operand triangular(const Operand& input, const TriangularOptions& options = {});
  Operand gather(const Operand& input, const Operand& indices, const GatherOptions& options = {});
  Operand gatherElements(const Operand& input, const Operand& indices, const GatherOptions& options = {});
  Operand gatherND(const Operand& input, const Operand& indices, const OperatorOptions& options = {});
  Operand scatterElements(const Operand& input, const Operand& indices, const Operand& updates,
      const ScatterOptions& options = {});
  Operand scatterND(const Operand& input, const Operand& indices, const Operand& updates,
      const OperatorOptions& options = {});
  Operand reduceL1(const Operand& input, const ReduceOptions& options = {});
  Operand reduceL2(const Operand& input, const ReduceOptions& options = {});
  Operand reduceLogSum(const Operand& input, const ReduceOptions& options = {});
  Operand reduceLogSumExp(const Operand& input, const ReduceOptions& options = {});
  Operand reduceMax(const Operand& input, const ReduceOptions& options = {});
  Operand reduceMean(const Operand& input, const ReduceOptions& options = {});
  Operand reduceMin(const Operand& input, const ReduceOptions& options = {});
  Operand reduceProduct(const Operand& input, const ReduceOptions& options = {});
  Operand reduceSum(const Operand& input, const ReduceOptions& options = {});
  Operand reduceSumSquare(const Operand& input, const ReduceOptions& options = {});
  Operand argMin(const Operand& input, std::uint32_t axis, const ArgMinMaxOptions& options = {});
  Operand argMax(const Operand& input, std::uint32_t axis, const ArgMinMaxOptions& options = {});
  Operand cumulativeSum(const Operand& input, std::uint32_t axis, const CumulativeSumOptions& options = {});
  Operand batchNormalization(const Operand& input, const Operand& mean, const Operand& variance,
      const BatchNormalizationOptions& options = {});
  Operand instanceNormalization(const Operand& input, const InstanceNormalizationOptions& options = {});
  Operand layerNormalization(const Operand& input, const LayerNormalizationOptions& options = {});
  Operand softmax(const Operand& input, std::uint32_t axis, const OperatorOptions& options = {});
  Operand averagePool2d(const Operand& input, const Pool2dOptions& options = {});
  Operand l2Pool2d(const Operand& input, const Pool2dOptions& options = {});
  Operand maxPool2d(const Operand& input, const Pool2dOptions& options = {});
  Operand conv2d(const Operand& input, const Operand& filter, const Conv2dOptions& options = {});
  Operand convTranspose2d(const Operand& input, const Operand& filter, const ConvTranspose2dOptions& options = {});
  Operand gemm(const Operand& a, const Operand& b, const GemmOptions& options = {});
  Operand matmul(const Operand& a, const Operand& b, const OperatorOptions& options = {});
  Operand resample2d(const Operand& input, const Resample2dOptions& options = {});
  Operand quantizeLinear(const Operand& input, const Operand& scale, const Operand& zeroPoint,
      const OperatorOptions& options = {});
  Operand dequantizeLinear(const Operand& input, const Operand& scale, const Operand& zeroPoint,
      const OperatorOptions& options = {});
  std::vector<Operand> gru(const Operand& input, const Operand& weight, const Operand& recurrentWeight,
      std::uint32_t steps, std::uint32_t hiddenSize, const GruOptions& options = {});
  Operand gruCell(const Operand& input, const Operand& weight, const Operand& recurrentWeight,
      const Operand& hiddenState, std::uint32_t hiddenSize, const GruCellOptions& options = {});
  std::vector<Operand> lstm(const Operand& input, const Operand& weight, const Operand& recurrentWeight,
      std::uint32_t steps, std::uint32_t hiddenSize, const LstmOptions& options = {});
  std::vector<Operand> lstmCell(const Operand& input, const Operand& weight, const Operand& recurrentWeight,
      const Operand& hiddenState, const Operand& cellState, std::uint32_t hiddenSize,
      const LstmCellOptions& options = {});

 private:
  /// Adds a call; operands and attributes follow the operator's row. Throws Error (usage) when it is wrong.
  virtual std::vector<Operand> call(schema::OperatorId op, const std::vector<Operand>& operands,
                                    schema::Attributes attributes, const std::string& label) = 0;
};

}  // namespace webnn
