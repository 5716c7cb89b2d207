// Calls the function `run` of a written module with a context that computes nothing: it takes tensors, checks what is
// done with them, and gives outputs full of sevens.
//
//   node runner.mjs MODULE
import assert from 'node:assert/strict';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const calls = [];
globalThis.MLGraphBuilder = class {
  input() {}
  constant() {}
  async build() {
    return 'the graph';
  }
};
// Every other method gives an operand, which can be taken apart as a list too.
Object.setPrototypeOf(MLGraphBuilder.prototype, new Proxy({}, {get: () => () => []}));

const sevenOf = array => (array instanceof BigInt64Array || array instanceof BigUint64Array ? 7n : 7);

const context = {
  async createTensor({dataType, shape, writable, readable}) {
    const tensor = {dataType, shape, writable, readable, destroy: () => calls.push('destroy')};
    calls.push('createTensor');
    return tensor;
  },
  writeTensor(tensor, values) {
    assert.ok(tensor.writable && ArrayBuffer.isView(values));
    calls.push('writeTensor');
  },
  dispatch(graph, inputs, outputs) {
    assert.equal(graph, 'the graph');
    assert.deepEqual(Object.keys(inputs), Object.keys(module.inputs));
    assert.deepEqual(Object.keys(outputs), Object.keys(module.outputs));
    calls.push('dispatch');
  },
  async readTensor(tensor) {
    assert.ok(tensor.readable);
    calls.push('readTensor');
    const array = module.tensorArray(tensor);
    return array.fill(sevenOf(array)).buffer;
  },
};

const module = await import(pathToFileURL(resolve(process.argv[2])));
const zeros = Object.fromEntries(Object.entries(module.inputs).map(([name, each]) => [name, module.tensorArray(each)]));
const results = await module.run(context, zeros);
for (const [name, descriptor] of Object.entries(module.outputs)) {
  assert.equal(results[name].length, module.tensorArray(descriptor).length);
  assert.ok(results[name].every(element => element === sevenOf(results[name])));
}
await assert.rejects(module.run(context, {}), /the input .* is missing/);
assert.equal(calls.filter(call => call === 'createTensor').length, calls.filter(call => call === 'destroy').length);
console.log('ran');
