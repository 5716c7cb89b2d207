// LiteRT.js, unmodified: its WebNN accelerator takes a whole model, and gives what its own code for CPUs gives. It is written
// for browsers; what it asks them for is here. Its WebAssembly waits for promises (JSPI), which Node.js 24 has behind an option.
//   node --experimental-wasm-jspi litert.mjs CLIENTS
import fs from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";
import vm from "node:vm";
import "../../../bindings/node/lib/global.js";
import {assert, finish, test} from "../node/check.mjs";
import {counted, difference, fileOf, importFrom, randomNumbers} from "./clients.mjs";
import {tfliteModel} from "./tflite.mjs";

const [clients] = process.argv.slice(2), script = fileOf(clients, "@litertjs/core/wasm/litert_wasm_jspi_internal.js");
globalThis.self = globalThis;
Object.assign(globalThis, {require: createRequire(script), __filename: script, __dirname: path.dirname(script)});
globalThis.importScripts = (file) => vm.runInThisContext(fs.readFileSync(file, "utf8"), {filename: file});
const {loadLiteRt, loadAndCompile, Tensor} = await importFrom(clients, "@litertjs/core");
const flatbuffers = await importFrom(clients, "flatbuffers");
const model = tfliteModel(flatbuffers);
await loadLiteRt(script);
const dispatches = counted(MLContext.prototype, "dispatch");

async function resultOf(accelerator) {
  const random = randomNumbers(), compiled = await loadAndCompile(model, {accelerator});
  const input = new Tensor(Float32Array.from({length: 192}, random), [1, 8, 8, 3]);
  const [output] = await compiled.run([input]);
  const numbers = await output.data();
  return {numbers: [...numbers], isFullyAccelerated: compiled.isFullyAccelerated};
}

await test("a model with the WebNN accelerator", async () => {
  const [ours, theirs] = [await resultOf("webnn"), await resultOf("wasm")];
  assert.ok(ours.isFullyAccelerated);
  assert.ok(dispatches.calls > 0);
  assert.equal(ours.numbers.length, 256);
  assert.ok(difference(ours.numbers, theirs.numbers) <= 1e-5);
});

finish();
process.exit();  // its WebAssembly keeps the process alive
