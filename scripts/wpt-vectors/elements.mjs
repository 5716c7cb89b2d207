// Elements of tensors: their numbers, and the bytes that hold them.

const VIEWS = {
  float32: Float32Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array,
  int8: Int8Array, uint8: Uint8Array,
};
const NYBBLES = ['int4', 'uint4'];

const HALF_SUBNORMAL = 2 ** -24;   // the smallest step of a half
const HALF_OVERFLOW = 65520;       // from here on, a number rounds to infinity
const HALF_NAN = 0x7e00;

/** The number that 16 bits hold. */
export function numberOfHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * HALF_SUBNORMAL : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

function roundedToEven(value) {
  const floor = Math.floor(value), rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** The 16 bits of the half that is nearest to `value`. */
export function halfOfNumber(value) {
  if (Number.isNaN(value)) return HALF_NAN;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0, size = Math.abs(value);
  if (size >= HALF_OVERFLOW) return sign | 0x7c00;
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  const steps = roundedToEven(size / 2 ** (exponent - 10));  // 1024 and more are the normal numbers of this exponent
  return sign | (steps < 1024 ? steps : ((exponent + 14) << 10) + steps);
}

/** How many bytes the elements of a tensor take; undefined for a data type that there is not. */
export function byteLengthOf(dataType, count) {
  if (NYBBLES.includes(dataType)) return Math.ceil(count / 2);
  const size = dataType === 'float16' ? 2 : VIEWS[dataType]?.BYTES_PER_ELEMENT;
  return size === undefined ? undefined : size * count;
}

export const countOf = (shape) => Array.from(shape ?? []).reduce((product, size) => product * size, 1);

/** The elements of `bytes`. Throws a string where there are none. */
export function numbersOf(bytes, dataType) {
  const own = bytes.slice();  // aligned
  if (dataType === 'float16') return Array.from(new Uint16Array(own.buffer), numberOfHalf);
  if (!VIEWS[dataType]) throw `tensors of ${dataType} are compared byte by byte`;
  return Array.from(new VIEWS[dataType](own.buffer));
}

/** The view through which a page sees a tensor of these elements: halves as 16 bits, two nybbles in a byte. */
export function viewOf(data, {dataType, shape}) {
  const count = countOf(shape);
  const numbers = typeof data === 'number' ? Array(count).fill(data) : Array.from(data);
  if (dataType === 'float16') return Uint16Array.from(numbers, halfOfNumber);
  if (VIEWS[dataType] && dataType.endsWith('64')) return VIEWS[dataType].from(numbers, BigInt);
  if (VIEWS[dataType]) return VIEWS[dataType].from(numbers);
  const packed = new Uint8Array(byteLengthOf(dataType, count));
  numbers.forEach((value, i) => { packed[i >> 1] |= (value & 15) << (4 * (i & 1)); });
  return packed;
}

/** The bytes that hold these elements. */
export function bytesOfNumbers(data, descriptor) {
  const view = viewOf(data, descriptor);
  return new Uint8Array(view.buffer);
}

const TYPED_ARRAYS = [
  Float32Array, Uint8Array, Int8Array, Uint16Array, Uint32Array, Int32Array, BigInt64Array, BigUint64Array,
];

const lensOf = (View) => ({
  size: View.BYTES_PER_ELEMENT,
  read: (bytes) => new View(bytes.slice().buffer)[0],
  write: (value) => new Uint8Array(View.of(value).buffer),
});
const bits = lensOf(Uint16Array);

/** What the elements of a page's typed array are made of, by its name. */
export const LENSES = new Map([
  ...TYPED_ARRAYS.map((View) => [View.name, lensOf(View)]),
  ['Float16Array', {
    size: 2,
    read: (bytes) => numberOfHalf(bits.read(bytes)),
    write: (value) => bits.write(halfOfNumber(value)),
  }],
]);
