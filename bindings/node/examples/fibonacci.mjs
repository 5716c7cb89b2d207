// One graph that adds two tensors, run repeatedly on its own results. Each sum overwrites the older summand, so nothing is
// copied, and nothing waits until the end.
//   node fibonacci.mjs     prints F(90) = 2880067194370816120
import {ml, MLGraphBuilder} from "webnn";

const scalar = {dataType: "uint64", shape: []};
const context = await ml.createContext({accelerated: false});
const builder = new MLGraphBuilder(context);
const older = builder.input("older", scalar), newer = builder.input("newer", scalar);
const graph = await builder.build({sum: builder.add(older, newer)});

// Three tensors rotate: two summands and their sum. They begin as zero: 0, 1.
const create = () => context.createTensor({...scalar, readable: true, writable: true});
const tensors = [await create(), await create(), await create()];
context.writeTensor(tensors[1], new BigUint64Array([1n]));

// All dispatches for F(2) to F(90) are submitted at once; the context runs them in order.
const last = 90;
for (let i = 2; i <= last; ++i)
  context.dispatch(graph, {older: tensors[(i - 2) % 3], newer: tensors[(i - 1) % 3]}, {sum: tensors[i % 3]});

const [result] = new BigUint64Array(await context.readTensor(tensors[last % 3]));
console.log(`F(${last}) = ${result}`);
