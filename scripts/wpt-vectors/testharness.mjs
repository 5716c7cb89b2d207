// A stand-in for testharness.js: it runs tests one after the other and turns assertions about operands into the
// expected answers of the calls that made them.

import {isAnswer, Unknown} from './webnn.mjs';

const TEST_SECONDS = 10;

class AssertionError extends Error {}

function fail(message) {
  throw new AssertionError(message);
}

const sameArray = (a, b) => a.length === b.length && Array.from(a).every((value, i) => Object.is(value, b[i]));

/** A test object: whatever a test does with it (add_cleanup, step_timeout, ...) is of no consequence here. */
function testObject(name) {
  return new Proxy({name}, {get: (target, key) => (key === 'name' ? name : () => undefined)});
}

export class Harness {
  constructor(recorder, machine) {
    this.recorder = recorder;
    this.machine = machine;
    this.tests = [];   // {name, run} in order, setups first
    this.setups = [];
    this.current = undefined;
    this.stopped = [];  // {name, reason} of tests that did not run to their end
    recorder.onCall = (call) => {
      call.test = this.current;
      this.expected?.push(call);
    };
    machine.onRun = (run) => {
      run.test = this.current;
    };
  }

  /** If `actual` is an operand's data type or shape, notes the answer. */
  #note(actual, expected) {
    const answer = this.recorder.answered(actual);
    this.recorder.lastDataType = undefined;
    if (!answer) return false;
    if (isAnswer(expected)) throw new Unknown('the test compares two operands of which neither is known');
    answer.operand.asserted[answer.property] = answer.property === 'shape' ? Array.from(expected) : expected;
    return true;
  }

  /** Runs `body`, which must throw `error`; the one builder call in it is the one that is refused. */
  #refused(error, body) {
    this.expected = [];
    this.machine.refusing = true;
    try {
      body();
    } catch (thrown) {
      if (thrown instanceof Unknown) throw thrown;
    } finally {
      this.machine.refusing = false;
      const calls = this.expected;
      this.expected = undefined;
      for (const call of calls) {
        if (calls.length > 1) call.unusable ??= 'one of several calls of which one is refused';
        if (error !== 'TypeError') call.unusable ??= `refused with ${error}`;
        call.error = error;
      }
    }
  }

  /** The functions that test files call. */
  globals() {
    const ignore = () => {};
    const later = (body, name) => this.tests.push({name, run: () => body(testObject(name))});
    return {
      promise_setup: (body) => this.setups.push({name: 'setup', run: () => body()}),
      setup: (body) => typeof body === 'function' && body(),
      promise_test: later,
      async_test: later,
      test: (body, name) => this.#runNow({name: name ?? '', run: () => body(testObject(name))}),
      done: ignore,
      AssertionError,
      assert_equals: (actual, expected, message) => {
        if (this.#note(actual, expected)) return;
        if (!Object.is(actual, expected)) fail(message ?? `${actual} is not ${expected}`);
      },
      assert_array_equals: (actual, expected, message) => {
        if (this.#note(actual, expected) || this.machine.note(actual, expected, 0)) return;
        if (!sameArray(actual, expected)) fail(message ?? 'arrays differ');
      },
      assert_not_equals: (actual, expected, message) => {
        if (Object.is(actual, expected)) fail(message ?? `${actual} is not wanted`);
      },
      assert_true: (actual, message) => actual === true || fail(message),
      assert_false: (actual, message) => actual === false || fail(message),
      assert_implements: (condition, message) => condition || fail(message),
      assert_implements_optional: (condition, message) => condition || fail(message),
      assert_unreached: (message) => fail(message),
      assert_throws_js: (constructor, body) => this.#refused(constructor.name, body),
      assert_throws_dom: (name, ...rest) => this.#refused(String(name), rest.find((one) => !one?.prototype) ?? ignore),
      assert_throws_exactly: (error, body) => this.#refused(String(error?.name), body),
      promise_rejects_js: async (test, constructor, promise) => promise?.then?.(ignore, ignore),
      promise_rejects_dom: async (test, name, promise) => promise?.then?.(ignore, ignore),
      promise_rejects_exactly: async (test, error, promise) => promise?.then?.(ignore, ignore),
    };
  }

  /** Functions of the tests' own scripts that look into errors, which a recorder has not; set after those ran. */
  overrides() {
    return {
      assert_throws_with_label: (body) => this.#refused('TypeError', body),
      assert_array_approx_equals_ulp: (actual, expected, ulp) =>
          this.machine.note(actual, expected, Number(ulp)) || fail('no output of a dispatch'),
    };
  }

  #stop(test, error) {
    this.stopped.push({name: test.name, reason: String(error?.message ?? error)});
  }

  #runNow(test) {
    const outer = this.current;
    this.current = test.name;
    try {
      test.run();
    } catch (error) {
      this.#stop(test, error);
    }
    this.current = outer;
  }

  /** Runs what was declared. */
  async run() {
    for (const test of [...this.setups, ...this.tests]) {
      this.current = test.name;
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
    }
    this.current = undefined;
  }
}
