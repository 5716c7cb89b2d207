// MLGraphBuilder in place of a browser's: records the calls of written modules, and writes what they build as
// webnn-graph-json, one line for each module of a folder, in the order of their names.
//
//   node recorder.mjs FOLDER OUTPUT
import {createWriteStream, readdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

// The methods' required parameters; the file says how they are written.
const signatures = readFileSync(new URL('signatures.txt', import.meta.url), 'utf8').replace(/^#.*\n/gm, '');

const resultCounts = {
  split: ({splits}) => (typeof splits === 'number' ? splits : splits.length),
  gru: ({returnSequence}) => (returnSequence ? 2 : 1),
  lstm: ({returnSequence}) => (returnSequence ? 3 : 2),
  lstmCell: () => 2,
};

const check = (holds, message) => {
  if (!holds) throw new Error(message);
};

class Operand {
  constructor(kind, name) {
    Object.assign(this, {kind, name});
  }
}

class MLGraphBuilder {
  #inputs = [];
  #constants = [];
  #nodes = [];
  #names = new Set();
  #built = false;

  constructor(context) {
    check(context === 'a context', 'the builder is not made with the context');
  }

  #operand(kind, stem) {
    let name = stem;
    for (let i = 0; this.#names.has(name); ++i) name = `${stem}#${i}`;
    this.#names.add(name);
    return new Operand(kind, name);
  }

  input(name, {dataType, shape}) {
    check(!this.#names.has(name), `a second input ${name}`);
    this.#inputs.push([name, {dataType, shape}]);
    return this.#operand('input', name);
  }

  constant({dataType, shape}, buffer) {
    check(ArrayBuffer.isView(buffer), 'a constant has no view');
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    const operand = this.#operand('constant', '#constant');
    this.#constants.push([operand.name, {dataType, shape, init: {kind: 'inlineBytes', bytes: Array.from(bytes)}}]);
    return operand;
  }

  call(op, parameters, given) {
    check(given.length >= parameters.length && given.length <= parameters.length + 1, `${op} has ${given.length} arguments`);
    const inputs = [];
    const options = {};
    parameters.forEach((parameter, i) => {
      if (!parameter.startsWith('@')) {
        options[parameter] = given[i];
        return;
      }
      for (const operand of [given[i]].flat()) {
        check(operand instanceof Operand, `${op}: ${parameter} is no operand`);
        inputs.push(operand.name);
      }
    });
    for (const [key, value] of Object.entries(given[parameters.length] ?? {}))
      options[key] = value instanceof Operand ? value.name : value;
    const count = resultCounts[op]?.(options) ?? 1;
    const results = Array.from({length: count}, () => this.#operand('result', '#result'));
    this.#nodes.push({id: results[0].name, op, inputs, options, outputs: results.map(({name}) => name)});
    return resultCounts[op] ? results : results[0];
  }

  async build(outputs) {
    check(!this.#built, 'a builder builds once');
    this.#built = true;
    for (const [name, operand] of Object.entries(outputs))
      check(operand.kind === 'result', `the output ${name} is an operand of kind ${operand.kind}`);
    return {
      format: 'webnn-graph-json', version: 2, inputs: new Map(this.#inputs), consts: new Map(this.#constants), nodes: this.#nodes,
      outputs: new Map(Object.entries(outputs).map(([name, {name: value}]) => [name, value])),
    };
  }
}

for (const [, parameters, names] of signatures.matchAll(/(@[^:]*):([^@]*)/g))
  for (const op of names.trim().split(/\s+/))
    MLGraphBuilder.prototype[op] = function (...given) {
      return this.call(op, parameters.split(' '), given);
    };
globalThis.MLGraphBuilder = MLGraphBuilder;

/** JSON with what it lacks: BigInt, -0, and numbers that are not finite, as graph files write them. */
const json = value => {
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`;
  const members = list => `{${list.map(([key, member]) => `${JSON.stringify(key)}:${json(member)}`).join(',')}}`;
  if (value instanceof Map) return members([...value]);
  if (typeof value === 'object') return members(Object.entries(value));
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0.0' : JSON.stringify(value);
};

const [folder, output] = process.argv.slice(2);
const file = createWriteStream(output);
for (const name of readdirSync(folder).filter(each => each.endsWith('.js')).sort()) {
  let line;
  try {
    const module = await import(pathToFileURL(resolve(join(folder, name))));
    line = json(await module.build('a context'));
  } catch (error) {
    line = json({error: String(error.stack)});
  }
  file.write(`${line}\n`);
}
file.end();
