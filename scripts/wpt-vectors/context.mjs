// A stand-in for MLContext, MLTensor and MLGraph: tensors hold what is written to them, dispatches are noted, and what
// is read from the output of one is recognised when the test asserts it.

import {byteLengthOf, countOf, LENSES} from './elements.mjs';
import {opSupportLimits} from './limits.mjs';
import {Element, elementsOf, Output} from './output.mjs';

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
    this.value = new Uint8Array(byteLengthOf(dataType, countOf(shape)) ?? 0);  // or the Output of a dispatch
    this.byteLength = this.value.length;
  }
  destroy() {}
}

/** One dispatch. */
class Run {
  constructor(graph, inputs, outputs, watch) {
    this.graph = graph;
    this.inputs = Object.entries(inputs).map(([name, tensor]) => [name, tensor.value]);
    this.outputs = Object.entries(outputs).map(([name, tensor]) => [name, new Output(tensor, watch)]);
  }
}

/** What all contexts of a page did. */
export class Machine {
  constructor() {
    this.runs = [];
    this.readings = new WeakMap();  // what readTensor gave -> Output
    this.watch = {element: undefined};
    this.refusing = false;          // inside a body that must throw
    this.onRun = () => {};
  }

  /** Takes the element that the test computed with since the last assertion. */
  takeComputedWith() {
    const {element} = this.watch;
    this.watch.element = undefined;
    return element;
  }

  /** The elements of outputs in a list that a test asserts; undefined when it has none. */
  elements(actual) {
    const output = ArrayBuffer.isView(actual) ? this.readings.get(actual.buffer) : undefined;
    const seen = output ? elementsOf(output, actual) : actual;
    return Array.isArray(seen) && seen.some((one) => one instanceof Element) ? seen : undefined;
  }

  /** The output that `actual` is the whole of; undefined when it is none. */
  output(actual) {
    const output = this.readings.get(actual?.buffer);
    return output && output.bytes.length === actual.byteLength ? output : undefined;
  }

  /** Makes the page's typed arrays look at outputs through their elements. */
  watchViews(page) {
    for (const name of LENSES.keys()) {
      const construct = (View, args, self) => {
        const view = Reflect.construct(View, args, self), output = this.readings.get(args[0]);
        return output ? elementsOf(output, view) : view;
      };
      page[name] = new Proxy(page[name], {construct});
    }
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
          const run = new Run(graph, inputs, outputs, machine.watch);
          machine.runs.push(run);
          machine.onRun(run);
          for (const [name, output] of run.outputs) outputs[name].value = output;
        });
      }
      async readTensor(tensor, into) {
        const buffer = into?.buffer ?? into ?? new ArrayBuffer(tensor.byteLength), start = into?.byteOffset ?? 0;
        if (tensor.value instanceof Uint8Array) new Uint8Array(buffer, start).set(tensor.value);
        else if (start === 0) machine.readings.set(buffer, tensor.value);
        return into ? undefined : buffer;
      }
    }
    return {
      navigator: {ml: {createContext: async () => new MLContext()}},
      MLContext, MLGraph, MLTensor, MLOperand: class MLOperand {},
    };
  }
}
