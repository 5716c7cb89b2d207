// `webnn/tools`: a handwritten 7 is recognised by the graph file, its ONNX form, and a program compiled from it.
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {ml} from "../../../bindings/node/lib/index.js";
import {compare, compile, inspect, loadGraph, profile} from "../../../bindings/node/lib/tools.js";
import {assert, fails, finish, test} from "./check.mjs";

const models = fileURLToPath(new URL("../../../models", import.meta.url)), digits = path.join(models, "digits/digits.json");
const context = await ml.createContext();
const npy = fs.readFileSync(path.join(models, "digits/digits.input.image.npy"));
const image = npy.subarray(10 + npy.readUInt16LE(8));  // behind the header

async function digitOf(file) {
  const {graph, inputs: [input], outputs: [output], warnings} = await loadGraph(context, file);
  assert.deepEqual(warnings, []);
  const x = await context.createTensor({...input, writable: true}), y = await context.createTensor({...output, readable: true});
  context.writeTensor(x, image);
  context.dispatch(graph, {[input.name]: x}, {[output.name]: y});
  const probabilities = [...new Float32Array(await context.readTensor(y))];
  return probabilities.indexOf(Math.max(...probabilities));
}

await test("a graph file and an ONNX file", async () => {
  assert.equal(await digitOf(digits), 7);
  assert.equal(await digitOf(path.join(models, "onnx/digits.onnx")), 7);
});

await test("a program", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "webnn-")), program = path.join(folder, "digits.wnnc");
  try {
    execFileSync(process.argv[2], ["compile", digits, "-o", program]);
    assert.equal(await digitOf(program), 7);
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
});

await test("limits of a context", async () => {
  for (const limit of [{maxMemory: 100}, {maxWork: 100}])
    await fails("OperationError", async () => loadGraph(await ml.createContext({device: "cpu", ...limit}), digits));
  await loadGraph(await ml.createContext({device: "cpu", maxMemory: 2 ** 40, maxWork: 2 ** 40}), digits);
  for (const limit of [-1, 2 ** 53, NaN]) await fails("TypeError", () => ml.createContext({maxMemory: limit}));
});

const onnx = path.join(models, "onnx/digits.onnx");

await test("compiling, inspecting and profiling, without the command line", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "webnn-")), program = path.join(folder, "digits.wnnc");
  try {
    const {bytes, steps, warnings} = await compile(onnx, program, {device: "cpu", threads: 1});
    assert.deepEqual([bytes, warnings], [fs.statSync(program).size, []]);
    assert.equal(await digitOf(program), 7);

    const graph = await inspect(onnx), compiled = await inspect(program);
    for (const {inputs: [input], outputs: [output]} of [graph, compiled]) {
      assert.deepEqual([input.dataType, input.shape, output.shape], ["float32", [1, 1, 20, 20], [1, 10]]);
      assert.deepEqual([input.name, output.name], ["image", "probabilities"]);
    }
    assert.equal(graph.operators.conv2d, 2);
    assert.equal(graph.constants.count > 0 && graph.constants.bytes > 20000, true);
    assert.equal(Object.values(compiled.operators).reduce((a, b) => a + b), steps);

    for (const file of [onnx, program]) {
      const times = await profile(file, {runs: 3, threads: 1});
      assert.equal(times.steps.length, steps);
      assert.ok(times.milliseconds > 0 && times.steps.every((step) => step.milliseconds >= 0 && step.kernel.includes(".")));
    }
    await fails("TypeError", () => compile(program, path.join(folder, "again.wnnc")));
    await fails("TypeError", () => compile(path.join(models, "README.md"), program));
    await fails("OperationError", () => compile(onnx, path.join(folder, "README.md/no.wnnc").replace("README.md", "digits.wnnc")));
    await fails("OperationError", () => inspect(path.join(folder, "none.onnx")));
    assert.deepEqual(fs.readdirSync(folder), ["digits.wnnc"]);
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
});

await test("weights and dimensions that would not be read, and sizes of an ONNX model", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "webnn-")), program = path.join(folder, "digits.wnnc");
  const load = (file, options) => loadGraph(context, file, options), weightsFile = digits.replace(".json", ".weights");
  try {
    await compile(digits, program);
    for (const use of [load, inspect, profile])
      for (const options of [{dimensions: {n: 1}}, {weightsFile}])
        assert.match((await fails("TypeError", () => use(program, options))).message, /is a program, which has its sizes/);
    for (const use of [load, inspect, profile])
      assert.match((await fails("TypeError", () => use(onnx, {weightsFile}))).message, /names the files of its weights/);
    // Bad, because its dimensions have no sizes.
    const open = fileURLToPath(new URL("../../frontend/bad-onnx-dimensions.onnx", import.meta.url));
    const {inputs} = await load(open, {dimensions: {"batch": 2, "z[1]": 3}});
    assert.deepEqual(inputs.map(({shape}) => shape), [[2, 3], [2, 3]]);
    assert.match((await fails("TypeError", () => load(open))).message, /`dimensions` in the library/);
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
});

await test("comparing files and devices", async () => {
  const reference = await ml.createContext({device: "cpu:reference"});
  const [same] = await compare({context, file: digits}, {context, file: onnx});
  assert.deepEqual(same, {name: "probabilities", difference: 0, place: 0});
  const [close] = await compare({context, file: onnx}, {context: reference, file: onnx});
  assert.ok(close.difference < 1e-5);
  const text = (operator) => `webnn_graph "g" v2 {\n  inputs { x: f32[4]; }\n  nodes { y = ${operator}(x); }\n  outputs { y; }\n}\n`;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "webnn-"));
  try {
    for (const name of ["sin", "cos"]) fs.writeFileSync(path.join(folder, `${name}.webnn`), text(name));
    const [apart] = await compare(...["sin", "cos"].map((name) => ({context, file: path.join(folder, `${name}.webnn`)})));
    assert.ok(apart.difference > 0.1);
    const spaced = pathToFileURL(path.join(folder, "a b.webnn"));
    fs.writeFileSync(spaced, text("sqrt"));
    assert.equal((await inspect(spaced)).operators.sqrt, 1);
    await fails("TypeError", () => inspect(new URL("https://host/a.webnn")));
    const constants = (name, type, numbers, other = numbers) => [numbers, other].map((list, i) => {
      const file = path.join(folder, `${name}${i}.json`);
      const outputs = {y: "y"}, nodes = [{id: "y", op: "identity", inputs: ["c"]}];
      const inputs = {x: {dataType: type, shape: [4]}};
      fs.writeFileSync(file, JSON.stringify({format: "webnn-graph-json", version: 2, inputs,
                                             consts: {c: {dataType: type, shape: [4], init: {kind: "inlineBytes", bytes: list}}},
                                             nodes, outputs}));
      return {context, file};
    });
    const bytesOf = (array) => [...new Uint8Array(array.buffer)];
    const large = constants("large", "int64", bytesOf(BigInt64Array.of(1n, 2n, 9007199254740993n, 4n)),
                            bytesOf(BigInt64Array.of(1n, 2n, 9007199254740992n, 4n)));
    const [exact] = await compare(...large);
    assert.ok(exact.difference > 0 && exact.place === 2);
    const [lost] = await compare(...constants("lost", "float32", bytesOf(Float32Array.of(NaN, NaN, NaN, NaN)),
                                              bytesOf(Float32Array.of(0, 0, 0, 0))));
    assert.deepEqual(lost, {name: "y", difference: Infinity, place: 0});
    await fails("TypeError", () => compare({context, file: onnx}, {context, file: path.join(folder, "sin.webnn")}));
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
});

await test("what cannot be loaded", async () => {
  const error = await fails("OperationError", () => loadGraph(context, "/no/such/file.json"));
  assert.match(error.message, /no\/such\/file/);
  await fails("TypeError", () => loadGraph(context, path.join(models, "README.md")));
  await fails("TypeError", () => loadGraph(context));
  await fails("TypeError", () => loadGraph({}, digits));
});

finish();
