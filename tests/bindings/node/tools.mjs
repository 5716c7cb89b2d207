// `webnn/tools`: a handwritten 7 is recognised by the graph file, its ONNX form, and a program compiled from it.
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {fileURLToPath} from "node:url";
import {ml} from "../../../bindings/node/lib/index.js";
import {loadGraph} from "../../../bindings/node/lib/tools.js";
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

await test("what cannot be loaded", async () => {
  const error = await fails("OperationError", () => loadGraph(context, "/no/such/file.json"));
  assert.match(error.message, /no\/such\/file/);
  await fails("TypeError", () => loadGraph(context, path.join(models, "README.md")));
  await fails("TypeError", () => loadGraph(context));
  await fails("TypeError", () => loadGraph({}, digits));
});

finish();
