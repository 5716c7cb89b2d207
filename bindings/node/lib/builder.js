// MLGraphBuilder: its methods for operators are made from the rows of the operator table. Required operands and
// attributes are the arguments, in the row's order; the others are members of the options.
import addon from "./addon.js";
import {checkConstant, checkDescriptor, checkUsable, failureOf, toOperandDescriptor} from "./context.js";
import {domException, invalidState, native} from "./errors.js";
import {contexts, dataTypes, graphs, operands, tensors, toObjectOf} from "./private.js";
import * as idl from "./webidl.js";

const toContext = toObjectOf(contexts, "MLContext"), toOperand = toObjectOf(operands, "MLOperand");
const toOperands = idl.toSequence(toOperand), toNamedOperands = idl.toRecord(toOperand);
const toDataType = idl.toWord(dataTypes);

/** MLGraphBuilder. Its state: {context, handle, hasBuilt}. */
export class MLGraphBuilder {
  #state;
  constructor(context) {
    idl.needArguments(arguments, 1, "MLGraphBuilder");
    const of = toContext(context, "context");
    checkUsable(of);
    this.#state = {context: of, handle: native(() => addon.createBuilder(of.handle)), hasBuilt: false};
  }
  static {
    stateOf = (value) => {
      if (typeof value === "object" && value !== null && #state in value) return value.#state;
      throw new TypeError("Illegal invocation: not an MLGraphBuilder");
    };
  }

  input(name, descriptor) {
    const state = stateOf(this);
    idl.needArguments(arguments, 2, "input");
    const text = idl.toText(name, "name");
    const {dataType, shape} = toOperandDescriptor(descriptor, "descriptor");
    checkOpen(state);
    if (text === "") throw new TypeError("an input's name is empty");
    checkDescriptor({dataType, shape});
    return makeOperand(state, native(() => addon.input(state.handle, text, dataType, shape)), "input");
  }

  // constant(descriptor, buffer), constant(dataType, value), constant(tensor)
  constant(first, second) {
    const state = stateOf(this);
    idl.needArguments(arguments, 1, "constant");
    if (arguments.length === 1) return constantOfTensor(state, first);
    const made = typeof first === "object" && first !== null || typeof first === "function" || first == null
                     ? constantOfBuffer(state, first, second)
                     : constantOfNumber(state, first, second);
    return makeOperand(state, made, "constant");
  }

  async build(outputs) {
    const state = stateOf(this);
    idl.needArguments(arguments, 1, "build");
    const named = toNamedOperands(outputs, "outputs");
    checkOpen(state);
    if (named.length === 0) throw new TypeError("outputs is empty");
    for (const [name, operand] of named) {
      if (name === "") throw new TypeError("an output's name is empty");
      checkOwn(state, operand, `'${name}'`);
      if (operand.kind !== "result") throw new TypeError(`'${name}' is an ${operand.kind}, not a result of an operator`);
    }
    state.hasBuilt = true;
    let handle;
    try {
      handle = await addon.build(state.handle, named.map(([name]) => name), named.map(([, operand]) => operand.number));
    } catch (error) {
      throw failureOf(state.context, error, (failure) => domException(failure, "OperationError"));
    }
    checkUsable(state.context);
    return graphs.make(state.context, handle);
  }
}
var stateOf;

function checkOpen(state) {
  if (state.hasBuilt) throw invalidState("the builder has built its graph");
  checkUsable(state.context);
}

function checkOwn(state, operand, what) {
  if (operand.builder !== state) throw new TypeError(`${what} is an operand of another builder`);
}

const makeOperand = (builder, made, kind) => operands.make({...made, builder, kind});

function constantOfTensor(state, tensor) {
  const from = tensors.state(tensor);
  if (!from) throw new TypeError("tensor is not an MLTensor");
  if (from.context !== state.context) throw new TypeError("the tensor is one of another context");
  if (from.isDestroyed || !from.constant)
    throw new TypeError(from.constant ? "the tensor is destroyed" : "the tensor is not constant");
  checkOpen(state);
  return makeOperand(state, native(() => addon.constantTensor(state.handle, from.handle)), "constant");
}

function constantOfBuffer(state, first, second) {
  const {dataType, shape} = toOperandDescriptor(first, "descriptor");
  const bytes = idl.toBytes(second, "buffer");
  checkOpen(state);
  checkDescriptor({dataType, shape});
  checkConstant(second, bytes, {dataType, shape}, "buffer");
  return native(() => addon.constant(state.handle, dataType, shape, bytes));
}

function constantOfNumber(state, first, second) {
  const dataType = toDataType(first, "dataType"), value = idl.toNumber(second);
  checkOpen(state);
  return native(() => addon.constantNumber(state.handle, dataType, value));
}

// ---- operators

const converters = {
  boolean: () => idl.toBoolean,
  u32: () => idl.toUnsignedLong,
  i32: () => idl.toLong,
  real: () => idl.toDouble,
  number: () => idl.toNumber,
  u32_list: () => idl.toSequence(idl.toUnsignedLong),
  u32_or_list: () => idl.toUnsignedLongOrSequence,
  real_list: () => idl.toSequence(idl.toDouble),
  text: (words) => idl.toWord(words),
  text_list: (words) => idl.toSequence(idl.toWord(words)),
  data_type: () => toDataType,
};

/** The parameters of a method: where each one's value goes among the operator's operands or attributes. */
function parametersOf(op) {
  const ofOperands = op.operands.map((operand, index) => ({
    name: operand.name,
    isRequired: operand.arity !== "optional",
    convert: operand.arity === "many" ? toOperands : toOperand,
    place: {list: "operands", index, isMany: operand.arity === "many"},
  }));
  const ofAttributes = op.attributes.map((attribute, index) => ({
    name: attribute.name,
    isRequired: attribute.required,
    convert: converters[attribute.kind](attribute.words),
    place: {list: "attributes", index},
  }));
  const all = [...ofOperands, ...ofAttributes];
  return {required: all.filter((one) => one.isRequired), options: all.filter((one) => !one.isRequired)};
}

/** Members under the names that they had before; pages in use still send them. */
const olderNames = {outputShapeRounding: "roundingType"};

function methodOf(op, number) {
  const {required, options} = parametersOf(op);
  const members = options.flatMap(({name, convert}) => [[name, convert], ...(olderNames[name] ? [[olderNames[name], convert]] : [])]);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  const toOptions = idl.toDictionary([["label", idl.toText], ...members]);
  const givesList = op.outputs.length > 1 || op.outputs[0].arity === "many";

  const method = {
    [op.name](...given) {
      const state = stateOf(this);
      idl.needArguments(given, required.length, op.name);
      const values = required.map((one, i) => one.convert(given[i], one.name));
      const chosen = toOptions(given[required.length], "options");
      checkOpen(state);
      return withLabel(chosen.label, () => callOperator(state, values, chosen));
    },
  }[op.name];
  idl.setLength(method, required.length);

  function callOperator(state, values, chosen) {
    const call = {operands: [], attributes: []};
    const put = ({name, place}, value) => {
      if (place.list === "attributes") return void (call.attributes[place.index] = value);
      for (const operand of [value].flat()) checkOwn(state, operand, `${op.name}: ${name}`);
      if (place.isMany) call.operands = value.map((operand) => operand.number);
      else call.operands[place.index] = value.number;
    };
    required.forEach((one, i) => put(one, values[i]));
    for (const one of options) {
      const value = chosen[one.name] ?? chosen[olderNames[one.name]];
      if (value !== undefined) put(one, value);
    }
    const made = native(() => addon.call(state.handle, number, call.operands, call.attributes, chosen.label ?? ""));
    const results = made.map((result) => makeOperand(state, result, "result"));
    return givesList ? results : results[0];
  }
  return method;
}

/** A message of a call with a label begins with it; what a terminal would not print as it stands is escaped. */
function withLabel(label, call) {
  try {
    return call();
  } catch (error) {
    if (!label) throw error;
    const shown = label.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);
    const message = `[${shown}] ${error.message}`;
    throw error instanceof DOMException ? new DOMException(message, error.name) : new TypeError(message);
  }
}

addon.operators().forEach((op, number) => {
  Object.defineProperty(MLGraphBuilder.prototype, op.name,
                        {value: methodOf(op, number), writable: true, enumerable: true, configurable: true});
});
idl.defineInterface(MLGraphBuilder, "MLGraphBuilder", {constant: 1});
