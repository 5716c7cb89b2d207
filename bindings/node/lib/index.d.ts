// The W3C Web Neural Network API. Written by types.mjs; do not edit.

export type MLOperandDataType =
    "float32" | "float16" | "int32" | "uint32" | "int64" | "uint64" | "int8" | "uint8" | "int4" | "uint4";
export type MLNumber = number | bigint;
export type AllowSharedBufferSource = ArrayBufferLike | ArrayBufferView;

export type MLPowerPreference = "default" | "high-performance" | "low-power";
export type MLDeviceType = "cpu" | "gpu" | "npu";
export interface MLContextOptions {
  accelerated?: boolean;
  powerPreference?: MLPowerPreference;
  /** Of an older edition of the specification. */
  deviceType?: MLDeviceType;
  /** Beyond the specification: a device as `webnn-cli --device` names it. */
  device?: string;
  /** Beyond the specification: how many threads may work at the same time; 0 or none: as many as the process may use. */
  threads?: number;
  /** Beyond the specification: the most bytes for a graph while it is compiled and while it runs; 0 or none: no limit. */
  maxMemory?: number;
  /**
   * Beyond the specification: the most work of a run, arithmetic operations plus bytes read and written, known before
   * anything runs; 0 or none: no limit.
   */
  maxWork?: number;
}
export interface MLContextLostInfo {
  readonly message: string;
}
export interface MLOperandDescriptor {
  dataType: MLOperandDataType;
  shape: Iterable<number>;
}
export interface MLTensorDescriptor extends MLOperandDescriptor {
  readable?: boolean;
  writable?: boolean;
}
export interface MLOperatorOptions {
  label?: string;
}
export interface MLArgMinMaxOptions extends MLOperatorOptions {
  keepDimensions?: boolean;
  outputDataType?: MLOperandDataType;
}
export interface MLBatchNormalizationOptions extends MLOperatorOptions {
  scale?: MLOperand;
  bias?: MLOperand;
  axis?: number;
  epsilon?: number;
}
export interface MLClampOptions extends MLOperatorOptions {
  minValue?: MLNumber;
  maxValue?: MLNumber;
}
export interface MLConv2dOptions extends MLOperatorOptions {
  bias?: MLOperand;
  padding?: Iterable<number>;
  strides?: Iterable<number>;
  dilations?: Iterable<number>;
  groups?: number;
  inputLayout?: "nchw" | "nhwc";
  filterLayout?: "oihw" | "hwio" | "ohwi" | "ihwo";
}
export interface MLConvTranspose2dOptions extends MLOperatorOptions {
  bias?: MLOperand;
  padding?: Iterable<number>;
  strides?: Iterable<number>;
  dilations?: Iterable<number>;
  outputPadding?: Iterable<number>;
  outputSizes?: Iterable<number>;
  groups?: number;
  inputLayout?: "nchw" | "nhwc";
  filterLayout?: "iohw" | "hwoi" | "ohwi";
}
export interface MLCumulativeSumOptions extends MLOperatorOptions {
  exclusive?: boolean;
  reversed?: boolean;
}
export interface MLEluOptions extends MLOperatorOptions {
  alpha?: number;
}
export interface MLGatherOptions extends MLOperatorOptions {
  axis?: number;
}
export interface MLGemmOptions extends MLOperatorOptions {
  c?: MLOperand;
  alpha?: number;
  beta?: number;
  aTranspose?: boolean;
  bTranspose?: boolean;
}
export interface MLGruCellOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  resetAfter?: boolean;
  layout?: "zrn" | "rzn";
  activations?: Iterable<"relu" | "sigmoid" | "tanh">;
}
export interface MLGruOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  initialHiddenState?: MLOperand;
  resetAfter?: boolean;
  returnSequence?: boolean;
  direction?: "forward" | "backward" | "both";
  layout?: "zrn" | "rzn";
  activations?: Iterable<"relu" | "sigmoid" | "tanh">;
}
export interface MLHardSigmoidOptions extends MLOperatorOptions {
  alpha?: number;
  beta?: number;
}
export interface MLInstanceNormalizationOptions extends MLOperatorOptions {
  scale?: MLOperand;
  bias?: MLOperand;
  epsilon?: number;
  layout?: "nchw" | "nhwc";
}
export interface MLLayerNormalizationOptions extends MLOperatorOptions {
  scale?: MLOperand;
  bias?: MLOperand;
  axes?: Iterable<number>;
  epsilon?: number;
}
export interface MLLeakyReluOptions extends MLOperatorOptions {
  alpha?: number;
}
export interface MLLinearOptions extends MLOperatorOptions {
  alpha?: number;
  beta?: number;
}
export interface MLLstmCellOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  peepholeWeight?: MLOperand;
  layout?: "iofg" | "ifgo";
  activations?: Iterable<"relu" | "sigmoid" | "tanh">;
}
export interface MLLstmOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  peepholeWeight?: MLOperand;
  initialHiddenState?: MLOperand;
  initialCellState?: MLOperand;
  returnSequence?: boolean;
  direction?: "forward" | "backward" | "both";
  layout?: "iofg" | "ifgo";
  activations?: Iterable<"relu" | "sigmoid" | "tanh">;
}
export interface MLPadOptions extends MLOperatorOptions {
  mode?: "constant" | "edge" | "reflection";
  value?: MLNumber;
}
export interface MLPool2dOptions extends MLOperatorOptions {
  windowDimensions?: Iterable<number>;
  padding?: Iterable<number>;
  strides?: Iterable<number>;
  dilations?: Iterable<number>;
  layout?: "nchw" | "nhwc";
  outputShapeRounding?: "floor" | "ceil";
  outputSizes?: Iterable<number>;
}
export interface MLReduceOptions extends MLOperatorOptions {
  axes?: Iterable<number>;
  keepDimensions?: boolean;
}
export interface MLResample2dOptions extends MLOperatorOptions {
  mode?: "nearest-neighbor" | "linear";
  scales?: Iterable<number>;
  sizes?: Iterable<number>;
  axes?: Iterable<number>;
}
export interface MLReverseOptions extends MLOperatorOptions {
  axes?: Iterable<number>;
}
export interface MLScatterOptions extends MLOperatorOptions {
  axis?: number;
}
export interface MLSliceOptions extends MLOperatorOptions {
  strides?: Iterable<number>;
}
export interface MLSplitOptions extends MLOperatorOptions {
  axis?: number;
}
export interface MLTransposeOptions extends MLOperatorOptions {
  permutation?: Iterable<number>;
}
export interface MLTriangularOptions extends MLOperatorOptions {
  upper?: boolean;
  diagonal?: number;
}
export interface MLRankRange {
  min: number;
  max: number;
}
export interface MLTensorLimits {
  dataTypes: MLOperandDataType[];
  rankRange: MLRankRange;
}
export type MLOperatorName =
    "abs" | "ceil" | "clamp" | "cos" | "elu" | "erf" | "exp" | "floor" | "gelu" | "hardSigmoid" |
    "hardSwish" | "leakyRelu" | "linear" | "log" | "neg" | "reciprocal" | "relu" | "roundEven" |
    "sigmoid" | "sign" | "sin" | "softplus" | "softsign" | "sqrt" | "tan" | "tanh" | "add" |
    "sub" | "mul" | "div" | "max" | "min" | "pow" | "prelu" | "equal" | "notEqual" | "greater" |
    "greaterOrEqual" | "lesser" | "lesserOrEqual" | "logicalNot" | "logicalAnd" | "logicalOr" |
    "logicalXor" | "isNaN" | "isInfinite" | "where" | "cast" | "identity" | "reshape" |
    "concat" | "expand" | "pad" | "reverse" | "slice" | "split" | "tile" | "transpose" |
    "triangular" | "gather" | "gatherElements" | "gatherND" | "scatterElements" | "scatterND" |
    "reduceL1" | "reduceL2" | "reduceLogSum" | "reduceLogSumExp" | "reduceMax" | "reduceMean" |
    "reduceMin" | "reduceProduct" | "reduceSum" | "reduceSumSquare" | "argMin" | "argMax" |
    "cumulativeSum" | "batchNormalization" | "instanceNormalization" | "layerNormalization" |
    "softmax" | "averagePool2d" | "l2Pool2d" | "maxPool2d" | "conv2d" | "convTranspose2d" |
    "gemm" | "matmul" | "resample2d" | "quantizeLinear" | "dequantizeLinear" | "gru" |
    "gruCell" | "lstm" | "lstmCell";
export type MLInputOperandLayout = "nchw" | "nhwc";
export type MLOpSupportLimits = {
  preferredInputLayout: MLInputOperandLayout;
  maxTensorByteLength: number;
  input: MLTensorLimits;
  constant: MLTensorLimits;
  output: MLTensorLimits;
} & {[operator in MLOperatorName]: {[operand: string]: MLTensorLimits}};

export class MLOperand {
  private constructor();
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
}
export class MLTensor {
  private constructor();
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly readable: boolean;
  readonly writable: boolean;
  readonly constant: boolean;
  destroy(): void;
}
export type MLNamedOperands = Record<string, MLOperand>;
export type MLNamedTensors = Record<string, MLTensor>;
export class MLGraph {
  private constructor();
  /** Beyond the specification, which has an issue for it (#836): the devices that run the graph. */
  readonly devices: readonly MLDeviceType[];
  destroy(): void;
}
export class MLContext {
  private constructor();
  readonly accelerated: boolean;
  readonly lost: Promise<MLContextLostInfo>;
  dispatch(graph: MLGraph, inputs: MLNamedTensors, outputs: MLNamedTensors): void;
  createTensor(descriptor: MLTensorDescriptor): Promise<MLTensor>;
  createConstantTensor(descriptor: MLOperandDescriptor, inputData: AllowSharedBufferSource): Promise<MLTensor>;
  readTensor(tensor: MLTensor): Promise<ArrayBuffer>;
  readTensor(tensor: MLTensor, outputData: AllowSharedBufferSource): Promise<undefined>;
  writeTensor(tensor: MLTensor, inputData: AllowSharedBufferSource): void;
  opSupportLimits(): MLOpSupportLimits;
  destroy(): void;
}
export class ML {
  private constructor();
  createContext(options?: MLContextOptions): Promise<MLContext>;
}
export const ml: ML;
/** Beyond the specification: the library's version, for example "0.1.0". */
export const version: string;

export class MLGraphBuilder {
  constructor(context: MLContext);
  input(name: string, descriptor: MLOperandDescriptor): MLOperand;
  constant(descriptor: MLOperandDescriptor, buffer: AllowSharedBufferSource): MLOperand;
  constant(dataType: MLOperandDataType, value: MLNumber): MLOperand;
  constant(tensor: MLTensor): MLOperand;
  build(outputs: MLNamedOperands): Promise<MLGraph>;
  abs(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  ceil(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  clamp(input: MLOperand, options?: MLClampOptions): MLOperand;
  cos(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  elu(input: MLOperand, options?: MLEluOptions): MLOperand;
  erf(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  exp(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  floor(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  gelu(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  hardSigmoid(input: MLOperand, options?: MLHardSigmoidOptions): MLOperand;
  hardSwish(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  leakyRelu(input: MLOperand, options?: MLLeakyReluOptions): MLOperand;
  linear(input: MLOperand, options?: MLLinearOptions): MLOperand;
  log(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  neg(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  reciprocal(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  relu(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  roundEven(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  sigmoid(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  sign(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  sin(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  softplus(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  softsign(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  sqrt(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  tan(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  tanh(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  add(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  sub(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  mul(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  div(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  max(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  min(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  pow(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  prelu(input: MLOperand, slope: MLOperand, options?: MLOperatorOptions): MLOperand;
  equal(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  notEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  greater(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  greaterOrEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  lesser(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  lesserOrEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalNot(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalAnd(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalOr(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalXor(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  isNaN(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  isInfinite(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  where(condition: MLOperand, trueValue: MLOperand, falseValue: MLOperand, options?: MLOperatorOptions): MLOperand;
  cast(input: MLOperand, dataType: MLOperandDataType, options?: MLOperatorOptions): MLOperand;
  identity(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  reshape(input: MLOperand, newShape: Iterable<number>, options?: MLOperatorOptions): MLOperand;
  concat(inputs: Iterable<MLOperand>, axis: number, options?: MLOperatorOptions): MLOperand;
  expand(input: MLOperand, newShape: Iterable<number>, options?: MLOperatorOptions): MLOperand;
  pad(input: MLOperand, beginningPadding: Iterable<number>, endingPadding: Iterable<number>, options?: MLPadOptions): MLOperand;
  reverse(input: MLOperand, options?: MLReverseOptions): MLOperand;
  slice(input: MLOperand, starts: Iterable<number>, sizes: Iterable<number>, options?: MLSliceOptions): MLOperand;
  split(input: MLOperand, splits: number | Iterable<number>, options?: MLSplitOptions): MLOperand[];
  tile(input: MLOperand, repetitions: Iterable<number>, options?: MLOperatorOptions): MLOperand;
  transpose(input: MLOperand, options?: MLTransposeOptions): MLOperand;
  triangular(input: MLOperand, options?: MLTriangularOptions): MLOperand;
  gather(input: MLOperand, indices: MLOperand, options?: MLGatherOptions): MLOperand;
  gatherElements(input: MLOperand, indices: MLOperand, options?: MLGatherOptions): MLOperand;
  gatherND(input: MLOperand, indices: MLOperand, options?: MLOperatorOptions): MLOperand;
  scatterElements(input: MLOperand, indices: MLOperand, updates: MLOperand, options?: MLScatterOptions): MLOperand;
  scatterND(input: MLOperand, indices: MLOperand, updates: MLOperand, options?: MLOperatorOptions): MLOperand;
  reduceL1(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceL2(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceLogSum(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceLogSumExp(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceMax(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceMean(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceMin(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceProduct(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceSum(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceSumSquare(input: MLOperand, options?: MLReduceOptions): MLOperand;
  argMin(input: MLOperand, axis: number, options?: MLArgMinMaxOptions): MLOperand;
  argMax(input: MLOperand, axis: number, options?: MLArgMinMaxOptions): MLOperand;
  cumulativeSum(input: MLOperand, axis: number, options?: MLCumulativeSumOptions): MLOperand;
  batchNormalization(input: MLOperand, mean: MLOperand, variance: MLOperand, options?: MLBatchNormalizationOptions): MLOperand;
  instanceNormalization(input: MLOperand, options?: MLInstanceNormalizationOptions): MLOperand;
  layerNormalization(input: MLOperand, options?: MLLayerNormalizationOptions): MLOperand;
  softmax(input: MLOperand, axis: number, options?: MLOperatorOptions): MLOperand;
  averagePool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  l2Pool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  maxPool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  conv2d(input: MLOperand, filter: MLOperand, options?: MLConv2dOptions): MLOperand;
  convTranspose2d(input: MLOperand, filter: MLOperand, options?: MLConvTranspose2dOptions): MLOperand;
  gemm(a: MLOperand, b: MLOperand, options?: MLGemmOptions): MLOperand;
  matmul(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  resample2d(input: MLOperand, options?: MLResample2dOptions): MLOperand;
  quantizeLinear(input: MLOperand, scale: MLOperand, zeroPoint: MLOperand, options?: MLOperatorOptions): MLOperand;
  dequantizeLinear(input: MLOperand, scale: MLOperand, zeroPoint: MLOperand, options?: MLOperatorOptions): MLOperand;
  gru(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, steps: number, hiddenSize: number, options?: MLGruOptions): MLOperand[];
  gruCell(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, hiddenState: MLOperand, hiddenSize: number, options?: MLGruCellOptions): MLOperand;
  lstm(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, steps: number, hiddenSize: number, options?: MLLstmOptions): MLOperand[];
  lstmCell(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, hiddenState: MLOperand, cellState: MLOperand, hiddenSize: number, options?: MLLstmCellOptions): MLOperand[];
}
