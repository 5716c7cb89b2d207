// ONNX Runtime Web, unmodified, on our navigator.ml: its WebNN provider takes every node of each model, and gives what its
// own provider for CPUs, in WebAssembly, gives.
//   node onnxruntime.mjs CLIENTS MODEL.onnx... [--device cpu]     CLIENTS is the folder of scripts/npm-clients.sh
import fs from "node:fs";
import path from "node:path";
import {parseArgs} from "node:util";
import "../../../bindings/node/lib/global.js";
import {assert, finish, test} from "../node/check.mjs";
import {counted, difference, onnxRuntimeWeb, randomNumbers, withOutput} from "./clients.mjs";

const {values: {device}, positionals: [clients, ...models]} =
    parseArgs({allowPositionals: true, options: {device: {type: "string", default: "cpu"}}});
const ort = await onnxRuntimeWeb(clients);
const dispatches = counted(MLContext.prototype, "dispatch");
const largest = 1e-4;

/** Inputs: numbers around 0, or small integers; dimensions without a size have 1. */
function feedsOf(session) {
  const random = randomNumbers(), arrays = {int64: BigInt64Array, int32: Int32Array, float32: Float32Array};
  return Object.fromEntries(session.inputMetadata.map(({name, type, shape}) => {
    const sizes = shape.map((size) => (typeof size === "number" ? size : 1));
    const one = type === "float32" ? () => random() * 2 - 1 : type === "int64" ? () => BigInt(Math.floor(random() * 50))
                                                                              : () => Math.floor(random() * 50);
    return [name, new ort.Tensor(type, arrays[type].from({length: sizes.reduce((a, b) => a * b, 1)}, one), sizes)];
  }));
}

const open = (model, executionProviders, options) =>
    ort.InferenceSession.create(fs.readFileSync(model), {executionProviders, ...options});
const bytesOf = (tensor) => Buffer.from(tensor.data.buffer, tensor.data.byteOffset, tensor.data.byteLength);

for (const model of models)
  await test(path.basename(model), async () => {
    // Its log says where the nodes are: in one partition, which the provider runs.
    const [session, log] = await withOutput(
        () => open(model, [{name: "webnn", deviceType: device}], {logSeverityLevel: 0, logVerbosityLevel: 0}));
    const numberOf = (what) => Number(log.match(new RegExp(`${what}: (\\d+)`))?.[1]);
    const [partitions, nodes, supported] =
        ["partitions supported by WebNN", "nodes in the graph", "nodes supported by WebNN"].map(numberOf);
    assert.ok(nodes > 0, "the log does not tell of WebNN");
    assert.equal(supported, nodes, "nodes are not on WebNN");
    assert.equal(partitions, 1);
    assert.ok(log.includes("All nodes placed on [WebNNExecutionProvider]"));

    const feeds = feedsOf(session), before = dispatches.calls;
    const [results, again] = [await session.run(feeds), await session.run(feeds)];
    assert.equal(dispatches.calls - before, 2);
    const reference = await open(model, ["wasm"], {logSeverityLevel: 3});
    const expected = await reference.run(feeds);
    let most = 0;
    for (const name of session.outputNames) {
      assert.deepEqual(results[name].dims, expected[name].dims);
      assert.deepEqual(bytesOf(again[name]), bytesOf(results[name]), "the second run gives something else");
      most = Math.max(most, difference(results[name].data, expected[name].data));
    }
    assert.ok(most <= largest, `differs from WebAssembly by ${most}`);
    console.log(`${path.basename(model)}: ${nodes} nodes on WebNN, differs from WebAssembly by ${most.toExponential(1)}`);
    await reference.release();
    await session.release();
  });

await test("inputs and outputs are MLTensors of the caller's context", async () => {
  const [model] = models, context = await navigator.ml.createContext({deviceType: device});
  const plain = await open(model, [{name: "webnn", deviceType: device, context}], {logSeverityLevel: 3});
  const feeds = feedsOf(plain), expected = await plain.run(feeds);
  await plain.release();
  const session = await open(model, [{name: "webnn", deviceType: device, context}],
                             {logSeverityLevel: 3, preferredOutputLocation: "ml-tensor"});
  const inputs = {};
  for (const [name, {type, dims, data}] of Object.entries(feeds)) {
    const tensor = await context.createTensor({dataType: type, shape: dims, writable: true});
    context.writeTensor(tensor, data);
    inputs[name] = ort.Tensor.fromMLTensor(tensor, {dataType: type, dims});
  }
  const results = await session.run(inputs);
  for (const name of session.outputNames) {
    assert.equal(results[name].location, "ml-tensor");
    assert.ok(results[name].mlTensor instanceof MLTensor);
    assert.equal(difference(await results[name].getData(), expected[name].data), 0);
  }
  // An output tensor of the caller.
  const [name] = session.outputNames, {type, dims} = expected[name];
  const own = await context.createTensor({dataType: type, shape: dims, readable: true});
  await session.run(inputs, {[name]: ort.Tensor.fromMLTensor(own, {dataType: type, dims})});
  assert.equal(difference(new expected[name].data.constructor(await context.readTensor(own)), expected[name].data), 0);
  await session.release();
});

finish();
process.exit();  // its WebAssembly keeps the process alive
