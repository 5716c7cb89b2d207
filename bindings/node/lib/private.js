// What the classes know of each other's objects, and nobody else: each class sets its functions here.
//   state(object): the private state of an object of the class; undefined for anything else
//   make(state):   an object of the class

export const contexts = {}, tensors = {}, graphs = {}, operands = {};

/** A constructor that is not called by `make` is illegal. */
export const token = Symbol("webnn");
export function refuseToConstruct(given, name) {
  if (given !== token) throw new TypeError(`Illegal constructor: ${name}`);
}

/** The conversion to an interface type. */
export const toObjectOf = (kind, name) => (value, what) => {
  const state = kind.state(value);
  if (state === undefined) throw new TypeError(`${what} is not an ${name}`);
  return state;
};

export const dataTypes = ["float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8", "int4", "uint4"];
const bits = {float32: 32, float16: 16, int32: 32, uint32: 32, int64: 64, uint64: 64, int8: 8, uint8: 8, int4: 4, uint4: 4};

export function byteLength(dataType, shape) {
  return Math.ceil((shape.reduce((count, size) => count * size, 1) * bits[dataType]) / 8);
}
