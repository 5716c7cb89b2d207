// A stand-in for MLContext, MLTensor and MLGraph: tensors hold what is written to them, dispatches are noted, and what
// is read from the output of one is recognised when the test asserts it.

import {opSupportLimits} from './limits.mjs';

const ELEMENT_BYTES = {float32: 4, float16: 2, int32: 4, uint32: 4, int64: 8, uint64: 8, int8: 1, uint8: 1};

const kindOf = (value) => Object.prototype.toString.call(value);

/** A buffer or a view of one, of whatever realm. */
export const isBuffer = (value) => ArrayBuffer.isView(value) || kindOf(value).endsWith('ArrayBuffer]');

/** A copy of what a buffer or view holds. */
export function bytesOf(value) {
  const whole = ArrayBuffer.isView(value) ? [value.buffer, value.byteOffset, value.byteLength] : [value];
  return new Uint8Array(new Uint8Array(...whole));
}

export class MLGraph {
  /** `outputs` are [name, Operand]. */
  constructor(outputs) { this.outputs = outputs; }
  destroy() {}
}

export class MLTensor {
  constructor({dataType, shape, readable = false, writable = false}, constant = false) {
    Object.assign(this, {dataType, shape, readable, writable, constant});
    const count = Array.from(shape ?? []).reduce((product, size) => product * size, 1);
    this.value = new Uint8Array(count * (ELEMENT_BYTES[dataType] ?? 1));  // or {run, name}, the output of a dispatch
    this.byteLength = this.value.length;
  }
  destroy() {}
}

/** One dispatch. */
class Run {
  constructor(graph, inputs, outputs) {
    this.graph = graph;
    this.inputs = Object.entries(inputs).map(([name, tensor]) => [name, tensor.value]);
    this.outputs = Object.entries(outputs).map(([name, {dataType, shape}]) => [name, {dataType, shape}]);
    this.asserted = new Map();  // name of an output -> {data, ulp}
  }
}

/** What all contexts of a page did. */
export class Machine {
  constructor() {
    this.runs = [];
    this.readings = new WeakMap();  // what readTensor gave -> {run, name}
    this.refusing = false;          // inside a body that must throw
    this.onRun = () => {};
  }

  /** If `actual` is a whole output of a dispatch, notes what it must be. */
  note(actual, expected, ulp) {
    const isWhole = ArrayBuffer.isView(actual) && actual.byteLength === actual.buffer.byteLength;
    const reading = isWhole ? this.readings.get(actual.buffer) : undefined;
    if (!reading || expected.length !== actual.length) return false;
    reading.run.asserted.set(reading.name, {data: Array.from(expected), ulp});
    return true;
  }

  /** The globals of a page that has WebNN, but for the builder. */
  globals() {
    const machine = this;
    const act = (action) => {
      if (machine.refusing) throw new TypeError('refused, as the test expects');
      return action();
    };
    class MLContext {
      #lose;
      destroyed = false;
      lost = new Promise((resolve) => { this.#lose = resolve; });
      opSupportLimits() { return opSupportLimits(); }
      destroy() {
        this.destroyed = true;
        this.#lose({message: 'destroyed'});
      }
      async createTensor(descriptor) { return new MLTensor(descriptor); }
      async createConstantTensor(descriptor, data) {
        const tensor = new MLTensor(descriptor, true);
        tensor.value = bytesOf(data);
        return tensor;
      }
      writeTensor(tensor, data) { act(() => { tensor.value = bytesOf(data); }); }
      dispatch(graph, inputs, outputs) {
        act(() => {
          const run = new Run(graph, inputs, outputs);
          machine.runs.push(run);
          machine.onRun(run);
          for (const [name, tensor] of Object.entries(outputs)) tensor.value = {run, name};
        });
      }
      async readTensor(tensor, into) {
        const written = tensor.value instanceof Uint8Array;
        if (into && written) new Uint8Array(into.buffer ?? into, into.byteOffset).set(tensor.value);
        if (into && !written) machine.readings.set(into.buffer ?? into, tensor.value);
        if (into) return undefined;
        const buffer = new ArrayBuffer(tensor.byteLength);
        if (written) new Uint8Array(buffer).set(tensor.value);
        else machine.readings.set(buffer, tensor.value);
        return buffer;
      }
    }
    return {
      navigator: {ml: {createContext: async () => new MLContext()}},
      MLContext, MLGraph, MLTensor, MLOperand: class MLOperand {},
    };
  }
}
