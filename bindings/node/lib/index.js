// The package's first entry: nothing global is changed.
export {ml, ML, MLContext} from "./context.js";
export {MLGraphBuilder} from "./builder.js";
export {MLGraph, MLOperand, MLTensor} from "./tensor.js";
