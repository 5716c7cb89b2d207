// MLTensor and MLGraph, which a context makes, and MLOperand, which a builder makes.
import addon from "./addon.js";
import {native} from "./errors.js";
import {graphs, operands, refuseToConstruct, tensors, token} from "./private.js";
import {defineInterface} from "./webidl.js";

/** The state of `this` in a member of the class. */
function stateOf(kind, object, name) {
  const state = kind.state(object);
  if (state === undefined) throw new TypeError(`Illegal invocation: not an ${name}`);
  return state;
}

/** MLTensor. Its state: {context, handle, dataType, shape, readable, writable, constant, isDestroyed}. */
export class MLTensor {
  #state;
  constructor(...[given, state]) {
    refuseToConstruct(given, "MLTensor");
    this.#state = state;
  }
  static {
    tensors.state = (value) => (typeof value === "object" && value !== null && #state in value ? value.#state : undefined);
    tensors.make = (state) => new MLTensor(token, state);
  }
  static #of(object) {
    return stateOf(tensors, object, "MLTensor");
  }
  get dataType() {
    return MLTensor.#of(this).dataType;
  }
  get shape() {
    return MLTensor.#of(this).shape;
  }
  get readable() {
    return MLTensor.#of(this).readable;
  }
  get writable() {
    return MLTensor.#of(this).writable;
  }
  get constant() {
    return MLTensor.#of(this).constant;
  }
  destroy() {
    const state = MLTensor.#of(this);
    if (state.isDestroyed) return;
    state.isDestroyed = true;
    native(() => addon.destroyTensor(state.handle));
  }
}

/** MLGraph. Its state: {context, handle, inputs, outputs, devices, isDestroyed}, inputs and outputs by name. */
export class MLGraph {
  #state;
  constructor(...[given, state]) {
    refuseToConstruct(given, "MLGraph");
    this.#state = state;
  }
  static {
    graphs.state = (value) => (typeof value === "object" && value !== null && #state in value ? value.#state : undefined);
    graphs.make = (context, handle) => {
      const byName = (list) => new Map(list.map((item) => [item.name, item]));
      return new MLGraph(token, {
        context,
        handle,
        inputs: byName(addon.graphInputs(handle)),
        outputs: byName(addon.graphOutputs(handle)),
        devices: Object.freeze([context.accelerated ? "gpu" : "cpu"]),
        isDestroyed: false,
      });
    };
  }
  /** Beyond the specification, which has an issue for it (#836): the devices that run the graph. */
  get devices() {
    return stateOf(graphs, this, "MLGraph").devices;
  }
  destroy() {
    const state = stateOf(graphs, this, "MLGraph");
    if (state.isDestroyed) return;
    state.isDestroyed = true;
    native(() => addon.destroyGraph(state.handle));
  }
}

/** MLOperand. Its state: {builder, number, dataType, shape, kind}, kind being "input", "constant" or "result". */
export class MLOperand {
  #state;
  constructor(...[given, state]) {
    refuseToConstruct(given, "MLOperand");
    this.#state = state;
  }
  static {
    operands.state = (value) => (typeof value === "object" && value !== null && #state in value ? value.#state : undefined);
    operands.make = (state) => new MLOperand(token, {...state, shape: Object.freeze(state.shape)});
  }
  get dataType() {
    return stateOf(operands, this, "MLOperand").dataType;
  }
  get shape() {
    return stateOf(operands, this, "MLOperand").shape;
  }
}

defineInterface(MLTensor, "MLTensor");
defineInterface(MLGraph, "MLGraph");
defineInterface(MLOperand, "MLOperand");
