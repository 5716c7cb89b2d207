// Runs one ONNX file in ONNX Runtime when told to; the requests are those of worker.cpp.
//
// Inputs and outputs are tensors that exist before the run, as in the other worker: nothing is allocated or copied for
// a run that ONNX Runtime does not want itself.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";

// The folder with node_modules.
const ort = createRequire(path.resolve(process.argv[2], "package.json"))("onnxruntime-node");

const arrays = {
  float32: Float32Array, float16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array,
  uint64: BigUint64Array, int8: Int8Array, uint8: Uint8Array,
};
if (typeof Float16Array !== "undefined") arrays.float16 = Float16Array; // what onnxruntime-common expects where it exists

let session;
let inputs = {};
let outputs = {};

const elements = (shape) => shape.reduce((product, size) => product * size, 1);
const describe = (list) => list.map(({ name, type, shape }) => ({ name, dataType: type, shape }));
const nanoseconds = (begin) => Number(process.hrtime.bigint() - begin);

const requests = {
  hello: () => ({}),

  async load({ model, threads }) {
    const begin = process.hrtime.bigint();
    session = await ort.InferenceSession.create(model, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      graphOptimizationLevel: "all",
      logSeverityLevel: 4, // errors come back as exceptions
    });
    const time = nanoseconds(begin);
    outputs = {};
    for (const { name, type, shape } of session.outputMetadata)
      outputs[name] = new ort.Tensor(type, new arrays[type](elements(shape)), shape);
    return { nanoseconds: time, inputs: describe(session.inputMetadata), outputs: describe(session.outputMetadata) };
  },

  bind({ inputs: files }) {
    for (const { name, type, shape } of session.inputMetadata) {
      const bytes = new Uint8Array(fs.readFileSync(files[name])); // its own buffer, from its beginning
      inputs[name] = new ort.Tensor(type, new arrays[type](bytes.buffer, 0, elements(shape)), shape);
    }
    return {};
  },

  async run({ count }) {
    const times = [];
    for (let i = 0; i < count; ++i) {
      const begin = process.hrtime.bigint();
      await session.run(inputs, outputs);
      times.push(nanoseconds(begin));
    }
    return { nanoseconds: times };
  },

  read({ outputs: files }) {
    for (const [name, { data }] of Object.entries(outputs))
      fs.writeFileSync(files[name], new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return {};
  },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  let answer;
  try {
    const request = JSON.parse(line);
    answer = await requests[request.do](request);
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
