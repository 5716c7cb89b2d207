// A runtime for tests: answers as benchmarks/worker.cpp does, and says that every run takes as many milliseconds as its
// argument. A model with "broken" in its name does not load.
import fs from "node:fs";
import readline from "node:readline";

const milliseconds = Number(process.argv[2]);
const log = process.argv[3]; // gets a line for each batch of runs

const answers = {
  hello: () => ({}),
  load: ({ model }) => {
    if (model.includes("broken")) throw new Error("the model is broken");
    return {
      nanoseconds: 5e6,
      inputs: [{ name: "x", dataType: "float32", shape: [2, 3] }],
      outputs: [{ name: "y", dataType: "float32", shape: [2] }],
    };
  },
  bind: ({ inputs }) => (fs.readFileSync(inputs.x), {}),
  run: ({ count }) => {
    fs.appendFileSync(log, `${milliseconds} ${count}\n`);
    return { nanoseconds: Array(count).fill(milliseconds * 1e6) };
  },
  read: ({ outputs }) => (fs.writeFileSync(outputs.y, new Uint8Array(new Float32Array([milliseconds, 0]).buffer)), {}),
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = answers[request.do](request);
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
