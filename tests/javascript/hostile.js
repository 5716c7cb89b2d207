// A WebNN graph (https://www.w3.org/TR/webnn/), written by webnn-cli. In a page, or where navigator.ml is defined:
//
//   import {build, inputs, outputs, run} from "./THIS_FILE";
//   const context = await navigator.ml.createContext();
//   const results = await run(context, {NAME: new Float32Array(..)});

export const name = "\u003c/script>\u003cscript>alert(1)\u003c/script>";

/** The tensors that the graph takes and gives, by name. */
export const inputs = {
  ["__proto__"]: {dataType: "float32", shape: [2]},
  "constructor": {dataType: "float32", shape: [2]},
  "\u003c/script>\u003cscript>alert(1)\u003c/script>": {dataType: "float32", shape: [2]},
  "\"); process.exit(1); (\"": {dataType: "float32", shape: [2]},
  "`${process.exit(1)}`\\": {dataType: "float32", shape: [2]},
  "*/ // line\u000a\u2028\u2029": {dataType: "float32", shape: [2]},
  "await": {dataType: "float32", shape: [2]},
  "builder": {dataType: "float32", shape: [2]},
  "0": {dataType: "float32", shape: [2]},
  "\ud83d\ude42 \u00fc": {dataType: "float32", shape: [2]},
  "a b": {dataType: "float32", shape: [2]},
  "a_b": {dataType: "float32", shape: [2]},
  "\u003c!--": {dataType: "float32", shape: [2]},
};
export const outputs = {
  ["__proto__"]: {dataType: "float32", shape: [2]},
  "constructor": {dataType: "float32", shape: [2]},
  "\u003c/script>\u003cscript>alert(1)\u003c/script>": {dataType: "float32", shape: [2]},
  "\"); process.exit(1); (\"": {dataType: "float32", shape: [2]},
  "`${process.exit(1)}`\\": {dataType: "float32", shape: [2]},
  "*/ // line\u000a\u2028\u2029": {dataType: "float32", shape: [2]},
  "await": {dataType: "float32", shape: [2]},
  "builder": {dataType: "float32", shape: [2]},
  "0": {dataType: "float32", shape: [2]},
  "\ud83d\ude42 \u00fc": {dataType: "float32", shape: [2]},
  "a b": {dataType: "float32", shape: [2]},
  "a_b": {dataType: "float32", shape: [2]},
  "\u003c!--": {dataType: "float32", shape: [2]},
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
  const __proto__ = builder.input("__proto__", inputs["__proto__"]);
  const constructor = builder.input("constructor", inputs["constructor"]);
  const __script__script_alert_1___script_ = builder.input("\u003c/script>\u003cscript>alert(1)\u003c/script>", inputs["\u003c/script>\u003cscript>alert(1)\u003c/script>"]);
  const ____process_exit_1_____ = builder.input("\"); process.exit(1); (\"", inputs["\"); process.exit(1); (\""]);
  const ___process_exit_1____ = builder.input("`${process.exit(1)}`\\", inputs["`${process.exit(1)}`\\"]);
  const ______line_______ = builder.input("*/ // line\u000a\u2028\u2029", inputs["*/ // line\u000a\u2028\u2029"]);
  const await_1 = builder.input("await", inputs["await"]);
  const builder_1 = builder.input("builder", inputs["builder"]);
  const _0 = builder.input("0", inputs["0"]);
  const _______ = builder.input("\ud83d\ude42 \u00fc", inputs["\ud83d\ude42 \u00fc"]);
  const a_b = builder.input("a b", inputs["a b"]);
  const a_b_1 = builder.input("a_b", inputs["a_b"]);
  const ____ = builder.input("\u003c!--", inputs["\u003c!--"]);
  const relu = builder.relu(__proto__, {label: "__proto__"});
  const relu_2 = builder.relu(constructor, {label: "constructor"});
  const relu_3 = builder.relu(__script__script_alert_1___script_, {label: "\u003c/script>\u003cscript>alert(1)\u003c/script>"});
  const relu_4 = builder.relu(____process_exit_1_____, {label: "\"); process.exit(1); (\""});
  const relu_5 = builder.relu(___process_exit_1____, {label: "`${process.exit(1)}`\\"});
  const relu_6 = builder.relu(______line_______, {label: "*/ // line\u000a\u2028\u2029"});
  const relu_7 = builder.relu(await_1, {label: "await"});
  const relu_8 = builder.relu(builder_1, {label: "builder"});
  const relu_9 = builder.relu(_0, {label: "0"});
  const relu_10 = builder.relu(_______, {label: "\ud83d\ude42 \u00fc"});
  const relu_11 = builder.relu(a_b, {label: "a b"});
  const relu_12 = builder.relu(a_b_1, {label: "a_b"});
  const relu_13 = builder.relu(____, {label: "\u003c!--"});
  return builder.build({
    ["__proto__"]: relu,
    "constructor": relu_2,
    "\u003c/script>\u003cscript>alert(1)\u003c/script>": relu_3,
    "\"); process.exit(1); (\"": relu_4,
    "`${process.exit(1)}`\\": relu_5,
    "*/ // line\u000a\u2028\u2029": relu_6,
    "await": relu_7,
    "builder": relu_8,
    "0": relu_9,
    "\ud83d\ude42 \u00fc": relu_10,
    "a b": relu_11,
    "a_b": relu_12,
    "\u003c!--": relu_13,
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
