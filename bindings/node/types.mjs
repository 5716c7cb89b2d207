// Writes lib/index.d.ts: the operators' methods come from the rows of the operator table.
//   WEBNN_ADDON=... node bindings/node/types.mjs > bindings/node/lib/index.d.ts
import addon from "./lib/addon.js";

const quoted = (words) => words.map((word) => JSON.stringify(word)).join(" | ");
const typeOf = (attribute) => ({
  boolean: "boolean",
  u32: "number",
  i32: "number",
  real: "number",
  number: "MLNumber",
  u32_list: "Iterable<number>",
  u32_or_list: "number | Iterable<number>",
  real_list: "Iterable<number>",
  text: quoted(attribute.words),
  text_list: `Iterable<${quoted(attribute.words)}>`,
  data_type: "MLOperandDataType",
})[attribute.kind];
const operandType = (operand) => (operand.arity === "many" ? "Iterable<MLOperand>" : "MLOperand");

function methodOf(op) {
  const parameters = [...op.operands.map((one) => ({...one, type: operandType(one), isRequired: one.arity !== "optional"})),
                      ...op.attributes.map((one) => ({...one, type: typeOf(one), isRequired: one.required}))];
  const required = parameters.filter((one) => one.isRequired).map(({name, type}) => `${name}: ${type}`);
  const options = parameters.filter((one) => !one.isRequired).map(({name, type}) => `${name}?: ${type}`);
  const result = op.outputs.length > 1 || op.outputs[0].arity === "many" ? "MLOperand[]" : "MLOperand";
  const own = options.length ? `MLOperatorOptions & {${options.join("; ")}}` : "MLOperatorOptions";
  return `  ${op.name}(${[...required, `options?: ${own}`].join(", ")}): ${result};`;
}

const operators = addon.operators();
console.log(`// The W3C Web Neural Network API. Written by types.mjs; do not edit.

export type MLOperandDataType =
    "float32" | "float16" | "int32" | "uint32" | "int64" | "uint64" | "int8" | "uint8" | "int4" | "uint4";
export type MLNumber = number | bigint;
export type AllowSharedBufferSource = ArrayBufferLike | ArrayBufferView;

export interface MLContextOptions {
  accelerated?: boolean;
  powerPreference?: "default" | "high-performance" | "low-power";
  deviceType?: "cpu" | "gpu" | "npu";
  /** Beyond the specification: a device as \`webnn-cli --device\` names it. */
  device?: string;
  threads?: number;
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
export interface MLRankRange {
  min: number;
  max: number;
}
export interface MLTensorLimits {
  dataTypes: MLOperandDataType[];
  rankRange: MLRankRange;
}
export type MLOperatorName =
    ${quoted(operators.map((op) => op.name)).replaceAll(/(.{80,110}?) \| /g, "$1 |\n    ")};
export type MLOpSupportLimits = {
  preferredInputLayout: "nchw" | "nhwc";
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
export class MLGraph {
  private constructor();
  destroy(): void;
}
export class MLContext {
  private constructor();
  readonly accelerated: boolean;
  readonly lost: Promise<MLContextLostInfo>;
  dispatch(graph: MLGraph, inputs: Record<string, MLTensor>, outputs: Record<string, MLTensor>): void;
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

export class MLGraphBuilder {
  constructor(context: MLContext);
  input(name: string, descriptor: MLOperandDescriptor): MLOperand;
  constant(descriptor: MLOperandDescriptor, buffer: AllowSharedBufferSource): MLOperand;
  constant(dataType: MLOperandDataType, value: MLNumber): MLOperand;
  constant(tensor: MLTensor): MLOperand;
  build(outputs: Record<string, MLOperand>): Promise<MLGraph>;
${operators.map(methodOf).join("\n")}
}`);
