// A stand-in for the WebNN API that computes nothing: it records every call of a builder method, and operands that
// answer questions about themselves with a token. What the token is compared with, the test asserts; that becomes the
// call's expected answer (see testharness.mjs).

import {bytesOf, isBuffer, MLGraph, MLTensor} from './context.mjs';
import {Unknown} from './errors.mjs';

/** `output.dataType`, `output.shape`, or a `part` of that shape, its length or a size, before anybody asserted it.
 * Older tests call the first two as methods. */
export class Answer {
  constructor(operand, property, part) {
    const refuse = () => {
      throw new Unknown(`the test needs the ${property} of an operand that it does not assert`);
    };
    const answer = () => token;
    answer.of = {operand, property, part};
    const isPart = (key) => property === 'shape' && part === undefined && /^(length|\d+)$/.test(String(key));
    const token = new Proxy(answer, {
      get: (target, key) => {
        if (key === 'of') return target.of;
        return isPart(key) ? operand.partOfShape(key) : refuse();
      },
      has: refuse,
      ownKeys: refuse,
    });
    return token;
  }
}

export const isAnswer = (value) => typeof value === 'function' && Boolean(value.of);

/** One call of a builder method. */
class Call {
  constructor(builder, op) {
    this.builder = builder;
    this.op = op;
    this.args = [];
    this.operands = [];
    this.error = undefined;     // 'TypeError' when the test expects a refusal
    this.unusable = undefined;  // why the vectors' form cannot hold this call
  }
}

class Operand {
  constructor(call, kind, descriptor) {
    this.call = call;
    this.kind = kind;
    this.given = descriptor;  // inputs and constants say what they are
    this.asserted = {};       // what the test says that this operand is
    this.parts = {};          // what it says of the shape so far: its length, its sizes
  }
  partOfShape(key) { return this.parts[key] ?? new Answer(this, 'shape', key); }
  /** The test says that this property, or this part of the shape, is `value`. */
  assert({property, part}, value) {
    if (part === undefined) {
      this.asserted[property] = property === 'shape' ? Array.from(value) : value;
      return;
    }
    this.parts[part] = value;
    const sizes = Array.from({length: this.parts.length ?? 0}, (_, i) => this.parts[i]);
    if (this.parts.length !== undefined && !sizes.includes(undefined)) this.asserted.shape = sizes;
  }
  /** 'dataType' or 'shape', as far as it is known without an implementation. */
  known(property) { return this.given ? this.given[property] : this.asserted[property]; }
  /** {dataType, shape} when both are known. */
  get descriptor() {
    const dataType = this.known('dataType'), shape = this.known('shape');
    return dataType !== undefined && shape !== undefined ? {dataType, shape} : undefined;
  }
}

export const isOperand = (value) => value instanceof Operand;

/** Web IDL's [EnforceRange] unsigned long, as far as it makes a number another number. */
const integer = (value) => (typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : value);

function readDescriptor(descriptor) {
  const shape = descriptor?.shape ?? descriptor?.dimensions;  // the name until 2024
  return {dataType: descriptor?.dataType, shape: Array.isArray(shape) ? Array.from(shape, integer) : shape};
}

function outputCount(op, args) {
  const options = args[args.length - 1] ?? {};
  if (op === 'gru') return options.returnSequence ? 2 : 1;
  if (op === 'lstm') return options.returnSequence ? 3 : 2;
  if (op === 'lstmCell') return 2;
  if (op === 'split') return Array.isArray(args[1]) ? args[1].length : Math.min(Number(args[1]) || 0, 8192);
  return undefined;  // no list
}

/** Everything that one test file did with WebNN. */
export class Recorder {
  constructor() {
    this.calls = [];
    this.operands = new WeakMap();  // what the test holds -> Operand
    this.shapes = new WeakMap();    // arrays handed out as a shape -> Operand
    this.lastDataType = undefined;  // the last data type handed out as a string, and of which operand
    this.onCall = () => {};
  }

  /** What a test holds for an operand. */
  #handle(operand) {
    const recorder = this;
    const handle = {
      get dataType() {
        const value = operand.known('dataType');
        if (value === undefined) return new Answer(operand, 'dataType');
        recorder.lastDataType = {operand, value};
        return value;
      },
      get shape() {
        const known = operand.known('shape');
        if (known === undefined) return new Answer(operand, 'shape');
        const shape = Array.from(known);
        recorder.shapes.set(shape, operand);
        return shape;
      },
    };
    this.operands.set(handle, operand);
    return handle;
  }

  /** The operand's property that `value` came from, or undefined. */
  answered(value) {
    if (isAnswer(value)) return value.of;
    if (typeof value === 'object' && value !== null && this.shapes.has(value))
      return {operand: this.shapes.get(value), property: 'shape'};
    const last = this.lastDataType;
    const isLast = typeof value === 'string' && last?.value === value;
    return isLast ? {operand: last.operand, property: 'dataType'} : undefined;
  }

  #call(builder, op, args) {
    const call = new Call(builder, op);
    call.args = this.#kept(builder, args, (why) => (call.unusable ??= why));
    if (builder.spent) call.unusable ??= 'the builder or its context is spent';
    this.calls.push(call);
    this.onCall(call);
    const add = (kind, descriptor) => {
      const operand = new Operand(call, kind, descriptor);
      call.operands.push(operand);
      return this.#handle(operand);
    };
    if (op === 'input') return add('input', readDescriptor(args[1]));
    if (op === 'constant') {
      if (typeof args[0] === 'string') return add('constant', {dataType: args[0], shape: []});
      return add('constant', readDescriptor(args[0]));
    }
    const count = outputCount(op, args);
    return count === undefined ? add('output') : Array.from({length: count}, () => add('output'));
  }

  /** Arguments as they are now (tests change objects later), with operands in place of handles. */
  #kept(builder, value, spoil) {
    if (typeof value !== 'object' || value === null) return value;
    const operand = this.operands.get(value);
    if (operand) {
      if (operand.call.builder !== builder) spoil('an operand is from another builder');
      return operand;
    }
    if (Object.prototype.toString.call(value) === '[object Date]') return Number(value);
    if (isBuffer(value)) return bytesOf(value);
    if (value instanceof MLTensor) return value;
    if (Array.isArray(value)) return Array.from(value, (member) => this.#kept(builder, member, spoil));
    return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, this.#kept(builder, member, spoil)]));
  }

  /** MLGraphBuilder, as a page sees it. */
  builderClass() {
    const recorder = this;
    return class MLGraphBuilder {
      constructor(context) {
        const state = {built: false, get spent() { return this.built || Boolean(context?.destroyed); }};
        const build = async (outputs) => {
          state.built = true;
          return new MLGraph(Object.entries(outputs).map(([name, handle]) => [name, recorder.operands.get(handle)]));
        };
        // Every name is a method, so that operators newer than this script are recorded too.
        return new Proxy(this, {
          get: (target, op) => {
            if (typeof op !== 'string' || op === 'then') return undefined;
            return op === 'build' ? build : (...args) => recorder.#call(state, op, args);
          },
        });
      }
    };
  }
}
