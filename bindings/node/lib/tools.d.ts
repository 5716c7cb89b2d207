import type {MLContext, MLGraph, MLOperandDataType} from "./index.js";

export interface NamedDescriptor {
  name: string;
  dataType: MLOperandDataType;
  shape: number[];
}
export interface LoadedGraph {
  graph: MLGraph;
  inputs: NamedDescriptor[];
  outputs: NamedDescriptor[];
  /** Texts with positions in the file. */
  warnings: string[];
}
export interface LoadOptions {
  /** The sizes of the graph's named dimensions. */
  dimensions?: Record<string, number>;
  /** Otherwise found beside the graph file. */
  weightsFile?: string;
}
/** Reads and compiles a graph file (webnn-graph-json, .webnn, .wnnb, ONNX), or maps a program (.wnnc). */
export function loadGraph(context: MLContext, file: string | URL, options?: LoadOptions): Promise<LoadedGraph>;

export interface CompileOptions extends LoadOptions {
  /** As `webnn-cli --device` names it; "cpu" without. */
  device?: string;
  /** 0 or none: as many as the process may use. */
  threads?: number;
}
export interface CompiledFile {
  bytes: number;
  steps: number;
  warnings: string[];
}
/** Compiles a graph file to a program file (.wnnc). */
export function compile(file: string | URL, output: string | URL, options?: CompileOptions): Promise<CompiledFile>;

/** A dimension without a size has its name. */
export interface InspectedDescriptor {
  name: string;
  dataType: MLOperandDataType;
  shape: (number | string)[];
}
export interface InspectedFile {
  inputs: InspectedDescriptor[];
  outputs: InspectedDescriptor[];
  /** How often each operator occurs; of a program, in its steps. */
  operators: Record<string, number>;
  constants: {count: number; bytes: number};
  warnings: string[];
}
/** What is in a graph file or a program. */
export function inspect(file: string | URL, options?: LoadOptions): Promise<InspectedFile>;

export interface ProfileOptions extends CompileOptions {
  /** 20 without. */
  runs?: number;
}
export interface ProfiledStep {
  operator: string;
  kernel: string;
  label: string;
  milliseconds: number;
}
export interface ProfiledFile {
  /** Of a whole run: the median, as of each step. */
  milliseconds: number;
  steps: ProfiledStep[];
}
/** How long a graph file or program takes with some inputs. */
export function profile(file: string | URL, options?: ProfileOptions): Promise<ProfiledFile>;

export interface ComparedFile {
  context: MLContext;
  file: string | URL;
  options?: LoadOptions;
}
export interface ComparedOutput {
  name: string;
  /** The largest one, divided by the number of the second file where that is above 1. */
  difference: number;
  /** Of the first element that has it. */
  place: number;
}
/** Runs two graph files or programs with the same inputs. */
export function compare(first: ComparedFile, second: ComparedFile): Promise<ComparedOutput[]>;
