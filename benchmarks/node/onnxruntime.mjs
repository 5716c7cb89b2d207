// Models in ONNX Runtime Web, whose WebNN provider runs on our addon, beside onnxruntime-node on the CPU and ONNX Runtime
// Web's own WebAssembly: one process for each, in turns; prints medians in milliseconds and the ratio to ours.
//   npm install --ignore-scripts onnxruntime-web onnxruntime-node       in FOLDER
//   node benchmarks/node/onnxruntime.mjs FOLDER MODEL.onnx... [--turns N] [--threads N] [--device cpu]
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {parseArgs} from "node:util";

const {values, positionals: [folder, ...models]} = parseArgs({
  allowPositionals: true,
  options: {
    turns: {type: "string", default: "5"},
    threads: {type: "string", default: "2"},
    device: {type: "string", default: "cpu"},
    as: {type: "string"},
  },
});
const threads = Number(values.threads);
const require = createRequire(pathToFileURL(path.resolve(folder, "package.json")));

async function runtime(name) {
  if (name === "onnxruntime-node") {
    const options = {executionProviders: ["cpu"], intraOpNumThreads: threads, interOpNumThreads: 1};
    return [require("onnxruntime-node"), options];
  }
  globalThis.GPUDevice ??= class GPUDevice {};
  const bundle = path.resolve(folder, "node_modules/onnxruntime-web/dist/ort.all.bundle.min.mjs");
  const ort = await import(pathToFileURL(bundle));
  ort.env.wasm.numThreads = 1;
  if (name === "wasm") return [ort, {executionProviders: ["wasm"]}];
  await import("../../bindings/node/lib/global.js");
  const context = await navigator.ml.createContext({deviceType: values.device, threads});
  return [ort, {executionProviders: [{name: "webnn", deviceType: values.device, context}]}];
}

/** The inputs of a model: numbers from 0 to 1, or small integers, the same for each runtime. */
function feedsOf(ort, session) {
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const feeds = {};
  for (const {name, type, shape} of session.inputMetadata) {
    const sizes = shape.map((size) => (typeof size === "number" ? size : 1));
    const count = sizes.reduce((a, b) => a * b, 1);
    const data = type === "int64" ? BigInt64Array.from({length: count}, () => BigInt(Math.floor(random() * 100)))
               : type === "int32" ? Int32Array.from({length: count}, () => Math.floor(random() * 100))
                                  : Float32Array.from({length: count}, random);
    feeds[name] = new ort.Tensor(type, data, sizes);
  }
  return feeds;
}

/** Waits until V8 has optimised the WebAssembly, which otherwise takes a core from what is measured. */
async function untilIdle() {
  for (let busy = 1; busy > 0.1;) {
    const before = process.cpuUsage(), begin = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const {user, system} = process.cpuUsage(before);
    busy = (user + system) / 1000 / (performance.now() - begin);
  }
}

async function measure(model) {
  const awake = setInterval(() => {}, 1000);  // without it Node.js would create no session before V8 has done so
  const [ort, options] = await runtime(values.as);
  const session = await ort.InferenceSession.create(fs.readFileSync(model), {...options, logSeverityLevel: 3});
  const feeds = feedsOf(ort, session);
  for (let i = 0; i < 3; ++i) await session.run(feeds);
  clearInterval(awake);
  await session.run(feeds);
  await untilIdle();
  const times = [];
  let results;
  for (const end = performance.now() + 1500; performance.now() < end || times.length < 5;) {
    const begin = performance.now();
    results = await session.run(feeds);
    times.push(performance.now() - begin);
  }
  const outputs = Object.values(results).map((tensor) => Array.from(tensor.data.subarray(0, 1000), Number));
  console.log(JSON.stringify({median: times.sort((a, b) => a - b)[times.length >> 1], outputs}));
  process.exit(0);
}

const median = (list) => list.toSorted?.((a, b) => a - b)[list.length >> 1] ?? [...list].sort((a, b) => a - b)[list.length >> 1];

function compare(model) {
  const names = ["webnn", "onnxruntime-node", "wasm"], times = Object.fromEntries(names.map((name) => [name, []]));
  const outputs = {};
  for (let turn = 0; turn < Number(values.turns); ++turn)
    for (const name of names) {
      const options = ["--threads", values.threads, "--device", values.device, "--as", name];
      const text = execFileSync(process.execPath, [fileURLToPath(import.meta.url), folder, model, ...options],
                                {encoding: "utf8", stdio: ["ignore", "pipe", "ignore"]});
      const result = JSON.parse(text.trim().split("\n").at(-1));
      times[name].push(result.median);
      outputs[name] = result.outputs.flat();
    }
  const ours = median(times.webnn);
  const difference = Math.max(...outputs.webnn.map((value, i) => Math.abs(value - outputs.wasm[i])));
  const columns = names.map((name) => `${name} ${median(times[name]).toFixed(2)} ms (${(median(times[name]) / ours).toFixed(2)})`);
  console.log(`${path.basename(model)}: ${columns.join(", ")}; differs from wasm by at most ${difference.toExponential(1)}`);
}

if (values.as) await measure(models[0]);
else for (const model of models) compare(model);
