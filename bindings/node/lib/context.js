// MLContext, and ML, which makes it.
import addon from "./addon.js";
import {exceptionOf, invalidState, native, nativeAsync} from "./errors.js";
import {byteLength, contexts, dataTypes, graphs, refuseToConstruct, tensors, toObjectOf, token} from "./private.js";
import * as idl from "./webidl.js";

const toTensor = toObjectOf(tensors, "MLTensor"), toGraph = toObjectOf(graphs, "MLGraph");
const toDataType = idl.toWord(dataTypes), toShape = idl.toSequence(idl.toUnsignedLong);
const operandDescriptor = [["dataType", toDataType, true], ["shape", toShape, true]];
export const toOperandDescriptor = idl.toDictionary(operandDescriptor);
const toTensorDescriptor = idl.toDictionary(
    [...operandDescriptor, ["readable", idl.toBoolean], ["writable", idl.toBoolean]]);
const toNamedTensors = idl.toRecord(toTensor);

/** "check dimensions", https://www.w3.org/TR/webnn/#mloperanddescriptor-check-dimensions */
export function checkDescriptor(descriptor) {
  const {dataType, shape} = descriptor;
  if (shape.some((size) => size === 0)) throw new TypeError("a size of the shape is 0");
  if (byteLength(dataType, shape) > 2 ** 31 - 1) throw new TypeError("the tensor is larger than 2 GiB");
}

/** MLContext. Its state: {handle, accelerated, lost, lose, isLost}. */
export class MLContext {
  #state;
  constructor(...[given, handle, accelerated]) {
    refuseToConstruct(given, "MLContext");
    const state = {handle, accelerated, isLost: false};
    state.lost = new Promise((resolve) => (state.lose = (message) => {
      state.isLost = true;
      resolve({message});
    }));
    this.#state = state;
  }
  static {
    contexts.state = (value) => (typeof value === "object" && value !== null && #state in value ? value.#state : undefined);
    contexts.make = (handle, accelerated) => new MLContext(token, handle, accelerated);
  }

  get accelerated() {
    return stateOf(this).accelerated;
  }
  get lost() {
    const state = contexts.state(this);
    return state ? state.lost : Promise.reject(notAContext());
  }

  dispatch(graph, inputs, outputs) {
    const state = stateOf(this);
    idl.needArguments(arguments, 3, "dispatch");
    const of = toGraph(graph, "graph");
    const given = toNamedTensors(inputs, "inputs"), results = toNamedTensors(outputs, "outputs");
    if (of.context !== state) throw new TypeError("the graph is one of another context");
    checkUsable(state);
    if (of.isDestroyed) throw invalidState("the graph is destroyed");
    const used = new Set();
    checkTensors(state, given, of.inputs, "inputs", used);
    checkTensors(state, results, of.outputs, "outputs", used);
    run(state, () => addon.dispatch(state.handle, of.handle, given.map(nameOf), given.map(handleOf), results.map(nameOf),
                                    results.map(handleOf)));
  }

  async createTensor(descriptor) {
    const state = stateOf(this);
    idl.needArguments(arguments, 1, "createTensor");
    const {dataType, shape, readable = false, writable = false} = toTensorDescriptor(descriptor, "descriptor");
    checkUsable(state);
    checkDescriptor({dataType, shape});
    const handle = run(state, () => addon.createTensor(state.handle, dataType, shape, readable, writable), "UnknownError");
    return makeTensor(state, handle, {dataType, shape, readable, writable, constant: false});
  }

  async createConstantTensor(descriptor, inputData) {
    const state = stateOf(this);
    idl.needArguments(arguments, 2, "createConstantTensor");
    const {dataType, shape} = toOperandDescriptor(descriptor, "descriptor");
    const bytes = idl.toBytes(inputData, "inputData");
    checkUsable(state);
    checkDescriptor({dataType, shape});
    checkConstant(inputData, bytes, {dataType, shape}, "inputData");
    const handle = run(state, () => addon.createConstantTensor(state.handle, dataType, shape, bytes), "UnknownError");
    return makeTensor(state, handle, {dataType, shape, readable: false, writable: false, constant: true});
  }

  async readTensor(tensor, outputData) {
    const state = stateOf(this);
    idl.needArguments(arguments, 1, "readTensor");
    const from = toTensor(tensor, "tensor");
    const bytes = arguments.length > 1 && outputData !== undefined ? idl.toBytes(outputData, "outputData") : undefined;
    checkUsable(state);
    checkOwn(state, from);
    if (!from.readable) throw new TypeError("the tensor is not readable");
    if (bytes) checkBytes(bytes, from, "outputData");
    let read, failure;
    try {
      read = await addon.readTensor(state.handle, from.handle, bytes);
    } catch (error) {
      failure = error;
      noteLoss(state);
    }
    // Both reject what is pending, whether the bytes have arrived in between or not.
    if (state.isLost) throw invalidState("the context is lost");
    if (from.isDestroyed) throw invalidState("the tensor has been destroyed");
    if (failure) throw exceptionOf(failure, "UnknownError");
    return read;
  }

  writeTensor(tensor, inputData) {
    const state = stateOf(this);
    idl.needArguments(arguments, 2, "writeTensor");
    const to = toTensor(tensor, "tensor");
    const bytes = idl.toBytes(inputData, "inputData");
    checkUsable(state);
    checkOwn(state, to);
    if (!to.writable) throw new TypeError("the tensor is not writable");
    checkBytes(bytes, to, "inputData");
    run(state, () => addon.writeTensor(state.handle, to.handle, bytes));
  }

  opSupportLimits() {
    const state = stateOf(this);
    return native(() => addon.opSupportLimits(state.handle));
  }

  destroy() {
    const state = stateOf(this);
    if (state.isLost) return;
    state.lose("destroy() was called");
    native(() => addon.destroyContext(state.handle));
  }
}

const notAContext = () => new TypeError("Illegal invocation: not an MLContext");
function stateOf(context) {
  const state = contexts.state(context);
  if (state === undefined) throw notAContext();
  return state;
}

/** A device may be lost without a word of the caller. */
function noteLoss(state) {
  const message = state.isLost ? undefined : addon.lostMessage(state.handle);
  if (message !== undefined) state.lose(message);
}

/** What a failed call of the native part throws: after a loss of the device it is the state of the context. */
export function failureOf(state, error, convert = exceptionOf) {
  noteLoss(state);
  return state.isLost ? invalidState("the context is lost") : convert(error);
}

/** Calls the native part; `name` is that of the DOMException when it fails. */
function run(state, call, name) {
  try {
    return call();
  } catch (error) {
    throw failureOf(state, error, (failure) => exceptionOf(failure, name));
  }
}

export function checkUsable(state) {
  if (state.isLost) throw invalidState("the context is lost");
}

function checkOwn(state, tensor) {
  if (tensor.context !== state) throw new TypeError("the tensor is one of another context");
  if (tensor.isDestroyed) throw new TypeError("the tensor is destroyed");
}

function checkBytes(bytes, {dataType, shape}, what) {
  const wanted = byteLength(dataType, shape);
  if (bytes.byteLength !== wanted) throw new TypeError(`${what} has ${bytes.byteLength} bytes; the tensor has ${wanted}`);
}

/** "validate buffer with descriptor", https://www.w3.org/TR/webnn/#validate-buffer-with-descriptor, of what becomes a constant;
 * clients write and read tensors through views of any class. */
export function checkConstant(data, bytes, descriptor, what) {
  checkBytes(bytes, descriptor, what);
  idl.checkView(data, descriptor.dataType, what);
}

/** "validate tensors", https://www.w3.org/TR/webnn/#api-mlcontext-validate-tensors */
function checkTensors(state, given, wanted, what, used) {
  if (given.length !== wanted.size) throw new TypeError(`${what} has ${given.length} tensors; the graph has ${wanted.size}`);
  for (const [name, tensor] of given) {
    const descriptor = wanted.get(name);
    if (!descriptor) throw new TypeError(`the graph has no '${name}' among its ${what}`);
    checkOwn(state, tensor);
    if (tensor.constant) throw new TypeError(`the tensor of '${name}' is constant`);
    if (used.has(tensor)) throw new TypeError(`the tensor of '${name}' is given twice`);
    used.add(tensor);
    const isSame = tensor.dataType === descriptor.dataType && tensor.shape.length === descriptor.shape.length &&
                   tensor.shape.every((size, axis) => size === descriptor.shape[axis]);
    if (!isSame)
      throw new TypeError(`'${name}' is ${descriptor.dataType}[${descriptor.shape}], but its tensor is ` +
                          `${tensor.dataType}[${tensor.shape}]`);
  }
}
const nameOf = ([name]) => name, handleOf = ([, tensor]) => tensor.handle;

function makeTensor(context, handle, descriptor) {
  return tensors.make({...descriptor, shape: Object.freeze(descriptor.shape), context, handle, isDestroyed: false});
}

/** Beyond the specification: device, as the command line names it, maxMemory, maxWork, threads. */
const toContextOptions = idl.toDictionary([
  ["accelerated", idl.toBoolean],
  ["device", idl.toText],
  ["deviceType", idl.toWord(["cpu", "gpu", "npu"])],
  ["maxMemory", idl.toUnsignedLongLong],
  ["maxWork", idl.toUnsignedLongLong],
  ["powerPreference", idl.toWord(["default", "high-performance", "low-power"])],
  ["threads", idl.toUnsignedLong],
]);

/** The device for the options: "auto" is a GPU where there is one. In place of an NPU, which saves power, it is the CPU. */
function deviceFor({device, deviceType, accelerated = true, powerPreference = "default"}) {
  if (device !== undefined) return device;
  if (deviceType !== undefined) return deviceType === "gpu" ? "gpu" : "cpu";
  if (powerPreference !== "default") return powerPreference === "high-performance" ? "auto" : "cpu";
  return accelerated ? "auto" : "cpu";
}

/** ML, the class of `navigator.ml`. */
export class ML {
  #isOurs = true;
  constructor(...[given]) {
    refuseToConstruct(given, "ML");
  }
  async createContext(options) {
    if (typeof this !== "object" || this === null || !(#isOurs in this)) throw new TypeError("Illegal invocation: not an ML");
    if (typeof GPUDevice === "function" && options instanceof GPUDevice)
      throw new DOMException("contexts on a GPUDevice are not supported", "NotSupportedError");
    const chosen = toContextOptions(options, "options");
    const device = deviceFor(chosen);
    const {threads = 0, maxMemory = 0, maxWork = 0} = chosen;
    const handle = await nativeAsync(() => addon.createContext(device, threads, maxMemory, maxWork), "NotSupportedError");
    return contexts.make(handle, addon.isAccelerated(handle));
  }
}

idl.defineInterface(MLContext, "MLContext", {readTensor: 1});
idl.defineInterface(ML, "ML", {createContext: 0});
export const ml = new ML(token);
