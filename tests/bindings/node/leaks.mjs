// Graphs, tensors, builders and contexts that are dropped leave no memory behind: node leaks.mjs [COUNT]
// glibc's malloc gets one arena: otherwise each thread's own one keeps what others have freed, and grows for a while.
import {spawnSync} from "node:child_process";
import {fileURLToPath} from "node:url";
import v8 from "node:v8";
import vm from "node:vm";
import {ml, MLGraphBuilder} from "../../../bindings/node/lib/index.js";
import {assert, finish, test} from "./check.mjs";

if (process.env.MALLOC_ARENA_MAX !== "1") {
  const words = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  process.exit(spawnSync(process.execPath, words, {stdio: "inherit", env: {...process.env, MALLOC_ARENA_MAX: "1"}}).status ?? 1);
}

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc");
const count = Number(process.argv[2] ?? 4000), first = 1000, limit = 5;  // MB
const context = await ml.createContext();
const descriptor = {dataType: "float32", shape: [16]};

async function once(i) {
  const builder = new MLGraphBuilder(context);
  const x = builder.input("x", descriptor);
  const graph = await builder.build({y: builder.relu(builder.add(x, builder.constant("float32", i)))});
  const input = await context.createTensor({...descriptor, writable: true});
  const output = await context.createTensor({...descriptor, readable: true});
  context.dispatch(graph, {x: input}, {y: output});
  await context.readTensor(output);
  if (i % 3 === 0) graph.destroy();
  if (i % 5 === 0) input.destroy();
}

const settle = async () => {
  for (let i = 0; i < 4; ++i) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/// The process's memory in MB, without what waits for the collector's own threads, which come late on a busy machine.
async function memory() {
  let least = Infinity;
  for (let round = 0; round < 4; ++round) {
    await settle();
    least = Math.min(least, process.memoryUsage().rss / 1e6);
  }
  return least;
}

let made = 0;
async function make(graphs) {
  for (const end = made + graphs; made < end; ++made) {
    await once(made);
    if (made % 250 === 0) await settle();
  }
}

// V8 takes memory in steps, and when it does so differs from run to run. A leak grows in every window of graphs.
await test("memory stays where it was after the first graphs", async () => {
  await make(first);
  let growth = limit;
  for (let window = 0; window < 6 && growth >= limit; ++window) {
    const before = await memory();
    await make(count - first);
    growth = await memory() - before;
    console.log(`${growth.toFixed(1)} MB more after ${made} graphs than after ${made - (count - first)}`);
  }
  assert.ok(growth < limit);
});

await test("contexts go, too", async () => {
  for (let i = 0; i < 20; ++i) (await ml.createContext()).opSupportLimits();
  await settle();
});

finish();
