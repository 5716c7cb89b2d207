// Contexts, tensors and graphs in JavaScript: results, states, buffers of all kinds.
import fs from "node:fs";
import {ml, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, version} from "../../../bindings/node/lib/index.js";
import {assert, fails, finish, test} from "./check.mjs";

const context = await ml.createContext({deviceType: "cpu"});
const square = {dataType: "float32", shape: [2, 2]};

/** relu(x + 1) */
async function smallGraph(on = context) {
  const builder = new MLGraphBuilder(on);
  const x = builder.input("x", square);
  const y = builder.relu(builder.add(x, builder.constant("float32", 1)));
  return builder.build({y});
}

async function tensorsOf(on = context) {
  return {x: await on.createTensor({...square, writable: true}), y: await on.createTensor({...square, readable: true})};
}

await test("the version is that of the package", () => {
  assert.equal(version, JSON.parse(fs.readFileSync(new URL("../../../bindings/node/package.json", import.meta.url))).version);
});

await test("a graph runs, twice, and a tensor is read into a buffer of the caller", async () => {
  const graph = await smallGraph(), {x, y} = await tensorsOf();
  for (const offset of [0, 5]) {
    context.writeTensor(x, new Float32Array([offset, -2, 3, -4]));
    context.dispatch(graph, {x}, {y});
    const expected = [offset + 1, 0, 4, 0];
    assert.deepEqual([...new Float32Array(await context.readTensor(y))], expected);
    const shared = new SharedArrayBuffer(32);
    for (const view of [new Float32Array(4), new Float32Array(shared, 8, 4), new DataView(shared, 8, 16),
                        new Uint8Array(16), Buffer.alloc(16)]) {
      assert.equal(await context.readTensor(y, view), undefined);
      assert.deepEqual([...new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + 16))], expected);
    }
    const whole = new SharedArrayBuffer(16);
    await context.readTensor(y, whole);
    assert.deepEqual([...new Float32Array(whole)], expected);
  }
});

await test("writes take any view, at any offset, and shared memory", async () => {
  const {x, y} = await tensorsOf(), graph = await smallGraph();
  const numbers = new Float32Array([9, 9, 1, 2, 3, 4, 9]);
  const shared = new SharedArrayBuffer(16);
  new Float32Array(shared).set([1, 2, 3, 4]);
  for (const data of [numbers.subarray(2, 6), new DataView(numbers.buffer, 8, 16), shared, new Uint8Array(shared),
                      numbers.buffer.slice(8, 24)]) {
    context.writeTensor(x, data);
    context.dispatch(graph, {x}, {y});
    assert.deepEqual([...new Float32Array(await context.readTensor(y))], [2, 3, 4, 5]);
  }
});

await test("results of all sizes are read whole, small and large", async () => {
  for (const size of [1, 1000, 20000, 3000000]) {
    const descriptor = {dataType: "int8", shape: [size], writable: true, readable: true};
    const tensor = await context.createTensor(descriptor);
    const bytes = Int8Array.from({length: size}, (_, i) => i * 7);
    context.writeTensor(tensor, bytes);
    assert.deepEqual(Buffer.from(await context.readTensor(tensor)), Buffer.from(bytes.buffer));
    tensor.destroy();
  }
});

await test("attributes of the interfaces", async () => {
  const tensor = await context.createTensor({dataType: "int64", shape: [3, 1], readable: true});
  assert.deepEqual([tensor.dataType, [...tensor.shape], tensor.readable, tensor.writable, tensor.constant],
                   ["int64", [3, 1], true, false, false]);
  const constant = await context.createConstantTensor(square, new Float32Array(4));
  assert.ok(constant.constant && !constant.readable && !constant.writable);
  const builder = new MLGraphBuilder(context);
  const operand = builder.input("a", {dataType: "float16", shape: []});
  assert.ok(operand instanceof MLOperand && Object.isFrozen(operand.shape) && operand.shape.length === 0);
  assert.equal(operand.dataType, "float16");
  assert.equal(context.accelerated, false);
  for (const [constructor, name] of [[MLContext, "MLContext"], [MLTensor, "MLTensor"], [MLGraph, "MLGraph"],
                                     [MLOperand, "MLOperand"]]) {
    await fails("TypeError", () => new constructor());
    assert.equal(constructor.prototype[Symbol.toStringTag], name);
  }
  await fails("TypeError", () => Object.getOwnPropertyDescriptor(MLTensor.prototype, "shape").get.call({}));
});

await test("constants of tensors, buffers, numbers and BigInts", async () => {
  const builder = new MLGraphBuilder(context);
  const row = {dataType: "int64", shape: [2]};
  const tensor = await context.createConstantTensor(row, new BigInt64Array([1n, 2n]));
  const sum = builder.add(builder.add(builder.constant(tensor), builder.constant(row, new BigInt64Array([10n, 20n]))),
                          builder.constant("int64", 9007199254740993n));
  const graph = await builder.build({sum: builder.identity(sum)});
  const out = await context.createTensor({...row, readable: true});
  context.dispatch(graph, {}, {sum: out});
  assert.deepEqual([...new BigInt64Array(await context.readTensor(out))], [9007199254741004n, 9007199254741015n]);
});

await test("BigInts beyond 64 bits are the numbers next to them", async () => {
  const builder = new MLGraphBuilder(context), one = {dataType: "float32", shape: [1]};
  const big = builder.constant("float32", 2n ** 64n + 5n), least = builder.constant("float32", -(2n ** 70n));
  const clamped = builder.clamp(builder.input("x", one), {minValue: 2n ** 63n, maxValue: 2n ** 64n});
  const graph = await builder.build({big: builder.identity(big), least: builder.identity(least), clamped});
  const x = await context.createTensor({...one, writable: true});
  context.writeTensor(x, new Float32Array([1e30]));
  const outputs = {};
  for (const [name, shape] of [["big", []], ["least", []], ["clamped", [1]]])
    outputs[name] = await context.createTensor({dataType: "float32", shape, readable: true});
  context.dispatch(graph, {x}, outputs);
  const results = Object.values(outputs).map(async (tensor) => new Float32Array(await context.readTensor(tensor))[0]);
  assert.deepEqual(await Promise.all(results), [2 ** 64, -(2 ** 70), 2 ** 64]);
});

await test("the method of an iterator is read once", () => {
  const builder = new MLGraphBuilder(context), x = builder.input("x", {dataType: "float32", shape: [4]});
  let reads = 0;
  const splits = {get [Symbol.iterator]() { return ++reads, () => [1, 3][Symbol.iterator](); }};
  assert.deepEqual(builder.split(x, splits).map((part) => [...part.shape]), [[1], [3]]);
  assert.equal(reads, 1);
});

await test("split, lstm and concat: lists of operands", async () => {
  const builder = new MLGraphBuilder(context);
  const x = builder.input("x", {dataType: "float32", shape: [4, 2]});
  const parts = builder.split(x, [1, 3]);
  assert.deepEqual(parts.map((part) => [...part.shape]), [[1, 2], [3, 2]]);
  assert.equal(builder.split(x, 2, {axis: 1}).length, 2);
  assert.deepEqual([...builder.concat(parts, 0).shape], [4, 2]);
  const zeros = (...shape) => builder.constant({dataType: "float32", shape}, new Float32Array(shape.reduce((a, b) => a * b)));
  const results = builder.lstm(zeros(2, 1, 3), zeros(1, 16, 3), zeros(1, 16, 4), 2, 4, {returnSequence: true, unknown: 1});
  assert.deepEqual(results.map((result) => [...result.shape]), [[1, 1, 4], [1, 1, 4], [2, 1, 1, 4]]);
  assert.equal(builder.gru(zeros(2, 1, 3), zeros(1, 12, 3), zeros(1, 12, 4), 2, 4).length, 1);
  assert.ok(builder.gruCell(zeros(1, 3), zeros(12, 3), zeros(12, 4), zeros(1, 4), 4) instanceof MLOperand);
});

await test("opSupportLimits names every operator", () => {
  const limits = context.opSupportLimits();
  const methods = Object.getOwnPropertyNames(MLGraphBuilder.prototype)
                      .filter((name) => !["constructor", "input", "constant", "build"].includes(name));
  assert.ok(methods.length >= 95);
  for (const method of methods) assert.ok(limits[method], method);
  assert.deepEqual(limits.gemm.a.rankRange, {min: 2, max: 2});
});

await test("wrong calls are TypeErrors, in the order of the specification", async () => {
  const builder = new MLGraphBuilder(context), other = new MLGraphBuilder(context);
  const x = builder.input("x", square);
  const wrong = [
    () => new MLGraphBuilder({}),
    () => MLGraphBuilder(context),
    () => builder.input("x", square),
    () => builder.input("", square),
    () => builder.input("z", {dataType: "float99", shape: [1]}),
    () => builder.input("z", {dataType: "float32"}),
    () => builder.input("z", {dataType: "float32", shape: [-1]}),
    () => builder.input("z", {dataType: "float32", shape: [0]}),
    () => builder.input("z", {dataType: "float32", shape: [1.5e10]}),
    () => builder.input("z", {dataType: "float32", shape: 3}),
    () => builder.constant(square, new Float32Array(3)),
    () => builder.constant(square, [1, 2, 3, 4]),
    () => builder.add(x),
    () => builder.add(x, null),
    () => builder.add(x, other.input("y", square)),
    () => builder.matmul(x, builder.input("long", {dataType: "float32", shape: [3, 3]})),
    () => builder.relu.call({}, x),
    () => builder.clamp(x, {minValue: 2, maxValue: 1}),
    () => builder.elu(x, {alpha: Infinity}),
    () => builder.softmax(x, 2),
    () => builder.softmax(x, "one"),
    () => builder.conv2d(x, x, {inputLayout: "chw"}),
    () => builder.relu(x, 5),
    () => builder.concat([], 0),
    () => builder.build({}),
    () => builder.build({y: x}),
    () => builder.build(),
  ];
  for (const call of wrong) await fails("TypeError", call);
  assert.ok(builder.relu(x, {label: "still", get alpha() { assert.fail("read"); }}));
});

await test("wrong uses of tensors", async () => {
  const graph = await smallGraph(), {x, y} = await tensorsOf(), stranger = await ml.createContext();
  const theirs = await tensorsOf(stranger);
  const wrong = [
    () => context.writeTensor(y, new Float32Array(4)),
    () => context.writeTensor(x, new Float32Array(5)),
    () => context.writeTensor(theirs.x, new Float32Array(4)),
    () => context.readTensor(x),
    () => context.readTensor(y, new Float32Array(3)),
    () => context.readTensor(theirs.y),
    () => context.dispatch(graph, {}, {y}),
    () => context.dispatch(graph, {x, z: x}, {y}),
    () => context.dispatch(graph, {x}, {y: x}),
    () => context.dispatch(graph, {x: theirs.x}, {y}),
    () => stranger.dispatch(graph, theirs, theirs),
    () => context.dispatch({}, {x}, {y}),
    () => context.createTensor({dataType: "float32", shape: [1 << 16, 1 << 15]}),
    () => context.createConstantTensor(square, new Float32Array(1)),
  ];
  for (const call of wrong) await fails("TypeError", call);
  x.destroy();
  x.destroy();
  await fails("TypeError", () => context.writeTensor(x, new Float32Array(4)));
  await fails("TypeError", () => context.dispatch(graph, {x}, {y}));
});

await test("destroyed and finished things are in the wrong state", async () => {
  const own = await ml.createContext({deviceType: "cpu", powerPreference: "low-power"});
  const graph = await smallGraph(own), {x, y} = await tensorsOf(own);
  const builder = new MLGraphBuilder(own);
  const relu = builder.relu(builder.input("a", square));
  await builder.build({relu});
  await fails("InvalidStateError", () => builder.relu(relu));
  await fails("InvalidStateError", () => builder.build({relu}));
  graph.destroy();
  await fails("InvalidStateError", () => own.dispatch(graph, {x}, {y}));
  own.destroy();
  assert.equal(typeof (await own.lost).message, "string");
  await fails("InvalidStateError", () => own.createTensor(square));
  await fails("InvalidStateError", () => own.writeTensor(x, new Float32Array(4)));
  await fails("InvalidStateError", () => own.readTensor(y));
  await fails("InvalidStateError", () => new MLGraphBuilder(own));
  own.destroy();
});

await test("a read that waits is rejected when the context is destroyed, or reads what was there", async () => {
  const own = await ml.createContext();
  const {y} = await tensorsOf(own);
  const read = own.readTensor(y).then((bytes) => bytes.byteLength, (error) => error.name);
  own.destroy();
  assert.ok([16, "InvalidStateError"].includes(await read));
});

await test("errors are those that the specification names", async () => {
  const own = await ml.createContext({accelerated: false}), strange = await smallGraph(), builder = new MLGraphBuilder(own);
  const tensor = await own.createConstantTensor(square, new Float32Array(4));
  await builder.build({y: builder.relu(builder.constant(tensor))});
  // What is wrong with the call comes before the state of builder and context.
  const other = await context.createConstantTensor(square, new Float32Array(4));
  await fails("TypeError", () => builder.constant(other));
  await fails("InvalidStateError", () => builder.constant(tensor));
  own.destroy();
  await fails("TypeError", () => own.dispatch(strange, {}, {}));
  const lost = new MLGraphBuilder(await ml.createContext({accelerated: false}));
  assert.ok(lost.relu(lost.input("x", square)));
  await fails("NotSupportedError", () => ml.createContext({device: "gpu:99"}));
});

await test("a label is in the message, with what could mislead a reader escaped", async () => {
  const builder = new MLGraphBuilder(context), x = builder.input("x", square);
  const error = await fails("TypeError", () => builder.softmax(x, 7, {label: "rows\u202e\n"}));
  assert.ok(error.message.startsWith("[rows\\u{202e}\\u{a}] "), error.message);
});

await test("buffers that can change their size are refused, as Web IDL says", async () => {
  const {x} = await tensorsOf();
  if (!ArrayBuffer.prototype.resize) return;  // Node.js 18
  const resizable = new ArrayBuffer(16, {maxByteLength: 32});
  for (const data of [resizable, new Float32Array(resizable), new SharedArrayBuffer(16, {maxByteLength: 32})])
    await fails("TypeError", () => context.writeTensor(x, data));
});

await test("float16 is written from what JavaScript has for it", async () => {
  const half = {dataType: "float16", shape: [2]}, builder = new MLGraphBuilder(context), bits = new Uint16Array([0x3c00, 0xc000]);
  const data = typeof Float16Array === "undefined" ? [bits] : [bits, new Float16Array([1, -2])];
  const graph = await builder.build({y: builder.neg(builder.input("x", half))});
  const x = await context.createTensor({...half, writable: true}), y = await context.createTensor({...half, readable: true});
  for (const view of data) {
    context.writeTensor(x, view);
    context.dispatch(graph, {x}, {y});
    const read = view.slice();
    await context.readTensor(y, read);
    assert.deepEqual([...new Uint16Array(read.buffer)], [0xbc00, 0x4000]);
    const other = new MLGraphBuilder(context);
    assert.equal(other.constant(half, view).dataType, "float16");
  }
  await fails("TypeError", () => new MLGraphBuilder(context).constant(half, new Int16Array(2)));
});

await test("the device of a context and of its graphs", async () => {
  for (const options of [{accelerated: false}, {deviceType: "npu"}, {powerPreference: "low-power"}]) {
    const own = await ml.createContext(options);
    assert.equal(own.accelerated, false);
    assert.deepEqual((await smallGraph(own)).devices, ["cpu"]);
  }
  // Preferred, where there is a GPU that is not software.
  assert.equal(typeof (await ml.createContext()).accelerated, "boolean");
});

await test("a context that does not exist", async () => {
  await fails("TypeError", () => ml.createContext({deviceType: "abacus"}));
  await fails("TypeError", () => ml.createContext(3));
  await fails("TypeError", () => ml.createContext({device: "abacus"}));
});

finish();
