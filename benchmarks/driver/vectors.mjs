// Runs the ONNX files of `onnx-vectors write` in ONNX Runtime and writes their outputs for `onnx-vectors compare`.
// usage: node vectors.mjs CACHE < LINES
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { Worker } from "./worker.mjs";

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), "onnxruntime_worker.mjs");
const worker = new Worker("onnxruntime", [process.execPath, program, process.argv[2]]);
const refused = new Map(); // by the message

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { file, vector, model, inputs, outputs } = JSON.parse(line);
  try {
    await worker.ask({ do: "load", model, threads: 1 });
    await worker.ask({ do: "bind", inputs });
    await worker.ask({ do: "run", count: 1 });
    await worker.ask({ do: "read", outputs });
  } catch (error) {
    const reason = error.message.split("\n")[0].replace(/\d+|\S*\.onnx/g, "..");
    refused.set(reason, [...(refused.get(reason) ?? []), `${file}: ${vector}`]);
  }
}
await worker.end();
for (const [reason, vectors] of refused) console.error(`${vectors.length} refused: ${reason}\n  for example ${vectors[0]}`);
