import type * as webnn from "./index.js";

declare global {
  interface Navigator {
    readonly ml: webnn.ML;
  }
  var ML: typeof webnn.ML;
  var MLContext: typeof webnn.MLContext;
  var MLGraph: typeof webnn.MLGraph;
  var MLGraphBuilder: typeof webnn.MLGraphBuilder;
  var MLOperand: typeof webnn.MLOperand;
  var MLTensor: typeof webnn.MLTensor;
}
