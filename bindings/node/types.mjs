// Writes index.d.ts and global.d.ts: the operators' methods and their options come from the rows of the operator table.
//   node bindings/node/types.mjs bindings/node/lib
import fs from "node:fs";
import path from "node:path";
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

/** The dictionary of an operator's options; families of operators share one. */
const dictionaryOf = ({name}) => {
  const family = [[/Pool2d$/, "Pool2d"], [/^reduce/, "Reduce"], [/^arg(Min|Max)$/, "ArgMinMax"], [/^gatherElements$/, "Gather"],
                  [/^scatterElements$/, "Scatter"]].find(([pattern]) => pattern.test(name));
  return `ML${family ? family[1] : name[0].toUpperCase() + name.slice(1)}Options`;
};

function parametersOf(op) {
  const all = [...op.operands.map((one) => ({...one, type: operandType(one), isRequired: one.arity !== "optional"})),
               ...op.attributes.map((one) => ({...one, type: typeOf(one), isRequired: one.required}))];
  return {required: all.filter((one) => one.isRequired), options: all.filter((one) => !one.isRequired)};
}

const dictionaries = new Map();
function methodOf(op) {
  const {required, options} = parametersOf(op);
  const result = op.outputs.length > 1 || op.outputs[0].arity === "many" ? "MLOperand[]" : "MLOperand";
  const dictionary = options.length ? dictionaryOf(op) : "MLOperatorOptions";
  if (options.length) {
    const members = options.map(({name, type}) => `  ${name}?: ${type};\n`).join("");
    if ((dictionaries.get(dictionary) ?? members) !== members) throw new Error(`${op.name} has other ${dictionary}`);
    dictionaries.set(dictionary, members);
  }
  const parameters = [...required.map(({name, type}) => `${name}: ${type}`), `options?: ${dictionary}`];
  return `  ${op.name}(${parameters.join(", ")}): ${result};`;
}

const operators = addon.operators(), methods = operators.map(methodOf);
const index = `// The W3C Web Neural Network API. Written by types.mjs; do not edit.

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
  /** Beyond the specification: a device as \`webnn-cli --device\` names it. */
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
${[...dictionaries].sort().map(([name, members]) => `export interface ${name} extends MLOperatorOptions {\n${members}}\n`).join("")}export interface MLRankRange {
  min: number;
  max: number;
}
export interface MLTensorLimits {
  dataTypes: MLOperandDataType[];
  rankRange: MLRankRange;
}
export type MLOperatorName =
    ${quoted(operators.map((op) => op.name)).replaceAll(/(.{80,110}?) \| /g, "$1 |\n    ")};
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
${methods.join("\n")}
}
`;

// What browsers have in the global scope. They have a type for buffers there already.
const names = [...index.matchAll(/^export (?:type|interface|class) (\w+)/gm)].map(([, name]) => name)
                  .filter((name) => name !== "AllowSharedBufferSource");
const classes = [...index.matchAll(/^export class (\w+)/gm)].map(([, name]) => name);
const global = `// The same where browsers have it. Written by types.mjs; do not edit.
import type * as webnn from "./index.js";

declare global {
  interface Navigator {
    readonly ml: webnn.ML;
  }
  var navigator: Navigator;
${classes.map((name) => `  var ${name}: typeof webnn.${name};`).join("\n")}
${names.map((name) => `  type ${name} = webnn.${name};`).join("\n")}
}
`;

for (const [file, text] of [["index.d.ts", index], ["global.d.ts", global]])
  fs.writeFileSync(path.join(process.argv[2], file), text);
