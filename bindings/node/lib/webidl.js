// Conversions of arguments as Web IDL defines them (https://webidl.spec.whatwg.org/#js-type-mapping). Each takes a value
// and the words for it in messages.

const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";

/** [EnforceRange]: the range is inclusive. */
const integerWithin = (least, greatest) => (value, what) => {
  const number = Number(value);  // throws TypeError for symbols
  if (typeof value === "bigint") throw new TypeError(`${what} is a BigInt, not a number`);
  const whole = Math.trunc(number);
  if (!Number.isFinite(number) || whole < least || whole > greatest)
    throw new TypeError(`${what} is ${String(value)}, not an integer from ${least} to ${greatest}`);
  return whole + 0;  // -0 is 0
};

export const toUnsignedLong = integerWithin(0, 2 ** 32 - 1);
/** unsigned long long, as far as numbers hold it. */
export const toUnsignedLongLong = integerWithin(0, Number.MAX_SAFE_INTEGER);
export const toLong = integerWithin(-(2 ** 31), 2 ** 31 - 1);

/** double: finite. */
export function toDouble(value, what) {
  if (typeof value === "bigint") throw new TypeError(`${what} is a BigInt, not a number`);
  const number = Number(value);
  if (!Number.isFinite(number)) throw new TypeError(`${what} is ${String(value)}, not a finite number`);
  return number;
}

/** MLNumber: (bigint or unrestricted double). */
export function toNumber(value) {
  const number = value++;  // as a number or BigInt, before it grows
  if (typeof number !== "bigint" || BigInt.asIntN(64, number) === number || BigInt.asUintN(64, number) === number)
    return number;
  return Number(number);  // beyond 64 bits: the double next to it
}

export const toBoolean = (value) => Boolean(value);

/** USVString: lone surrogates become U+FFFD. */
export function toText(value, what) {
  if (typeof value === "symbol") throw new TypeError(`${what} is a symbol, not a string`);
  const text = String(value);
  return text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g, (found) => (found.length === 2 ? found : "\uFFFD"));
}

export const toWord = (words) => (value, what) => {
  const text = toText(value, what);
  if (!words.includes(text)) throw new TypeError(`${what} is '${text}', not one of ${words.join(", ")}`);
  return text;
};

export const toSequence = (convert) => (value, what) =>
  toItems(convert, value, isObject(value) ? value[Symbol.iterator] : undefined, what);
/** The items that the method gives, which is read once. */
function toItems(convert, value, method, what) {
  if (typeof method !== "function") throw new TypeError(`${what} is not a sequence`);
  const items = [];
  const iterator = method.call(value);
  if (!isObject(iterator)) throw new TypeError(`${what}: its iterator is not an object`);
  const advance = iterator.next;
  for (;;) {
    const next = advance.call(iterator);
    if (!isObject(next)) throw new TypeError(`${what}: the iterator gives no object`);
    if (next.done) return items;
    items.push(convert(next.value, `${what}[${items.length}]`));
  }
}

/** (unsigned long or sequence<unsigned long>) */
export function toUnsignedLongOrSequence(value, what) {
  const method = isObject(value) ? value[Symbol.iterator] : undefined;
  return method == null ? toUnsignedLong(value, what) : toItems(toUnsignedLong, value, method, what);
}

/** `members`: [name, convert, isRequired] in the order in which they are read. */
export const toDictionary = (members) => (value, what) => {
  if (value !== undefined && value !== null && !isObject(value)) throw new TypeError(`${what} is not an object`);
  const dictionary = {};
  for (const [name, convert, isRequired] of members) {
    const member = value === undefined || value === null ? undefined : value[name];
    if (member !== undefined) dictionary[name] = convert(member, `${what}.${name}`);
    else if (isRequired) throw new TypeError(`${what}.${name} is missing`);
  }
  return dictionary;
};

/** record<USVString, T>: a list of [name, value]. */
export const toRecord = (convert) => (value, what) => {
  if (!isObject(value)) throw new TypeError(`${what} is not an object`);
  const entries = new Map();
  for (const key of Reflect.ownKeys(value)) {
    const property = Reflect.getOwnPropertyDescriptor(value, key);
    if (!property || !property.enumerable) continue;
    const name = toText(key, `a name in ${what}`);
    entries.set(name, convert(value[key], `${what}['${name}']`));
  }
  return [...entries];
};

/** The classes of views for a data type, https://www.w3.org/TR/webnn/#appendices-mloperanddatatype-arraybufferview-compatibility.
 * Uint8Array is one for all, and Uint16Array for float16, where there is no Float16Array or nobody uses it yet. */
const views = {
  float32: ["Float32Array"], float16: ["Float16Array", "Uint16Array"], int64: ["BigInt64Array"], uint64: ["BigUint64Array"],
  int32: ["Int32Array"], uint32: ["Uint32Array"], int8: ["Int8Array"], uint8: [], int4: ["Int8Array"], uint4: [],
};
/** What a getter of the class says, whatever an object of a derived class has in its place. */
const getter = (of, name) => {
  const {get} = Object.getOwnPropertyDescriptor(of, name);
  return (object) => get.call(object);
};
const ofTypedArrays = Object.getPrototypeOf(Uint8Array.prototype);
const nameOfView = getter(ofTypedArrays, Symbol.toStringTag);  // undefined of a DataView
export function checkView(value, dataType, what) {
  if (!ArrayBuffer.isView(value)) return;
  const name = nameOfView(value) ?? "DataView";
  if (name !== "Uint8Array" && !views[dataType].includes(name))
    throw new TypeError(`${what} is a ${name}, which does not hold ${dataType}`);
}

/** AllowSharedBufferSource, as the Uint8Array of its bytes. */
export function toBytes(value, what) {
  if (ArrayBuffer.isView(value)) {
    const {buffer, byteOffset, byteLength} = nameOfView(value) === undefined ? partsOfDataView : partsOfTypedArray;
    return new Uint8Array(checkFixed(buffer(value), what), byteOffset(value), byteLength(value));
  }
  if (isBuffer(value)) return new Uint8Array(checkFixed(value, what));
  throw new TypeError(`${what} is neither an ArrayBuffer nor a view of one`);
}
const partsOf = (of) => ({
  buffer: getter(of, "buffer"),
  byteOffset: getter(of, "byteOffset"),
  byteLength: getter(of, "byteLength"),  // 0, or a TypeError, where the buffer was detached
});
const partsOfTypedArray = partsOf(ofTypedArrays), partsOfDataView = partsOf(DataView.prototype);
function checkFixed(buffer, what) {
  if (buffer.resizable || buffer.growable) throw new TypeError(`${what} is in a buffer that can be resized`);
  return buffer;
}
const lengths = [getter(ArrayBuffer.prototype, "byteLength"), getter(SharedArrayBuffer.prototype, "byteLength")];
function isBuffer(value) {
  return lengths.some((lengthOf) => {
    try {
      lengthOf(value);
      return true;
    } catch {
      return false;  // not of this class
    }
  });
}

/** Fewer arguments than required are a TypeError. */
export function needArguments(given, needed, method) {
  if (given.length < needed)
    throw new TypeError(`${method} needs ${needed} argument${needed === 1 ? "" : "s"}, not ${given.length}`);
}

/** Makes a class look as Web IDL defines interfaces: members are enumerable, and it has a name. `lengths` are those of methods
 * with optional arguments. Where JavaScript has Symbol.dispose, it is destroy(). */
export function defineInterface(constructor, name, lengths = {}) {
  for (const key of Object.getOwnPropertyNames(constructor.prototype)) {
    if (key === "constructor") continue;
    Object.defineProperty(constructor.prototype, key, {enumerable: true});
  }
  for (const [method, length] of Object.entries(lengths)) setLength(constructor.prototype[method], length);
  const {destroy} = constructor.prototype;
  if (Symbol.dispose && destroy)
    Object.defineProperty(constructor.prototype, Symbol.dispose, {value: destroy, writable: true, configurable: true});
  Object.defineProperty(constructor.prototype, Symbol.toStringTag, {value: name, configurable: true});
}

/** The number of required arguments of a method. */
export const setLength = (method, length) => Object.defineProperty(method, "length", {value: length, configurable: true});
