// Results that are exact to the bit, of whole graphs in JavaScript: what newer Web Platform Tests ask for than those of
// tests/bindings/wpt.  node exact.mjs [--device cpu]
import {parseArgs} from "node:util";
import {ml, MLGraphBuilder} from "../../../bindings/node/lib/index.js";
import {assert, finish, test} from "./check.mjs";

const {values: {device}} = parseArgs({options: {device: {type: "string", default: "cpu"}}});
const context = await ml.createContext({device});

// ---- float16 as bits

function numberOf(half) {
  const sign = half & 0x8000 ? -1 : 1, exponent = (half >> 10) & 31, fraction = half & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
const halfOf = new Map(Array.from({length: 1 << 16}, (_, half) => [numberOf(half), half]));  // of numbers that float16 has
const arrays = {float32: Float32Array, float16: Uint16Array, int32: Int32Array, uint8: Uint8Array};
const bitsOf = (number) => (number === 0 ? (Object.is(number, -0) ? 0x8000 : 0) : halfOf.get(number));
const encode = (type, numbers) => arrays[type].from(numbers, type === "float16" ? bitsOf : undefined);
const decode = (type, buffer) => Array.from(new arrays[type](buffer), type === "float16" ? (half) => numberOf(half) : undefined);

/** Inputs are {data, type = "float32", shape = [length]}. Builds twice, with them as inputs and as constants, dispatches each
 * graph twice, and calls `check` with the numbers of each output. */
async function results(inputs, build, check) {
  for (const isConstant of [false, true]) {
    const builder = new MLGraphBuilder(context), operands = {}, tensors = {};
    for (const [name, {data, type = "float32", shape = [data.length]}] of Object.entries(inputs)) {
      const descriptor = {dataType: type, shape}, bytes = encode(type, data);
      operands[name] = isConstant ? builder.constant(descriptor, bytes) : builder.input(name, descriptor);
      if (isConstant) continue;
      tensors[name] = await context.createTensor({...descriptor, writable: true});
      context.writeTensor(tensors[name], bytes);
    }
    const outputs = build(builder, operands), graph = await builder.build(outputs), read = {};
    for (const [name, {dataType, shape}] of Object.entries(outputs))
      read[name] = await context.createTensor({dataType, shape, readable: true});
    for (let turn = 0; turn < 2; ++turn) {
      context.dispatch(graph, tensors, read);
      for (const [name, tensor] of Object.entries(read))
        check(decode(tensor.dataType, await context.readTensor(tensor)), name, `${isConstant ? "constant" : "input"}, turn ${turn}`);
    }
  }
}
/** The same number, the sign of zeros too, or also NaN. */
const same = (expected) => (actual, name, how) => assert.deepEqual(actual, expected, `${name}: ${how}`);
const near = (expected, difference) => (actual, name, how) => actual.forEach((number, i) => {
  const allowed = difference * Math.max(1, Math.abs(expected[i]));
  assert.ok(number === expected[i] || Math.abs(number - expected[i]) <= allowed, `${name}[${i}] is ${number}, not ${expected[i]}: ${how}`);
});

// ---- casts

const tiny = 2 ** -24, boundary = [tiny, 3 * tiny, 1023 * tiny, -tiny, -3 * tiny, -1023 * tiny, 2 ** -14, -(2 ** -14)];
const roundings = [  // from float32, to float16
  [1.0003, 1], [1.0007, 1.0009765625], [1.00048828125, 1], [1.00146484375, 1.001953125], [2049, 2048], [2051, 2052],
  [tiny, tiny], [tiny / 2, 0], [1.5 * tiny, 2 * tiny], [2.5 * tiny, 2 * tiny], [1023.5 * tiny, 2 ** -14], [0, 0], [65504, 65504],
  [65519, 65504], [65520, Infinity], [65536, Infinity], [Infinity, Infinity],
].flatMap(([from, to]) => [[from, to], [-from, -to]]);
roundings.push([NaN, NaN]);

await test("float32 -> float16 -> float32 rounds, once, to even, with the signs of zeros", async () => {
  const data = roundings.map(([from]) => from), expected = same(roundings.map(([, to]) => to));
  await results({x: {data}}, (builder, {x}) => ({wide: builder.cast(builder.cast(x, "float16"), "float32")}), expected);
  await results({x: {data}}, (builder, {x}) => {
    const narrow = builder.cast(x, "float16"), wide = builder.cast(narrow, "float32"), again = builder.cast(wide, "float16");
    return {narrow, wide, again, last: builder.cast(again, "float32")};
  }, expected);
  await results({x: {data: [1.00146484375], shape: []}}, (builder, {x}) => ({y: builder.cast(builder.cast(x, "float16"), "float32")}),
                same([1.001953125]));
});

await test("casts to the same type and identity change no bit", async () => {
  const floats = Array.from(new Float32Array([0, -0, 1.0003, 2 ** -149, -(2 ** -149), 65504, 3.4e38, Infinity, -Infinity, NaN]));
  for (const [type, data] of [["float32", floats], ["float16", [...boundary, 0, -0, 1, 65504, Infinity, -Infinity]]])
    await results({x: {data, type}}, (builder, {x}) => ({cast: builder.cast(x, type), identity: builder.identity(x)}), same(data));
});

await test("float16 becomes float32 exactly, in every shape", async () => {
  const pattern = [0, -0, ...boundary, 1, -1, 1.0009765625, 65504, Infinity, NaN];
  for (const shape of [[16, 1, 1], [1, 16, 1, 1], [1, 16, 4, 1], [1, 4, 17]]) {
    const data = Array.from({length: shape.reduce((a, b) => a * b)}, (_, i) => pattern[i % pattern.length]);
    await results({x: {data, type: "float16", shape}}, (builder, {x}) => ({y: builder.cast(x, "float32")}), same(data));
  }
});

// ---- what only moves float16

await test("operators that move numbers keep the subnormal ones", async () => {
  const turned = boundary.toReversed?.() ?? [...boundary].reverse(), at = (places) => places.map((i) => boundary[i]);
  const indices = (data, shape) => ({data, shape, type: "int32"}), half = (data, shape) => ({data, shape, type: "float16"});
  const flat = half(boundary, [8]), square = half(boundary, [2, 4]), back = [7, 6, 5, 4, 3, 2, 1, 0];
  const cases = [
    [{x: flat}, (b, {x}) => b.reshape(x, [2, 4]), boundary],
    [{x: square}, (b, {x}) => b.transpose(x), at([0, 4, 1, 5, 2, 6, 3, 7])],
    [{x: flat}, (b, {x}) => b.reverse(x), turned],
    [{x: flat}, (b, {x}) => b.slice(x, [1], [7]), boundary.slice(1)],
    [{x: flat}, (b, {x}) => b.slice(x, [1], [7], {strides: [2]}), at([1, 3, 5, 7])],
    [{x: half(boundary.slice(0, 4), [4]), y: half(boundary.slice(4), [4])}, (b, {x, y}) => b.concat([x, y], 0), boundary],
    [{x: flat}, (b, {x}) => b.split(x, 2)[1], boundary.slice(4)],
    [{x: flat, i: indices(back, [8])}, (b, {x, i}) => b.gather(x, i), turned],
    [{x: square, i: indices([3, 2, 1, 0, 3, 2, 1, 0], [2, 4])}, (b, {x, i}) => b.gatherElements(x, i, {axis: 1}),
     at([3, 2, 1, 0, 7, 6, 5, 4])],
    [{x: square, i: indices([1, 3, 0, 0, 1, 0, 0, 3], [4, 2])}, (b, {x, i}) => b.gatherND(x, i), at([7, 0, 4, 3])],
    [{x: half(boundary, [1, 8])}, (b, {x}) => b.expand(x, [2, 8]), [...boundary, ...boundary]],
    [{x: half(boundary, [1, 8])}, (b, {x}) => b.tile(x, [2, 1]), [...boundary, ...boundary]],
    [{c: {data: [0, 1, 0, 1, 0, 1, 0, 1], type: "uint8"}, x: flat, y: half(turned, [8])}, (b, {c, x, y}) => b.where(c, x, y),
     boundary.map((number, i) => (i % 2 ? number : turned[i]))],
    [{x: flat}, (b, {x}) => b.pad(x, [1], [2], {value: tiny}), [tiny, ...boundary, tiny, tiny]],
    [{x: flat}, (b, {x}) => b.pad(x, [1], [1], {mode: "edge"}), [boundary[0], ...boundary, boundary[7]]],
    [{x: flat}, (b, {x}) => b.pad(x, [1], [1], {mode: "reflection"}), [boundary[1], ...boundary, boundary[6]]],
    [{x: half(Array(8).fill(0), [8]), i: indices(back, [8]), u: flat}, (b, {x, i, u}) => b.scatterElements(x, i, u), turned],
    [{x: half(Array(8).fill(0), [8]), i: indices(back, [8, 1]), u: flat}, (b, {x, i, u}) => b.scatterND(x, i, u), turned],
  ];
  for (const [inputs, build, expected] of cases)
    await results(inputs, (builder, operands) => ({y: build(builder, operands)}), same(expected));
});

await test("float16 goes through two tensors in turns, and the input stays", async () => {
  const bits = [0x0000, 0x8000, 0x0001, 0x8001, 0x0003, 0x8003, 0x03ff, 0x83ff, 0x0400, 0x8400];
  for (const shape of [[10], [1, 2, 1, 5]]) {
    const descriptor = {dataType: "float16", shape}, builder = new MLGraphBuilder(context);
    const graph = await builder.build({y: builder.cast(builder.input("x", descriptor), "float16")});
    const create = () => context.createTensor({...descriptor, readable: true, writable: true});
    let current = await create(), next = await create();
    context.writeTensor(current, new Uint16Array(bits));
    for (let step = 0; step < 8; ++step) {
      context.dispatch(graph, {x: current}, {y: next});
      for (const tensor of [current, next]) assert.deepEqual([...new Uint16Array(await context.readTensor(tensor))], bits);
      [current, next] = [next, current];
    }
  }
});

// ---- comparisons

await test("comparisons select, whether their results are outputs or not", async () => {
  const compare = {
    equal: (a, b) => a === b, notEqual: (a, b) => a !== b, greater: (a, b) => a > b, greaterOrEqual: (a, b) => a >= b,
    lesser: (a, b) => a < b, lesserOrEqual: (a, b) => a <= b,
  };
  const halves = [...Array.from({length: 1023}, (_, i) => i + 1), 0, 0x8000, 0x8001, 0x83ff, 0x0400, 0x8400, 0x3c00, 0xbc00, 0x7bff,
                  0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01];
  const others = [0, 0x8000, 1, 0x8001, 0x0200, 0x03ff, 0x0400, 0x8400, 0x3c00, 0x7e01, 0x7c00, 0xfc00, 0x3555];
  const a = halves.map(numberOf), b = halves.map((_, i) => numberOf(others[i % others.length]));
  for (const type of ["float16", "float32"])
    for (const [name, holds] of Object.entries(compare)) {
      const expected = a.map((number, i) => Number(holds(number, b[i])));
      const chosen = (builder, condition) => builder.where(condition, builder.constant("float32", 1), builder.constant("float32", 0));
      const inputs = {a: {data: a, type}, b: {data: b, type}};
      await results(inputs, (builder, {a: x, b: y}) => ({selected: chosen(builder, builder[name](x, y))}), same(expected));
      await results(inputs, (builder, {a: x, b: y}) => {
        const condition = builder[name](x, y);
        return {condition, selected: chosen(builder, condition)};
      }, same(expected));
    }
});

// ---- reduceLogSum, resample2d, instanceNormalization

await test("reduceLogSum adds no epsilon, and sums of float16 may exceed it", async () => {
  const cases = [
    [[1, 3, 5, 7, 4, 12, 20, 28].map((number) => number * tiny), [2, 4], {axes: [1]}, [Math.log(16 * tiny), Math.log(64 * tiny)]],
    [[0, 0, 0, 0, 1, -1, 0, 0], [2, 4], {axes: [1], keepDimensions: true}, [-Infinity, -Infinity]],
    [[65504, 65504, 65504, 65504], [4], {}, [Math.log(4 * 65504)]],
    [[tiny], [], {}, [Math.log(tiny)]],
    [[tiny, 0, 2], [3], {axes: []}, [Math.log(tiny), -Infinity, Math.log(2)]],
  ];
  for (const [type, difference] of [["float32", 2 ** -22], ["float16", 2 ** -10]])
    for (const [data, shape, options, expected] of cases)
      await results({x: {data, shape, type}}, (builder, {x}) => ({y: builder.reduceLogSum(x, options)}), near(expected, difference));
});

await test("resample2d takes the nearest of half-pixel centres, the smaller one of two", async () => {
  const counted = Array.from({length: 12}, (_, i) => i + 1);
  const cases = [
    [[10, 20, 30], [1, 1, 1, 3], {scales: [1, 1.5]}, [10, 20, 20, 30]],
    [[10, 20, 30, 40], [1, 1, 1, 4], {scales: [1, 0.75]}, [10, 20, 40]],
    [[10, 20, 30, 40, 50], [1, 1, 1, 5], {sizes: [1, 2]}, [20, 40]],
    [[10, 20], [1, 1, 1, 2], {sizes: [1, 3]}, [10, 10, 20]],
    [[10, 20, 30], [1, 1, 1, 3], {sizes: [1, 1]}, [20]],
    [[10], [1, 1, 1, 1], {sizes: [1, 4]}, [10, 10, 10, 10]],
    [counted, [1, 2, 3, 2], {axes: [1, 2], sizes: [3, 4], scales: [99, 99]},
     [1, 2, 3, 4, 3, 4, 5, 6, 1, 2, 3, 4, 3, 4, 5, 6, 7, 8, 9, 10, 9, 10, 11, 12]],
    [counted, [1, 2, 3, 2], {axes: [3, 2], sizes: [3, 4]}, [1, 1, 2, 3, 3, 4, 3, 3, 4, 5, 5, 6, 7, 7, 8, 9, 9, 10, 9, 9, 10, 11, 11, 12]],
  ];
  for (const type of ["float32", "float16"])
    for (const [data, shape, options, expected] of cases)
      await results({x: {data, shape, type}}, (builder, {x}) => ({y: builder.resample2d(x, {mode: "nearest-neighbor", ...options})}),
                    same(expected));
});

await test("instanceNormalization with scale and bias as inputs in nhwc, and with an epsilon of 0", async () => {
  const x = {data: [0, 0, 2, 2, 4, 4, 6, 6], shape: [1, 2, 2, 2]};  // of each channel the mean is 3, the variance 5
  const plain = [-1, -1, -1 / 3, -1 / 3, 1 / 3, 1 / 3, 1, 1];
  for (const [type, difference] of [["float32", 2 ** -20], ["float16", 2 ** -8]]) {
    const typed = {x: {...x, type}, scale: {data: [3, 6], type}, bias: {data: [0.25, 0.5], type}};
    for (const used of [["scale", "bias"], ["scale"], ["bias"]]) {
      const expected = plain.map((number, i) => number * (used.includes("scale") ? [3, 6][i % 2] : 1) +
                                               (used.includes("bias") ? [0.25, 0.5][i % 2] : 0));
      const inputs = Object.fromEntries(["x", ...used].map((name) => [name, typed[name]]));
      const normalize = (builder, {x: input, ...parameters}) =>
          builder.instanceNormalization(input, {layout: "nhwc", epsilon: 4, ...parameters});
      await results(inputs, (builder, operands) => ({y: normalize(builder, operands)}), near(expected, difference));
      await results(inputs, (builder, operands) => {
        const filter = builder.constant({dataType: type, shape: [2, 1, 1, 2]}, encode(type, [1, 0, 0, 1]));
        return {y: builder.conv2d(normalize(builder, operands), filter, {inputLayout: "nhwc", filterLayout: "ohwi"})};
      }, near(expected, difference));
    }
    const subnormal = {data: [1, -1, 1, -1, 2, -2, 2, -2].map((number) => number * tiny), shape: [1, 2, 2, 2], type};
    await results({x: subnormal}, (builder, {x: input}) => ({y: builder.instanceNormalization(input, {epsilon: 0})}),
                  near([1, -1, 1, -1, 1, -1, 1, -1], difference));
  }
});

finish();
