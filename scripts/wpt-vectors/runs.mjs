// Conformance vectors of tests that build and dispatch by themselves: one for each dispatch all of whose read outputs
// the test asserts. What feeds a dispatch may be the asserted output of an earlier one.

import {MLTensor} from './context.mjs';
import {numbersOf} from './elements.mjs';
import {text} from './json.mjs';
import {isOperand} from './webnn.mjs';

/** What a tensor held when it was dispatched. */
function inputData(value, dataType) {
  if (value instanceof Uint8Array) return numbersOf(value, dataType);
  const isExact = value.complete && value.tolerance.value === 0;
  if (!isExact) throw 'a dispatch reads an output that the test does not assert';
  return value.numbers();
}

function constantData([first, second], dataType) {
  if (first instanceof MLTensor) return numbersOf(first.value, dataType);
  return second instanceof Uint8Array ? numbersOf(second, dataType) : second;
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

/** The tolerance of all outputs. */
function toleranceOf(outputs) {
  const tolerances = outputs.map((output) => output.tolerance), [{metricType}] = tolerances;
  if (tolerances.some((one) => one.metricType !== metricType)) throw 'outputs have tolerances of two kinds';
  return {metricType, value: Math.max(...tolerances.map(({value}) => value))};
}

function vectorOf(run) {
  const asserted = run.outputs.filter(([, output]) => output.asserted);
  if (asserted.length === 0) throw 'the test does not assert an output';
  if (asserted.some(([, output]) => !output.complete)) throw 'the test asserts a part of an output';
  const tolerance = toleranceOf(asserted.map(([, output]) => output));
  const names = new Set(asserted.map(([name]) => name));
  const wanted = run.graph.outputs.filter(([name]) => names.has(name));
  const {inputs, operators} = new GraphWriter(wanted, new Map(run.inputs));
  const expectedOutputs = Object.fromEntries(asserted.map(([name, output]) => {
    const {dataType, shape} = output;
    return [name, {data: output.numbers(), descriptor: {shape, dataType}}];
  }));
  return {name: run.test ?? '', tolerance, graph: {inputs, operators, expectedOutputs}};
}

/** {tests, unwritten}: vectors of a page's dispatches, and how many have none, by reason. A test that dispatches the
 * same again gives one vector. */
export function runVectors(machine) {
  const tests = [], unwritten = new Map(), seen = new Set();
  for (const run of machine.runs) {
    try {
      const vector = vectorOf(run), key = text(vector);
      if (!seen.has(key)) tests.push(vector);
      seen.add(key);
    } catch (why) {
      if (typeof why !== 'string') throw why;
      unwritten.set(why, (unwritten.get(why) ?? 0) + 1);
    }
  }
  return {tests, unwritten};
}
