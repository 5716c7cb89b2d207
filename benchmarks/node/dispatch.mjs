// What a dispatch from JavaScript costs beyond one from C++: the microseconds of a call, and those until the work has ended.
// Each number is the least of many rounds, because what else the machine does only adds; both programs take turns.
//   cmake --build --preset release --target webnn-node benchmark-dispatch
//   node benchmarks/node/dispatch.mjs build/release/bin/benchmark-dispatch
import {execFileSync} from "node:child_process";
import {ml, MLGraphBuilder} from "../../bindings/node/lib/index.js";

const dispatches = 500, rounds = 200, turns = 3, [program] = process.argv.slice(2);
const context = await ml.createContext({device: "cpu", threads: 1});
const builder = new MLGraphBuilder(context), descriptor = {dataType: "float32", shape: [4]};
const graph = await builder.build({y: builder.relu(builder.input("x", descriptor))});
const x = await context.createTensor({...descriptor, writable: true});
const y = await context.createTensor({...descriptor, readable: true});

async function measure() {
  const least = {call: Infinity, end: Infinity};
  const note = (name, begin) => (least[name] = Math.min(least[name], ((performance.now() - begin) * 1000) / dispatches));
  for (let round = 0; round < rounds; ++round) {
    const begin = performance.now();
    for (let i = 0; i < dispatches; ++i) context.dispatch(graph, {x}, {y});
    note("call", begin);
    await context.readTensor(y);
    note("end", begin);
  }
  return least;
}

const least = {ours: {call: Infinity, end: Infinity}, native: {call: Infinity, end: Infinity}};
for (let turn = 0; turn < turns; ++turn)
  for (const [name, result] of [["ours", await measure()], ["native", JSON.parse(execFileSync(program, {encoding: "utf8"}))]])
    for (const part of ["call", "end"]) least[name][part] = Math.min(least[name][part], result[part]);

for (const [part, words] of [["call", "the call"], ["end", "until the work has ended"]]) {
  const [ours, native] = [least.ours[part], least.native[part]];
  console.log(`${words}: ${ours.toFixed(2)} us from JavaScript, ${native.toFixed(2)} us from C++, ` +
              `${(ours - native).toFixed(2)} us more`);
}
