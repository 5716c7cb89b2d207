// Conformance vectors of tests that build and dispatch by themselves: one for each dispatch all of whose read outputs
// the test asserts. What feeds a dispatch may be the asserted output of an earlier one.

import {MLTensor} from './context.mjs';
import {isOperand} from './webnn.mjs';

const VIEWS = {
  float32: Float32Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array,
  int8: Int8Array, uint8: Uint8Array,
};

/** The elements of `bytes`. Throws a string where the vectors' form has none. */
function numbers(bytes, dataType) {
  if (!VIEWS[dataType]) throw `tensors of ${dataType} are compared bit by bit`;
  return Array.from(new VIEWS[dataType](bytes.buffer, bytes.byteOffset));
}

/** What a tensor held when it was dispatched. */
function inputData(value, dataType) {
  if (value instanceof Uint8Array) return numbers(value, dataType);
  const {data, ulp} = value.run.asserted.get(value.name) ?? {};
  if (!data || ulp > 0) throw 'a dispatch reads an output that the test does not assert';
  return data;
}

function constantData([first, second], dataType) {
  if (first instanceof MLTensor) return numbers(first.value, dataType);
  return second instanceof Uint8Array ? numbers(second, dataType) : second;
}

/** Writes down the graph that ends in `outputs`, [name, Operand]; `inputValues` are by name. */
class GraphWriter {
  constructor(outputs, inputValues) {
    this.inputValues = inputValues;
    this.inputs = {};
    this.operators = [];
    this.names = new Map(outputs.map(([name, operand]) => [operand, name]));
    if (this.names.size < outputs.length) throw 'an operand is two outputs';
    this.written = new Set();
    for (const [, operand] of outputs) this.#write(operand);
  }

  /** The operand's name, after what it needs. */
  #write(operand) {
    const {call} = operand;
    if (this.written.has(call)) return this.names.get(operand);
    this.written.add(call);
    const place = this.written.size;
    call.operands.forEach((one, i) => this.names.has(one) || this.names.set(one, `${call.op} ${place}.${i}`));
    if (call.op === 'input') this.#writeInput(operand);
    else if (call.op === 'constant') this.#writeConstant(operand);
    else this.#writeOperator(call);
    return this.names.get(operand);
  }

  #writeInput(operand) {
    const [name] = operand.call.args;
    if (name in this.inputs || [...this.names.values()].includes(name)) throw 'an input has the name of an output';
    this.names.set(operand, name);
    const {dataType, shape} = operand.descriptor;
    this.inputs[name] = {data: inputData(this.inputValues.get(name), dataType), descriptor: {shape, dataType}};
  }

  #writeConstant(operand) {
    const tensor = operand.call.args[0];
    const {dataType, shape} = tensor instanceof MLTensor ? tensor : operand.descriptor;
    const data = constantData(operand.call.args, dataType);
    this.inputs[this.names.get(operand)] = {data, descriptor: {shape, dataType}, constant: true};
  }

  #writeOperator(call) {
    const named = (value) => {
      if (isOperand(value)) return this.#write(value);
      if (Array.isArray(value)) return value.map(named);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, named(member)]));
    };
    const args = call.args.map((value, i) => ({[`argument ${i}`]: named(value)}));
    const outputs = call.operands.map((operand) => this.names.get(operand));
    this.operators.push({name: call.op, arguments: args, outputs: outputs.length === 1 ? outputs[0] : outputs});
  }
}

function vectorOf(run) {
  if (run.asserted.size === 0) throw 'the test does not assert an output';
  const outputs = run.graph.outputs.filter(([name]) => run.asserted.has(name));
  const graph = new GraphWriter(outputs, new Map(run.inputs));
  const descriptors = new Map(run.outputs);
  const ulp = Math.max(...[...run.asserted.values()].map((asserted) => asserted.ulp));
  const expectedOutputs = {};
  for (const [name, {data}] of run.asserted) {
    const {dataType, shape} = descriptors.get(name);
    if (!VIEWS[dataType]) throw `tensors of ${dataType} are compared bit by bit`;
    expectedOutputs[name] = {data, descriptor: {shape, dataType}};
  }
  const {inputs, operators} = graph;
  const tolerance = {metricType: 'ULP', value: ulp};
  return {name: run.test ?? '', tolerance, graph: {inputs, operators, expectedOutputs}};
}

/** {tests, unwritten}: vectors of a page's dispatches, and how many have none, by reason. */
export function runVectors(machine) {
  const tests = [], unwritten = new Map();
  for (const run of machine.runs) {
    try {
      tests.push(vectorOf(run));
    } catch (why) {
      if (typeof why !== 'string') throw why;
      unwritten.set(why, (unwritten.get(why) ?? 0) + 1);
    }
  }
  return {tests, unwritten};
}
