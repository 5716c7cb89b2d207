// Validation vectors: every call of a builder method whose answer the test asserts, a refusal or the outputs.

import {isBuffer, MLTensor} from './context.mjs';
import {currentArguments} from './conventions.mjs';
import {text} from './json.mjs';
import {isOperand} from './webnn.mjs';

// Members of options that are real numbers; every other number is an integer, which Web IDL truncates.
const REAL_OPTIONS = ['alpha', 'beta', 'epsilon', 'minValue', 'maxValue', 'value', 'scales'];

const DECLARATION = 'an input or constant that other calls take';

/** Arguments in the vectors' form; throws a string that says why they have none. */
function written(value, real = false) {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return real || !Number.isFinite(value) ? value : Math.trunc(value);
  if (typeof value === 'function' || typeof value === 'symbol') throw 'an argument is a function';
  if (typeof value !== 'object') return value;
  if (isOperand(value)) {
    if (!value.descriptor) throw 'the test does not assert what an operand of the call is';
    return {operand: {...value.descriptor, kind: value.kind}};
  }
  if (isBuffer(value)) throw 'an argument is a buffer';
  if (Array.isArray(value)) return value.map((member) => written(member, real));
  return Object.fromEntries(Object.entries(value)
                                .filter(([, member]) => member !== undefined)
                                .map(([name, member]) => [name, written(member, REAL_OPTIONS.includes(name))]));
}

/** The vector of a call; throws a string that says why there is none. */
function vectorOf(call) {
  if (call.unusable) throw call.unusable;
  const answer = {};
  if (call.error) {
    answer.error = call.error;
  } else {
    const asserted = call.operands.map((operand) => operand.asserted);
    if (asserted.some(({dataType, shape}) => dataType === undefined || shape === undefined))
      throw call.op === 'input' || call.op === 'constant' ? DECLARATION : 'the test does not assert the answer';
    answer.outputs = asserted.map(({dataType, shape}) => ({dataType, shape}));
  }
  let args = call.args;
  if (call.op === 'constant') {
    if (typeof args[0] === 'string' || args[0] instanceof MLTensor) throw 'a constant of a number or a tensor';
    if (call.error) throw 'a constant is refused, for its descriptor or its buffer';
    args = args.slice(0, 1);
  }
  args = args.map((argument) => written(argument));
  return {op: call.op, args: call.error ? args : currentArguments(call.op, args), ...answer};
}

/** {tests, unwritten}: vectors of a page's calls, and how many calls have none, by reason.
 * `seen` holds the calls that the file's vectors have already. */
export function validationVectors(recorder, seen) {
  const unwritten = new Map();
  const vectors = [];
  for (const call of recorder.calls) {
    try {
      const vector = vectorOf(call);
      const key = text(vector);
      if (seen.has(key)) continue;
      seen.add(key);
      vectors.push({name: call.test ?? '', ...vector});
    } catch (why) {
      if (typeof why !== 'string') throw why;
      if (why === DECLARATION) continue;
      unwritten.set(why, (unwritten.get(why) ?? 0) + 1);
    }
  }
  return {tests: numbered(vectors), unwritten};
}

/** Several calls of one test get numbers, so that each has a name of its own. */
export function numbered(vectors) {
  const totals = new Map(), places = new Map();
  for (const {name} of vectors) totals.set(name, (totals.get(name) ?? 0) + 1);
  return vectors.map((vector) => {
    if (totals.get(vector.name) === 1) return vector;
    const place = (places.get(vector.name) ?? 0) + 1;
    places.set(vector.name, place);
    return {...vector, name: `${vector.name} (call ${place})`};
  });
}
