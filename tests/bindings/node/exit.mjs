// The process, and a worker, end while work is on its way.
import {Worker, isMainThread} from "node:worker_threads";
import {ml, MLGraphBuilder} from "../../../bindings/node/lib/index.js";

const context = await ml.createContext({accelerated: false});
const size = 512, descriptor = {dataType: "float32", shape: [size, size]};
const builder = new MLGraphBuilder(context);
const x = builder.input("x", descriptor);
let y = x;
for (let i = 0; i < 8; ++i) y = builder.matmul(y, x);
const graph = await builder.build({y});
const input = await context.createTensor({...descriptor, writable: true});
const output = await context.createTensor({...descriptor, readable: true});
const work = () => {
  for (let i = 0; i < 4; ++i) {
    context.dispatch(graph, {x: input}, {y: output});
    context.readTensor(output);
    const other = new MLGraphBuilder(context), a = other.input("a", descriptor);
    other.build({b: other.matmul(other.relu(a), a)});
    ml.createContext({accelerated: false});
  }
};

work();
if (isMainThread) {
  const workers = [0, 1].map(() => new Worker(new URL(import.meta.url)));
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.on("exit", resolve))));
  for (const when of [0, 5]) {
    const worker = new Worker(new URL(import.meta.url));
    await new Promise((resolve) => setTimeout(resolve, when * 40));
    await worker.terminate();
  }
  work();
  new MLGraphBuilder(context);
  console.log("1 passed, 0 failed");
  process.exit(0);
} else {
  process.exit(0);
}
