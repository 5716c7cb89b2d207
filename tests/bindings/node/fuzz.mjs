// Random calls of every method of the interface, right ones and wrong ones in all ways: whatever a page does, it gets a result,
// or an exception that the specification knows; nothing crashes, and everything works afterwards.
//   node fuzz.mjs [CALLS [SEED]]
import addon from "../../../bindings/node/lib/addon.js";
import {ml, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor} from "../../../bindings/node/lib/index.js";
import {assert, finish, test} from "./check.mjs";

const [calls, seed] = [Number(process.argv[2] ?? 20000), Number(process.argv[3] ?? 1)];
let state = seed;
const below = (count) => (state = (state * 48271) % 2147483647) % count;
const chance = (percent) => below(100) < percent;
const pick = (list) => list[below(list.length)];

// ---- what calls are made with

const thrown = new Error("thrown by an argument");
const allTypes = ["float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8", "int4", "uint4"];
const types = [...allTypes, ...Array(20).fill("float32")];
const detached = new Float32Array(4);
structuredClone(detached.buffer, {transfer: [detached.buffer]});
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const odd = [
  undefined, null, true, false, 0, -0, 1, -1, 0.5, NaN, Infinity, 2 ** 31, 2 ** 32, 2 ** 53, 10n, -(2n ** 64n), "", "float32", "x",
  "\ud800", "\u202e", Symbol("s"), Symbol.iterator, {}, [], [1], [[]], [undefined], [1n], ["1"], new Array(3), [2 ** 31, 2 ** 31],
  () => 1, class {}, new Date(0), new Map([["x", 1]]), new Set([1, 2]), Promise.resolve(1), new Proxy({}, {}), revoked.proxy,
  new Uint8Array(3), new Float32Array(4), new Float64Array(2), new DataView(new ArrayBuffer(16), 3), new ArrayBuffer(16),
  new SharedArrayBuffer(16), detached, detached.buffer, MLTensor, MLTensor.prototype, MLContext.prototype, {length: 4e9},
  {get x() { throw thrown; }}, {[Symbol.iterator]: () => { throw thrown; }}, {[Symbol.iterator]: () => ({next: () => 1})},
  {[Symbol.iterator]: 1}, {toString() { throw thrown; }}, {valueOf: () => 2}, {valueOf: () => 2n},
  {dataType: "float32", shape: [2]},
  new (class extends Float32Array { get buffer() { return new ArrayBuffer(1); } get byteLength() { return 1e9; } })(4),
  ...(ArrayBuffer.prototype.resize ? [true, false].map((isView) => {
    const buffer = new ArrayBuffer(8, {maxByteLength: 16});
    return isView ? new Uint8Array(buffer) : buffer;
  }) : []),
];
const pools = {context: [], builder: [], operand: [], tensor: [], graph: []};
const add = (kind, value) => {
  if (pools[kind].length < 60) pools[kind].push(value);
  else pools[kind][below(60)] = value;
  return value;
};
function some(kind) {
  if (chance(92) && pools[kind].length) return pick(pools[kind]);
  return chance(20) ? Object.create(pick(pools[kind]) ?? {}) : pick(odd);
}
const size = () => pick([1, 1, 2, 2, 3, 4, 5, 8, 0, 16, 2 ** 31 - 1, 2 ** 32]);
const list = (make, most = 4) => {
  const items = Array.from({length: below(most + 1)}, make);
  return chance(80) ? items : chance(50) ? new Set(items) : Uint32Array.from(items, Number).values();
};
const common = [[], [4], [2, 2], [1, 2, 4, 4]];  // so that operands fit each other
const shape = () => chance(60) ? [...pick(common)] : (chance(90) ? Array.from({length: below(5)}, () => 1 + below(4)) : list(size, 10));
const descriptor = () =>
    chance(93) ? {dataType: pick(types), shape: shape(), readable: chance(60), writable: chance(60)} : pick(odd);
const bits = {float32: 32, float16: 16, int32: 32, uint32: 32, int64: 64, uint64: 64, int8: 8, uint8: 8, int4: 4, uint4: 4};
function bytesFor(of) {
  if (chance(10) || !Array.isArray(of?.shape) || !bits[of?.dataType]) return pick(odd);
  const length = Math.ceil((of.shape.reduce((a, b) => a * Number(b), 1) * bits[of.dataType]) / 8);
  if (!(length < 1 << 20)) return pick(odd);
  const bytes = new Uint8Array(length + (chance(3) ? 1 : 0)).map(() => below(256));
  return pick([bytes, bytes.buffer, new DataView(bytes.buffer)]);
}
const numberOf = () => pick([0, 1, -1, 0.5, 2, 1e9, NaN, Infinity, 3n, -(2n ** 70n), ...(chance(5) ? odd : [])]);

const operators = addon.operators();
const attributes = {
  boolean: () => chance(50),
  u32: size,
  i32: () => below(9) - 4,
  real: numberOf,
  number: numberOf,
  u32_list: () => list(size),
  u32_or_list: () => (chance(50) ? size() : list(size)),
  real_list: () => list(numberOf),
  text: (words) => pick(words),
  text_list: (words) => list(() => pick(words)),
  data_type: () => pick(types),
};

/** The operands of one builder, so that most calls are right. */
const operandOf = (own) => (chance(95) && own?.length ? pick(own) : some("operand"));
function argumentsOf(op, own) {
  const required = [], options = {};
  for (const {name, arity} of op.operands) {
    const value = arity === "many" ? Array.from({length: 1 + below(3)}, () => operandOf(own)) : operandOf(own);
    if (arity !== "optional") required.push(value);
    else if (chance(30)) options[name] = value;
  }
  for (const {name, kind, words, required: isRequired} of op.attributes) {
    const value = chance(95) ? attributes[kind](words) : pick(odd);
    if (isRequired) required.push(value);
    else if (chance(30)) options[name] = value;
  }
  if (chance(10)) options.label = pick(["label", "\u202e", ...odd]);
  if (chance(3)) required.pop();
  return [...required, ...(chance(70) ? [options] : chance(20) ? [pick(odd)] : [])];
}

// ---- calls: each gives what it returns, or throws

const ownOperands = new WeakMap(), wanted = new WeakMap();  // builder -> operands; graph -> {context, inputs, outputs}
const contextOf = new WeakMap();
const tensorFor = (of) => pools.tensor.find((tensor) => chance(80) && tensor.dataType === of.dataType &&
                                                        `${tensor.shape}` === `${of.shape}`);
const kept = (builder, results) => {
  for (const result of [results].flat()) ownOperands.get(builder)?.push(add("operand", result));
};
const isSmall = (operand) => operand instanceof MLOperand && operand.shape.reduce((a, b) => a * b, 1) <= 1 << 16;

const actions = [
  [1, async () => {
    const options = pick([{}, {accelerated: false}, {powerPreference: "low-power"}, {deviceType: "cpu"}, {threads: 1}, ...odd]);
    // Options that name nothing are those of any GPU.
    const context = await ml.createContext(options === undefined || options === null ? {deviceType: "cpu"} : options);
    add("context", context);
  }],
  [8, () => {
    const context = some("context"), builder = add("builder", new MLGraphBuilder(context));
    ownOperands.set(builder, []);
    contextOf.set(builder, context);
    for (let i = 0; i < 3; ++i) kept(builder, builder.input(`in${i}`, {dataType: pick(types), shape: shape()}));
  }],
  [10, async () => {
    const of = descriptor(), context = some("context"), tensor = await MLContext.prototype.createTensor.call(context, of);
    add("tensor", tensor);
  }],
  [4, async () => {
    const of = descriptor(), context = some("context");
    add("tensor", await MLContext.prototype.createConstantTensor.call(context, of, bytesFor(of)));
  }],
  [10, () => {
    const builder = some("builder");
    kept(builder, MLGraphBuilder.prototype.input.call(builder, chance(90) ? `name${below(30)}` : pick(odd), descriptor()));
  }],
  [12, () => {
    const builder = some("builder"), of = descriptor();
    const given = pick([[of, bytesFor(of)], [pick([...types, ...odd]), numberOf()], [some("tensor")], [pick(odd), pick(odd)], []]);
    kept(builder, MLGraphBuilder.prototype.constant.apply(builder, given));
  }],
  [120, () => {
    const builder = some("builder"), op = pick(operators);
    kept(builder, MLGraphBuilder.prototype[op.name].apply(builder, argumentsOf(op, ownOperands.get(builder))));
  }],
  [5, async () => {
    const builder = some("builder"), own = (ownOperands.get(builder) ?? []).slice(3);
    if (own.some((operand) => !isSmall(operand))) return;  // would only take time
    const named = Array.from({length: 1 + below(3)}, (_, i) => [`out${i}`, operandOf(own)]);
    const graph = await MLGraphBuilder.prototype.build.call(builder, chance(95) ? Object.fromEntries(named) : pick(odd));
    const inputs = (ownOperands.get(builder) ?? []).slice(0, 3).map((operand, i) => [`in${i}`, operand]);
    wanted.set(add("graph", graph), {context: contextOf.get(builder), inputs, outputs: named});
  }],
  [25, () => {
    const graph = some("graph"), of = wanted.get(graph), tensors = (names) =>
        chance(95) ? Object.fromEntries(names.map(([name, operand]) => [name, tensorFor(operand) ?? some("tensor")])) : pick(odd);
    MLContext.prototype.dispatch.call(of && chance(95) ? of.context : some("context"), graph, tensors(of?.inputs ?? []),
                                      tensors(of?.outputs ?? []));
  }],
  [15, () => {
    const tensor = some("tensor");
    MLContext.prototype.writeTensor.call(some("context"), tensor, bytesFor(tensor instanceof MLTensor ? {
      dataType: tensor.dataType,
      shape: [...tensor.shape],
    } : undefined));
  }],
  [15, async () => {
    const tensor = some("tensor"), given = chance(50) ? [] : [chance(80) ? new Uint8Array(below(80)) : pick(odd)];
    const result = await MLContext.prototype.readTensor.call(some("context"), tensor, ...given);
    assert.ok(result === undefined || result instanceof ArrayBuffer);
  }],
  [3, () => MLContext.prototype.opSupportLimits.call(some("context"))],
  [2, () => MLTensor.prototype.destroy.call(some("tensor"))],
  [1, () => MLGraph.prototype.destroy.call(some("graph"))],
  [6, () => pick([MLOperand, MLTensor, MLGraph, MLContext, MLGraphBuilder]).prototype[pick(["shape", "dataType", "readable", "lost"])]],
  [2, () => new (pick([MLOperand, MLTensor, MLGraph, MLContext, MLGraphBuilder]))(...Array.from({length: below(3)}, () => pick(odd)))],
];
const total = actions.reduce((sum, [weight]) => sum + weight, 0);
function action() {
  let place = below(total);
  return actions.find(([weight]) => (place -= weight) < 0)[1];
}

// ---- the run

const known = new Set(["InvalidStateError", "OperationError", "NotSupportedError", "UnknownError"]);
const counts = {results: 0, exceptions: 0};
const unexpected = [];
function judge(error, run) {
  ++counts.exceptions;
  if (error instanceof TypeError || error === thrown || (error instanceof DOMException && known.has(error.name))) return;
  unexpected.push(`${error?.stack ?? error} in ${run}`);
}

await test(`${calls} calls from seed ${seed}`, async () => {
  add("context", await ml.createContext({deviceType: "cpu"}));
  let pending = [];
  for (let i = 0; i < calls; ++i) {
    const run = action();
    try {
      const result = run();
      if (result instanceof Promise) pending.push(result.then(() => ++counts.results, (error) => judge(error, run)));
      else ++counts.results;
    } catch (error) {
      judge(error, run);
    }
    if (chance(3)) {
      await Promise.all(pending);
      pending = [];
    }
    if (below(4000) === 0) {
      const context = pools.context[below(pools.context.length)];
      if (context instanceof MLContext) context.destroy();
      add("context", await ml.createContext({deviceType: "cpu"}));
    }
  }
  await Promise.all(pending);
  console.log(`${counts.results} calls gave a result, ${counts.exceptions} an exception`);
  assert.deepEqual(unexpected.slice(0, 3), []);
  assert.ok(counts.results > calls / 5 && counts.exceptions > calls / 10);
});

await test("everything works afterwards", async () => {
  const context = await ml.createContext({deviceType: "cpu"}), builder = new MLGraphBuilder(context);
  const of = {dataType: "float32", shape: [2]};
  const graph = await builder.build({y: builder.neg(builder.input("x", of))});
  const x = await context.createTensor({...of, writable: true}), y = await context.createTensor({...of, readable: true});
  context.writeTensor(x, new Float32Array([1, -2]));
  context.dispatch(graph, {x}, {y});
  assert.deepEqual([...new Float32Array(await context.readTensor(y))], [-1, 2]);
});

finish();
