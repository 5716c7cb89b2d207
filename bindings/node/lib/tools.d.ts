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
