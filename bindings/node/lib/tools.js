// `webnn/tools`: graphs from files.
import addon from "./addon.js";
import {checkUsable} from "./context.js";
import {nativeAsync} from "./errors.js";
import {contexts, graphs, toObjectOf} from "./private.js";
import * as idl from "./webidl.js";

const toContext = toObjectOf(contexts, "MLContext");
const toOptions = idl.toDictionary([["dimensions", idl.toRecord(idl.toUnsignedLong)], ["weightsFile", idl.toText]]);

/**
 * Reads and compiles a graph file (webnn-graph-json, .webnn, .wnnb, ONNX), or maps a program (.wnnc). `dimensions` gives the
 * sizes of the graph's named dimensions. The inputs and outputs are {name, dataType, shape}; warnings are texts with
 * positions. What is wrong with a file is a TypeError that names each place.
 */
export async function loadGraph(context, file, options) {
  idl.needArguments(arguments, 2, "loadGraph");
  const state = toContext(context, "context"), path = idl.toText(file instanceof URL ? file.pathname : file, "file");
  const {dimensions = [], weightsFile = ""} = toOptions(options, "options");
  checkUsable(state);
  const {graph: handle, warnings} = await nativeAsync(
      () => addon.loadGraph(state.handle, path, weightsFile, dimensions.map(([name]) => name), dimensions.map(([, size]) => size)));
  const graph = graphs.make(state, handle), {inputs, outputs} = graphs.state(graph);
  const copies = (map) => [...map.values()].map((item) => ({...item, shape: [...item.shape]}));
  return {graph, inputs: copies(inputs), outputs: copies(outputs), warnings};
}
