// `webnn/tools`: graphs from files, and what else build scripts do with model files.
import {fileURLToPath} from "node:url";
import addon from "./addon.js";
import {checkUsable} from "./context.js";
import {nativeAsync} from "./errors.js";
import {contexts, graphs, toObjectOf} from "./private.js";
import * as idl from "./webidl.js";

const toContext = toObjectOf(contexts, "MLContext");
const fileOptions = [["dimensions", idl.toRecord(idl.toUnsignedLong)], ["weightsFile", idl.toText]];
const deviceOptions = [["device", idl.toText], ["threads", idl.toUnsignedLong]];
const toLoadOptions = idl.toDictionary(fileOptions);
const toCompileOptions = idl.toDictionary([...fileOptions, ...deviceOptions]);
const toProfileOptions = idl.toDictionary([...fileOptions, ...deviceOptions, ["runs", idl.toUnsignedLong]]);

const toPath = (file, what = "file") => idl.toText(file instanceof URL ? fileURLToPath(file) : file, what);
/** A file as the native part takes it: path, weights, names and sizes of dimensions. */
const orderOf = (path, {dimensions = [], weightsFile = ""}) =>
    [path, weightsFile, dimensions.map(([name]) => name), dimensions.map(([, size]) => size)];

/**
 * Reads and compiles a graph file (webnn-graph-json, .webnn, .wnnb, ONNX), or maps a program (.wnnc). `dimensions` gives the
 * sizes of the graph's named dimensions. The inputs and outputs are {name, dataType, shape}; warnings are texts with
 * positions. What is wrong with a file is a TypeError that names each place.
 */
export async function loadGraph(context, file, options) {
  idl.needArguments(arguments, 2, "loadGraph");
  const state = toContext(context, "context"), order = orderOf(toPath(file), toLoadOptions(options, "options"));
  checkUsable(state);
  const {graph: handle, warnings} = await nativeAsync(() => addon.loadGraph(state.handle, ...order));
  const graph = graphs.make(state, handle), {inputs, outputs} = graphs.state(graph);
  const copies = (map) => [...map.values()].map((item) => ({...item, shape: [...item.shape]}));
  return {graph, inputs: copies(inputs), outputs: copies(outputs), warnings};
}

/**
 * Compiles a graph file to a program file for a device of this machine, "cpu" unless the options name another one. The program
 * is {bytes, steps, warnings}; a file of that name is replaced, or stays as it is when something is wrong.
 */
export async function compile(file, output, options) {
  idl.needArguments(arguments, 2, "compile");
  const path = toPath(file), to = toPath(output, "output"), given = toCompileOptions(options, "options");
  return nativeAsync(() => addon.compile(...orderOf(path, given), given.device ?? "cpu", given.threads ?? 0, to));
}

/**
 * What is in a graph file or a program: {inputs, outputs, operators, constants, warnings}. `operators` counts each operator, of
 * a program each step's; `constants` is {count, bytes}. A dimension without a size has its name in the shape.
 */
export async function inspect(file, options) {
  idl.needArguments(arguments, 1, "inspect");
  const order = orderOf(toPath(file), toLoadOptions(options, "options"));
  return nativeAsync(() => addon.inspect(...order));
}

/**
 * How long a graph file or program takes with some inputs: {milliseconds, steps}, medians of `runs` (20). The steps are
 * {operator, kernel, label, milliseconds}, in the order in which they run.
 */
export async function profile(file, options) {
  idl.needArguments(arguments, 1, "profile");
  const path = toPath(file), given = toProfileOptions(options, "options");
  return nativeAsync(
      () => addon.profile(...orderOf(path, given), given.device ?? "cpu", given.threads ?? 0, given.runs ?? 20));
}

// ---- compare

const arrays = {
  float32: Float32Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, int8: Int8Array,
  uint8: Uint8Array,
};
const countOf = (shape) => shape.reduce((all, size) => all * size, 1);
/**
 * Numbers of the type, BigInts where it has 64 bits; of float16, which not every Node.js has, from their bits, and of types with 4
 * bits two in each byte.
 */
function numbersOf({dataType, shape}, buffer) {
  if (dataType === "float16") return Array.from(new Uint16Array(buffer), halfToNumber);
  if (arrays[dataType]) return Array.from(new arrays[dataType](buffer));
  const numbers = Array.from(new Uint8Array(buffer)).flatMap((byte) => [byte & 15, byte >> 4].map(
      (number) => (dataType === "int4" && number > 7 ? number - 16 : number)));
  return numbers.slice(0, countOf(shape));
}
function halfToNumber(half) {
  const sign = half & 0x8000 ? -1 : 1, exponent = (half >> 10) & 31, fraction = half & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Bytes of numbers between 0 and 1, or of 0 and 1 where they are integers; the same in each process. */
function someBytes({dataType, shape}) {
  const count = countOf(shape);
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647, bit = () => Number(random() > 0.5);
  if (dataType === "float32") return Float32Array.from({length: count}, random);
  if (dataType === "float16") return Uint16Array.from({length: count}, () => 0x3800 + Math.floor(random() * 1024));  // from 0.5
  if (dataType.endsWith("64")) return arrays[dataType].from({length: count}, () => BigInt(bit()));
  return arrays[dataType] ? arrays[dataType].from({length: count}, bit) : new Uint8Array(Math.ceil(count / 2)).fill(0x10);
}

/** Each output by name: its type with its shape, as a text, and its numbers. */
async function outputsOf({context, file, options}) {
  const {graph, inputs, outputs} = await loadGraph(context, file, options), tensors = {}, results = {}, found = {};
  try {
    for (const descriptor of inputs) {
      tensors[descriptor.name] = await context.createTensor({...descriptor, writable: true});
      context.writeTensor(tensors[descriptor.name], someBytes(descriptor));
    }
    for (const descriptor of outputs) results[descriptor.name] = await context.createTensor({...descriptor, readable: true});
    context.dispatch(graph, tensors, results);
    for (const descriptor of outputs) {
      const {name, dataType, shape} = descriptor;
      found[name] = {kind: `${dataType}[${shape}]`, numbers: numbersOf(descriptor, await context.readTensor(results[name]))};
    }
  } finally {
    for (const made of [...Object.values(tensors), ...Object.values(results), graph]) made.destroy();
  }
  return found;
}

/** How far a number is from another one, as a share of that where it is above 1; of BigInts exact before it is divided. */
function distance(number, other) {
  if (Object.is(number, other) || number === other) return 0;
  const apart = Math.abs(Number(number - other)) / Math.max(1, Math.abs(Number(other)));
  return Number.isNaN(apart) ? Infinity : apart;
}

/**
 * Runs two graph files or programs with the same inputs, each {context, file, options}, with options as of loadGraph. For each
 * output of both: {name, difference, place}, the largest difference, divided by the number of the second where that is above 1,
 * and the first place that has it. Outputs with other names, types or shapes are a TypeError.
 */
export async function compare(first, second) {
  idl.needArguments(arguments, 2, "compare");
  const [ours, theirs] = [await outputsOf(first), await outputsOf(second)];
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)]))
    if (ours[name]?.kind !== theirs[name]?.kind)
      throw new TypeError(`the output '${name}' is ${ours[name]?.kind ?? "missing"} in the first and ` +
                          `${theirs[name]?.kind ?? "missing"} in the second`);
  return Object.entries(ours).map(([name, {numbers}]) => {
    let difference = 0, place = 0;
    numbers.forEach((number, i) => {
      const apart = distance(number, theirs[name].numbers[i]);
      if (apart > difference) [difference, place] = [apart, i];
    });
    return {name, difference, place};
  });
}
