// Inputs, the same for every runtime, and how far outputs are from each other.
import fs from "node:fs";
import path from "node:path";

const elements = (shape) => shape.reduce((product, size) => product * size, 1);

/** Numbers in [0, 1) that are the same everywhere (mulberry32). */
function uniform(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The bits of a float16 near a number of ordinary size. */
function halfBits(number) {
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(number))), -14);
  const units = Math.round(Math.abs(number) * 2 ** (10 - exponent)); // 1024 to 2048 of them, fewer below 2^-14
  return (number < 0 ? 0x8000 : 0) + (exponent + 14) * 1024 + units;
}

function numberOfHalf(bits) {
  const exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const magnitude = exponent === 0 ? fraction * 2 ** -24
    : exponent === 31 ? (fraction ? NaN : Infinity) : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/** Element types with the number that an element gets from the random source; ordinary numbers, never denormal. */
const generators = {
  float32: [Float32Array, normal],
  float16: [Uint16Array, (random) => halfBits(normal(random))],
  int32: [Int32Array, (random) => Math.floor(random() * 100)],
  uint32: [Uint32Array, (random) => Math.floor(random() * 100)],
  int64: [BigInt64Array, (random) => BigInt(Math.floor(random() * 100))],
  int8: [Int8Array, (random) => Math.floor(random() * 200) - 100],
  uint8: [Uint8Array, (random) => Math.floor(random() * 200)],
};

/** Writes one file for each input, with numbers of their own for each sample; returns {name: file}. */
export function writeInputs(folder, inputs, sample = 0) {
  fs.mkdirSync(folder, { recursive: true });
  const files = {};
  inputs.forEach(({ name, dataType, shape }, index) => {
    if (!generators[dataType]) throw new Error(`there is no generator of ${dataType} inputs`);
    const [Elements, generate] = generators[dataType];
    const random = uniform(1 + index + 1000 * sample);
    files[name] = path.join(folder, `input.${index}`);
    fs.writeFileSync(files[name], new Uint8Array(Elements.from({ length: elements(shape) }, () => generate(random)).buffer));
  });
  return files;
}

/** Files for outputs; returns {name: file}. */
export function outputFiles(folder, outputs, ending) {
  fs.mkdirSync(folder, { recursive: true });
  return Object.fromEntries(outputs.map(({ name }, index) => [name, path.join(folder, `output.${index}.${ending}`)]));
}

const readers = {
  float64: Float64Array, float32: Float32Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array,
  int8: Int8Array, uint8: Uint8Array,
};

function read(file, dataType) {
  const bytes = new Uint8Array(fs.readFileSync(file)).buffer;
  if (dataType === "float16") return Float64Array.from(new Uint16Array(bytes), numberOfHalf);
  if (!readers[dataType]) throw new Error(`${dataType} outputs are not compared`);
  return new readers[dataType](bytes);
}

/** The largest difference between two sets of output files, as a share of the greatest magnitude in the second. */
export function largestDifference(outputs, files, type, otherFiles, otherType) {
  let largest = 0;
  for (const { name, dataType } of outputs) {
    const a = read(files[name], type ?? dataType);
    const b = read(otherFiles[name], otherType ?? dataType);
    if (a.length !== b.length) return Infinity;
    let difference = 0, magnitude = 0;
    for (let i = 0; i < a.length; ++i) {
      const distance = Math.abs(Number(a[i]) - Number(b[i]));
      if (!(distance <= difference)) difference = Number.isNaN(distance) ? Infinity : distance;
      magnitude = Math.max(magnitude, Math.abs(Number(b[i])));
    }
    largest = Math.max(largest, magnitude > 0 ? difference / magnitude : difference);
  }
  return largest;
}
