// The same where browsers have it. Written by types.mjs; do not edit.
import type * as webnn from "./index.js";

declare global {
  interface Navigator {
    readonly ml: webnn.ML;
  }
  var navigator: Navigator;
  var MLOperand: typeof webnn.MLOperand;
  var MLTensor: typeof webnn.MLTensor;
  var MLGraph: typeof webnn.MLGraph;
  var MLContext: typeof webnn.MLContext;
  var ML: typeof webnn.ML;
  var MLGraphBuilder: typeof webnn.MLGraphBuilder;
  type MLOperandDataType = webnn.MLOperandDataType;
  type MLNumber = webnn.MLNumber;
  type MLPowerPreference = webnn.MLPowerPreference;
  type MLDeviceType = webnn.MLDeviceType;
  type MLContextOptions = webnn.MLContextOptions;
  type MLContextLostInfo = webnn.MLContextLostInfo;
  type MLOperandDescriptor = webnn.MLOperandDescriptor;
  type MLTensorDescriptor = webnn.MLTensorDescriptor;
  type MLOperatorOptions = webnn.MLOperatorOptions;
  type MLArgMinMaxOptions = webnn.MLArgMinMaxOptions;
  type MLBatchNormalizationOptions = webnn.MLBatchNormalizationOptions;
  type MLClampOptions = webnn.MLClampOptions;
  type MLConv2dOptions = webnn.MLConv2dOptions;
  type MLConvTranspose2dOptions = webnn.MLConvTranspose2dOptions;
  type MLCumulativeSumOptions = webnn.MLCumulativeSumOptions;
  type MLEluOptions = webnn.MLEluOptions;
  type MLGatherOptions = webnn.MLGatherOptions;
  type MLGemmOptions = webnn.MLGemmOptions;
  type MLGruCellOptions = webnn.MLGruCellOptions;
  type MLGruOptions = webnn.MLGruOptions;
  type MLHardSigmoidOptions = webnn.MLHardSigmoidOptions;
  type MLInstanceNormalizationOptions = webnn.MLInstanceNormalizationOptions;
  type MLLayerNormalizationOptions = webnn.MLLayerNormalizationOptions;
  type MLLeakyReluOptions = webnn.MLLeakyReluOptions;
  type MLLinearOptions = webnn.MLLinearOptions;
  type MLLstmCellOptions = webnn.MLLstmCellOptions;
  type MLLstmOptions = webnn.MLLstmOptions;
  type MLPadOptions = webnn.MLPadOptions;
  type MLPool2dOptions = webnn.MLPool2dOptions;
  type MLReduceOptions = webnn.MLReduceOptions;
  type MLResample2dOptions = webnn.MLResample2dOptions;
  type MLReverseOptions = webnn.MLReverseOptions;
  type MLScatterOptions = webnn.MLScatterOptions;
  type MLSliceOptions = webnn.MLSliceOptions;
  type MLSplitOptions = webnn.MLSplitOptions;
  type MLTransposeOptions = webnn.MLTransposeOptions;
  type MLTriangularOptions = webnn.MLTriangularOptions;
  type MLRankRange = webnn.MLRankRange;
  type MLTensorLimits = webnn.MLTensorLimits;
  type MLOperatorName = webnn.MLOperatorName;
  type MLInputOperandLayout = webnn.MLInputOperandLayout;
  type MLOpSupportLimits = webnn.MLOpSupportLimits;
  type MLOperand = webnn.MLOperand;
  type MLTensor = webnn.MLTensor;
  type MLNamedOperands = webnn.MLNamedOperands;
  type MLNamedTensors = webnn.MLNamedTensors;
  type MLGraph = webnn.MLGraph;
  type MLContext = webnn.MLContext;
  type ML = webnn.ML;
  type MLGraphBuilder = webnn.MLGraphBuilder;
}
