// Outputs of dispatches. They hold no numbers, as nothing is computed: an output keeps what a test compares it with,
// byte by byte, whether that is the whole of it or one element after the other.

import {byteLengthOf, bytesOfNumbers, countOf, LENSES, numbersOf} from './elements.mjs';
import {fail, Unknown} from './errors.mjs';

const EXACT = {metricType: 'ULP', value: 0};

/** An output of one dispatch. `watch.element` is the element that the test computed with last. */
export class Output {
  constructor({dataType, shape}, watch) {
    Object.assign(this, {dataType, shape, watch});
    this.bytes = new Uint8Array(byteLengthOf(dataType, countOf(shape)) ?? 0);
    this.known = new Uint8Array(this.bytes.length);  // 1 for each byte that the test asserted
    this.tolerance = EXACT;
  }

  get asserted() { return this.known.includes(1); }
  get complete() { return !this.known.includes(0); }

  /** The test says that from `offset` on there are these bytes. */
  set(offset, bytes) {
    for (let i = 0; i < bytes.length; ++i) {
      if (this.known[offset + i] && this.bytes[offset + i] !== bytes[i]) fail('two values for one element');
      this.bytes[offset + i] = bytes[i];
      this.known[offset + i] = 1;
    }
  }

  /** The test says that the whole is near these numbers. */
  setAll(numbers, tolerance) {
    this.set(0, bytesOfNumbers(numbers, this));
    this.allow(tolerance);
  }

  /** The test allows this much; of several tolerances, the widest counts. */
  allow(tolerance) {
    if (this.tolerance === EXACT) this.tolerance = tolerance;
    if (this.tolerance.metricType !== tolerance.metricType) throw new Unknown('an output has tolerances of two kinds');
    if (tolerance.value > this.tolerance.value) this.tolerance = tolerance;
  }

  knows(offset, size) { return !this.known.subarray(offset, offset + size).includes(0); }
  numbers() { return numbersOf(this.bytes, this.dataType); }
}

// Integers through which a test looks at the bits of a number: the pattern of a negative NaN, what it is without its
// sign, and that of infinity.
const BITS = {
  Uint16Array: {dataType: 'float16', nan: 0xfe00, magnitude: 0x7e00, infinity: 0x7c00},
  Uint32Array: {dataType: 'float32', nan: 0xffc00000, magnitude: 0x7fc00000, infinity: 0x7f800000},
};

export const COMPUTED = 'the test computes with an element that it does not assert';

/** An element of an output, as a test sees it through a typed array of the name `view`. */
export class Element {
  constructor(output, view, offset) {
    Object.assign(this, {output, offset, lens: LENSES.get(view)});
    if (BITS[view]?.dataType === output.dataType) this.bits = BITS[view];
  }

  /** The test says that this is `value`. */
  is(value) {
    if (value instanceof Element) throw new Unknown('the test compares two outputs');
    this.output.set(this.offset, this.lens.write(value));
  }

  isNear(value, tolerance) {
    this.is(value);
    this.output.allow(tolerance);
  }

  /** The test says that this is one of `values`. Vectors compare numbers, whatever the sign of a zero or the payload of
   * a NaN is; so it must be one number. */
  isOneOf(values) {
    const [first, ...others] = values.map((value) => numbersOf(this.lens.write(value), this.output.dataType));
    const isFirst = ([number]) => number === first[0] || Object.is(number, first[0]);
    if (first.length !== 1 || !others.every(isFirst)) throw new Unknown('the test allows several values');
    this.is(values[0]);
  }

  /** assert_greater_than(bits without the sign, the bits of infinity): this is a NaN. */
  exceeds(actual, bound) {
    if (actual !== this.bits.magnitude || bound !== this.bits.infinity) throw new Unknown(COMPUTED);
    this.output.set(this.offset, bytesOfNumbers([NaN], {dataType: this.bits.dataType, shape: [1]}));
  }

  /** The number, when it is known. */
  number() {
    const {output, offset, lens} = this;
    if (!output.knows(offset, lens.size)) throw new Unknown(COMPUTED);
    return lens.read(output.bytes.subarray(offset, offset + lens.size));
  }

  /** What a test computes with: the number, or the bits of a NaN, so that `exceeds` can tell. */
  [Symbol.toPrimitive](hint) {
    if (this.output.knows(this.offset, this.lens.size)) return this.number();
    if (hint === 'string') return 'an element';
    if (!this.bits) throw new Unknown(COMPUTED);
    this.output.watch.element = this;
    return this.bits.nan;
  }
}

/** What `view`, a typed array, shows of an output: its elements, or itself with the numbers when all are known. */
export function elementsOf(output, view) {
  if (output.complete) {
    new Uint8Array(view.buffer).set(output.bytes);
    return view;
  }
  const {buffer, byteLength, byteOffset, constructor, length, BYTES_PER_ELEMENT} = view;
  const elements = Array.from({length}, (_, i) => {
    const offset = byteOffset + i * BYTES_PER_ELEMENT;
    return offset < output.bytes.length ? new Element(output, constructor.name, offset) : view[i];
  });
  return Object.assign(elements, {buffer, byteLength, byteOffset});
}
