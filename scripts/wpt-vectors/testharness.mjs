// A stand-in for testharness.js: it runs tests one after the other, those too that a test declares.

import {Assertions} from './assertions.mjs';

const TEST_SECONDS = 10;

/** A test object: whatever a test does with it (add_cleanup, step_timeout, ...) is of no consequence here. */
function testObject(name) {
  return new Proxy({name}, {get: (target, key) => (key === 'name' ? name : () => undefined)});
}

export class Harness {
  constructor(recorder, machine) {
    this.tests = [];   // {name, run} in order
    this.setups = [];  // which run before
    this.declared = 0;
    this.current = undefined;
    this.stopped = [];  // {name, reason} of tests that did not run to their end
    this.assertions = new Assertions(recorder, machine);
    recorder.onCall = (call) => {
      call.test = this.current;
      this.assertions.onCall(call);
    };
    machine.onRun = (run) => {
      run.test = this.current;
    };
  }

  /** The functions that test files call. */
  globals() {
    const later = (body, name) => {
      this.declared += 1;
      this.tests.push({name, run: () => body(testObject(name))});
    };
    return {
      promise_setup: (body) => this.setups.push({name: 'setup', run: () => body()}),
      setup: (body) => typeof body === 'function' && body(),
      promise_test: later,
      async_test: later,
      test: (body, name) => this.#runNow({name: name ?? '', run: () => body(testObject(name))}),
      done: () => {},
      ...this.assertions.globals(),
    };
  }

  #stop(test, error) {
    this.stopped.push({name: test.name ?? '', reason: String(error?.message ?? error)});
  }

  #runNow(test) {
    this.declared += 1;
    const outer = this.current;
    this.current = test.name;
    try {
      test.run();
    } catch (error) {
      this.#stop(test, error);
    }
    this.current = outer;
  }

  async #runOne(test) {
    this.current = test.name;
    this.assertions.startTest();
    let timer;
    const late = new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`it takes more than ${TEST_SECONDS} s`)), TEST_SECONDS * 1000);
    });
    try {
      await Promise.race([test.run(), late]);
    } catch (error) {
      this.#stop(test, error);
    }
    clearTimeout(timer);
    this.current = undefined;
  }

  /** Runs what was declared, and what that declares. */
  async run() {
    for (const queue of [this.setups, this.tests])
      for (let i = 0; i < queue.length; ++i) await this.#runOne(queue[i]);
  }
}
