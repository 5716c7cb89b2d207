// Writes vectors as JSON: one test a line, and every value that JSON has no form for in the vectors' own notation.

/** `{"number": ..}` for NaN and infinities, `{"bigint": ..}` for integers that a double cannot hold. */
export function text(value) {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'bigint') return `{"bigint":"${value}"}`;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return `{"number":"${value}"}`;
    return Object.is(value, -0) ? '-0.0' : String(value);
  }
  if (typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return `[${Array.from(value, text).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${text(member)}`).join(',')}}`;
}

// Where tests put the elements of an input, and so what becomes of numbers outside the type's range.
const STORAGE = {int8: Int8Array, uint8: Uint8Array, int32: Int32Array, uint32: Uint32Array};
const LOW_BITS = {int4: (value) => ((value & 0xf) ^ 8) - 8, uint4: (value) => value & 0xf};

function stored(value, dataType) {
  if (typeof value !== 'number') return value;
  if (dataType in STORAGE) return STORAGE[dataType].of(value)[0];
  return dataType in LOW_BITS ? LOW_BITS[dataType](value) : value;
}

/** 64-bit integers written as doubles keep every digit. */
function exact(value, dataType) {
  const is64 = dataType === 'int64' || dataType === 'uint64';
  return is64 && typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? BigInt(value) : value;
}

const each = (data, write) => (typeof data === 'object' ? Array.from(data, write) : write(data));

/** An input's data, a list or one number that fills it. */
export const inputData = (data, dataType) => each(data, (value) => exact(stored(value, dataType), dataType));

/** Expected data, which tests compare as the numbers that they wrote. */
export const expectedData = (data, dataType) => each(data, (value) => exact(value, dataType));

/** The whole file. */
export function fileText(source, tests) {
  return `{"source":${JSON.stringify(source)},"tests":[\n${tests.map(text).join(',\n')}\n]}\n`;
}
