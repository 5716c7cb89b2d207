// Runs an ONNX model in ONNX Runtime Web, whose WebNN provider computes with this package. Its inputs are zeros.
//   npm install onnxruntime-web && node onnxruntime_web.mjs MODEL.onnx
import "webnn/global";
import fs from "node:fs";

globalThis.GPUDevice ??= class GPUDevice {};  // it asks whether something is one
const ort = await import("onnxruntime-web/all");
ort.env.wasm.numThreads = 1;  // of what runs outside of WebNN

// Without a timer, Node.js finishes optimising the WebAssembly before it goes on, which takes up to a minute.
const awake = setInterval(() => {}, 1000);
const session = await ort.InferenceSession.create(fs.readFileSync(process.argv[2]),
                                                  {executionProviders: [{name: "webnn", deviceType: "cpu"}]});
clearInterval(awake);
const arrays = {float32: Float32Array, int32: Int32Array, int64: BigInt64Array};
const feeds = {};
for (const {name, type, shape} of session.inputMetadata) {
  const sizes = shape.map((size) => (typeof size === "number" ? size : 1));  // one with a name is 1
  feeds[name] = new ort.Tensor(type, new arrays[type](sizes.reduce((a, b) => a * b, 1)), sizes);
}
for (const [name, {type, dims}] of Object.entries(await session.run(feeds))) console.log(`${name}: ${type}[${dims}]`);
process.exit();  // its WebAssembly keeps the process alive
