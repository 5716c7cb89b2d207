// The package's first entry: nothing global is changed.
import addon from "./addon.js";

export {ml, ML, MLContext} from "./context.js";
export {MLGraphBuilder} from "./builder.js";
export {MLGraph, MLOperand, MLTensor} from "./tensor.js";
/** Beyond the specification: the library's version, for example "0.1.0". */
export const version = addon.version();
