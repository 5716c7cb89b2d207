// Runs one test file the way a browser's window would: the scripts that its META comments name, then itself, in one
// fresh global scope, once for each of its variants.

import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

import {Machine} from './context.mjs';
import {fetchFrom, fileOf} from './resources.mjs';
import {Harness} from './testharness.mjs';
import {Recorder} from './webnn.mjs';

const metaValues = (source, key) =>
    [...source.matchAll(new RegExp(`^// META: ${key}=(.*)$`, 'gm'))].map((match) => match[1].trim());

/** The variants that differ in more than the device, which is no matter of the vectors. */
export function variantsOf(source) {
  const variants = new Map();
  for (const variant of metaValues(source, 'variant')) {
    const parameters = new URLSearchParams(variant);
    for (const name of ['cpu', 'gpu', 'npu', 'device', 'deviceType']) parameters.delete(name);
    if (!variants.has(parameters.toString())) variants.set(parameters.toString(), variant);
  }
  return variants.size ? [...variants.values()] : [''];
}

/** Gives top-level `const` and `let` of helper scripts the form that can be replaced from outside. */
const replaceable = (source) => source.replace(/^(const|let) /gm, 'var ');

/** What newer browsers have and this Node may lack. */
const POLYFILLS = `
if (!Set.prototype.difference)
  Set.prototype.difference = function(other) { return new Set([...this].filter((value) => !other.has(value))); };
if (!Array.prototype.toReversed) Array.prototype.toReversed = function() { return [...this].reverse(); };
if (typeof Float16Array === 'undefined') {
  const isList = (source) => Array.isArray(source) || ArrayBuffer.isView(source);
  globalThis.Float16Array = class Float16Array extends Uint16Array {
    constructor(source, ...rest) {
      if (isList(source)) throw new Error('this Node.js has no Float16Array; Node.js 24 has');
      super(source, ...rest);
    }
    static of() { return new this([]); }
    static from() { return new this([]); }
  };
}
if (!ArrayBuffer.prototype.transfer)
  ArrayBuffer.prototype.transfer = function() { return structuredClone(this, {transfer: [this]}); };
if (!('detached' in ArrayBuffer.prototype))
  Object.defineProperty(ArrayBuffer.prototype, 'detached', {get() { return this.byteLength === 0; }});
`;

function globalsOf(variant, ...parts) {
  const location = {search: variant, href: `https://web-platform.test/${variant}`, pathname: '/'};
  const browser = {
    location, crossOriginIsolated: true, console, URLSearchParams, URL, setTimeout, clearTimeout, queueMicrotask,
    structuredClone, TextEncoder,
  };
  const scope = Object.assign(browser, ...parts);
  return Object.assign(scope, {self: scope, window: scope});
}

/** Runs `testFile` of the tests in `root`; `overrides(harness)` gives functions that replace the helper
 * scripts' own. */
export async function runPage(root, testFile, variant, overrides) {
  const source = fs.readFileSync(testFile, 'utf8');
  const recorder = new Recorder();
  const machine = new Machine();
  const harness = new Harness(recorder, machine);
  const webnn = {...machine.globals(), MLGraphBuilder: recorder.builderClass()};
  const scope = vm.createContext(globalsOf(variant, webnn, harness.globals(), {fetch: fetchFrom(root, testFile)}));
  vm.runInContext(POLYFILLS, scope);
  machine.watchViews(vm.runInContext('globalThis', scope));
  for (const script of metaValues(source, 'script')) {
    const file = fileOf(root, testFile, script);
    vm.runInContext(replaceable(fs.readFileSync(file, 'utf8')), scope, {filename: file});
  }
  Object.assign(scope, harness.assertions.overrides(), overrides?.(harness));
  vm.runInContext(source, scope, {filename: testFile});
  await harness.run();
  return {recorder, machine, harness};
}
