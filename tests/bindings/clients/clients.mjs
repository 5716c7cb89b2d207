// What the programs in this folder share: the clients from npm, and numbers that are the same in each run.
import fs from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";

/** The file of a package in the folder where scripts/npm-clients.sh has installed them. */
export const fileOf = (folder, name) => path.join(folder, "node_modules", name);
/** A package, as a program in that folder imports it. */
export function importFrom(folder, name) {
  const require = createRequire(pathToFileURL(path.join(folder, "package.json")));
  return import(pathToFileURL(require.resolve(name)));
}

/** ONNX Runtime Web, on one thread, with what it wants beyond WebNN: it asks whether something is a GPUDevice. */
export async function onnxRuntimeWeb(folder) {
  globalThis.GPUDevice ??= class GPUDevice {};
  const ort = await import(pathToFileURL(fileOf(folder, "onnxruntime-web/dist/ort.all.bundle.min.mjs")));
  ort.env.wasm.numThreads = 1;
  return ort;
}

/** Numbers between 0 and 1. */
export function randomNumbers(seed = 1) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** The largest difference between two lists of numbers, by their own size where that is above 1. */
export function difference(ours, theirs) {
  if (ours.length !== theirs.length) return Infinity;
  let most = 0;
  for (let i = 0; i < ours.length; ++i) {
    const apart = Math.abs(Number(ours[i]) - Number(theirs[i])) / Math.max(1, Math.abs(Number(theirs[i])));
    if (!(apart <= most)) most = apart;  // NaN, too
  }
  return most;
}

/** Runs the function, and gives its result and what WebAssembly wrote to the standard streams meanwhile. */
export async function withOutput(run) {
  const {writeSync} = fs;
  let text = "";
  fs.writeSync = (file, data, ...rest) => (file <= 2 ? void (text += data) : writeSync(file, data, ...rest));
  try {
    return [await run(), text];
  } finally {
    fs.writeSync = writeSync;
  }
}

/** Counts the calls of a method of a class. */
export function counted(prototype, name) {
  const method = prototype[name], count = {calls: 0};
  prototype[name] = function (...given) {
    ++count.calls;
    return method.apply(this, given);
  };
  return count;
}
