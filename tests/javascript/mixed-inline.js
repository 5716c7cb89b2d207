// A WebNN graph (https://www.w3.org/TR/webnn/), written by webnn-cli. In a page, or where navigator.ml is defined:
//
//   import {build, inputs, outputs, run} from "./THIS_FILE";
//   const context = await navigator.ml.createContext();
//   const results = await run(context, {NAME: new Float32Array(..)});

export const name = "g";

/** The tensors that the graph takes and gives, by name. */
export const inputs = {
  "x": {dataType: "float32", shape: [1, 4, 6, 6]},
  "big": {dataType: "int64", shape: [2]},
  "s": {dataType: "float32", shape: [3, 2, 2]},
};
export const outputs = {
  "limits": {dataType: "int64", shape: [2]},
  "half": {dataType: "float16", shape: [1, 3, 3, 3]},
  "again": {dataType: "float16", shape: [1, 3, 3, 3]},
  "x": {dataType: "float32", shape: [1, 4, 6, 6]},
  "w": {dataType: "float32", shape: [2, 4, 1, 1]},
  "h": {dataType: "float32", shape: [1, 2, 2]},
  "all": {dataType: "float32", shape: [3, 1, 2, 2]},
  "f16": {dataType: "float16", shape: [3]},
  "i4": {dataType: "int4", shape: [3]},
};

// The elements of each data type. Two 4-bit elements share a byte, the first in its low half; where there is no
// Float16Array, 16-bit floats are their bits.
const arrays = {
  float32: Float32Array, float16: globalThis.Float16Array ?? Uint16Array,
  int64: BigInt64Array, uint64: BigUint64Array, int32: Int32Array, uint32: Uint32Array,
  int8: Int8Array, uint8: Uint8Array, int4: Uint8Array, uint4: Uint8Array,
};

/** The elements of a tensor as a typed array: zeros, or those of an ArrayBuffer. */
export function tensorArray({dataType, shape}, buffer, offset = 0) {
  const elements = shape.reduce((product, size) => product * size, 1);
  const length = dataType.endsWith("int4") ? Math.ceil(elements / 2) : elements;
  return buffer ? new arrays[dataType](buffer, offset, length) : new arrays[dataType](length);
}

/** Builds the graph: an MLGraph of this context. */
export async function build(context) {
  const builder = new MLGraphBuilder(context);
  const constant = (dataType, shape, base64) =>
    builder.constant({dataType, shape}, tensorArray({dataType, shape}, Uint8Array.from(atob(base64), c => c.charCodeAt(0)).buffer));
  const x = builder.input("x", inputs["x"]);
  const big = builder.input("big", inputs["big"]);
  const s = builder.input("s", inputs["s"]);
  const w = constant("float32", [2, 4, 1, 1], "AACAPwAAAEAAAEBAAACAQAAAoEAAAMBAAADgQAAAAEE=");
  const bias = constant("float32", [2], "AACAvwAAAD8=");
  const g = constant("float32", [1, 6, 2], "AACAPwAAAEAAAEBAAACAQAAAoEAAAMBAAADgQAAAAEEAABBBAAAgQQAAMEEAAEBB");
  const f16 = constant("float16", [3], "ADwAQABC");
  const i4 = constant("int4", [3], "IQM=");
  const conv = builder.conv2d(x, w, {bias: bias, strides: [2, 2], inputLayout: "nchw", label: "conv"});
  const [a, b] = builder.split(conv, [1, 1], {axis: 1, label: "a"});
  const joined = builder.concat([a, b, a], 1, {label: "joined"});
  const limits = builder.clamp(big, {minValue: -9007199254740993n, maxValue: 9223372036854775807n, label: "limits"});
  const zero = builder.clamp(joined, {minValue: -0.0, maxValue: Infinity, label: "zero"});
  const half = builder.cast(zero, "float16", {label: "half"});
  const [h, all] = builder.gru(s, g, g, 3, 2, {returnSequence: true, activations: ["relu", "tanh"], label: "h"});
  return builder.build({
    "limits": limits,
    "half": half,
    "again": builder.identity(half),
    "x": builder.identity(x),
    "w": builder.identity(w),
    "h": h,
    "all": all,
    "f16": builder.identity(f16),
    "i4": builder.identity(i4),
  });
}

/** Computes the outputs, typed arrays by name, from the inputs, given likewise. The graph is built if it is not given. */
export async function run(context, values, graph) {
  graph ??= await build(context);
  const create = async (descriptors, use) => Object.fromEntries(await Promise.all(Object.entries(descriptors).map(
    async ([name, descriptor]) => [name, await context.createTensor({...descriptor, ...use})])));
  const given = await create(inputs, {writable: true});
  const computed = await create(outputs, {readable: true});
  try {
    for (const [name, tensor] of Object.entries(given)) {
      if (!Object.hasOwn(values, name)) throw new Error(`the input ${name} is missing`);
      context.writeTensor(tensor, values[name]);
    }
    context.dispatch(graph, given, computed);
    return Object.fromEntries(await Promise.all(Object.entries(computed).map(
      async ([name, tensor]) => [name, tensorArray(outputs[name], await context.readTensor(tensor))])));
  } finally {
    for (const tensor of [...Object.values(given), ...Object.values(computed)]) tensor.destroy();
  }
}
