// The assertions of testharness.js. About operands they become the expected answers of the calls that made them, about
// outputs of dispatches the expected elements; of all else they say whether it holds.

import {AssertionError, fail, Unknown} from './errors.mjs';
import {COMPUTED, Element} from './output.mjs';
import {isAnswer} from './webnn.mjs';

const sameArray = (a, b) => a.length === b.length && Array.from(a).every((value, i) => Object.is(value, b[i]));

const isNear = (actual, expected, epsilon) => Object.is(actual, expected) || Math.abs(actual - expected) <= epsilon;

/** What an assertion computes with; throws for an element that is not known yet. */
const numberOf = (value) => (value instanceof Element ? value.number() : value);

const ignore = () => {};

export class Assertions {
  #expected;  // calls inside a body that must throw

  constructor(recorder, machine) {
    this.recorder = recorder;
    this.machine = machine;
  }

  onCall(call) { this.#expected?.push(call); }

  /** What an earlier test computed with is no matter of the next one. */
  startTest() { this.machine.takeComputedWith(); }

  /** If `actual` is an operand's data type or shape, or a part of it, notes the answer. */
  #noteAnswer(actual, expected) {
    const answer = this.recorder.answered(actual);
    this.recorder.lastDataType = undefined;
    if (!answer) return false;
    if (isAnswer(expected)) throw new Unknown('the test compares two operands of which neither is known');
    answer.operand.assert(answer, expected);
    return true;
  }

  /** If `actual` has elements of outputs in it, notes them. */
  #noteElements(actual, expected) {
    const elements = this.machine.elements(actual);
    if (!elements) return false;
    if (elements.length !== expected.length) fail(`${expected.length} elements are expected of ${elements.length}`);
    elements.forEach((one, i) => this.#equals(one, expected[i]));
    return true;
  }

  #equals(actual, expected, message) {
    if (actual instanceof Element) actual.is(expected);
    else if (!Object.is(actual, expected)) fail(message ?? `${String(actual)} is not ${String(expected)}`);
  }

  /** The whole of an output is near `expected`. */
  #approximates(actual, expected, metricType, value) {
    const output = this.machine.output(actual);
    if (!output) return false;
    if (actual.length !== expected.length) fail(`${expected.length} elements are expected of ${actual.length}`);
    output.setAll(expected, {metricType, value: Number(value)});
    return true;
  }

  #near(actual, expected, epsilon, message) {
    if (actual instanceof Element) actual.isNear(expected, {metricType: 'ATOL', value: epsilon});
    else if (!isNear(actual, expected, epsilon)) fail(message ?? `${actual} is not near ${expected}`);
  }

  #greater(actual, expected, message) {
    const element = this.machine.takeComputedWith();
    if (element) element.exceeds(actual, expected);
    else if (!(numberOf(actual) > expected)) fail(message ?? `${actual} is not greater than ${expected}`);
  }

  #inArray(actual, values) {
    if (actual instanceof Element) {
      actual.isOneOf(values);
    } else if (isAnswer(actual)) {
      if (values.length > 1) throw new Unknown('the test allows several answers');
      this.#noteAnswer(actual, values[0]);
    } else if (!values.includes(actual)) {
      fail(`${String(actual)} is none of ${values.map(String)}`);
    }
  }

  /** Runs `body`, which must throw `error`; the one builder call in it is the one that is refused. */
  #refused(error, body) {
    this.#expected = [];
    this.machine.refusing = true;
    try {
      body();
    } catch (thrown) {
      if (thrown instanceof Unknown) throw thrown;
    } finally {
      this.machine.refusing = false;
      const calls = this.#expected;
      this.#expected = undefined;
      for (const call of calls) {
        if (calls.length > 1) call.unusable ??= 'one of several calls of which one is refused';
        if (error !== 'TypeError') call.unusable ??= `refused with ${error}`;
        call.error = error;
      }
    }
  }

  /** An assertion that does not know how to take what was computed from an element. */
  #plain(assertion) {
    return (...args) => {
      if (this.machine.takeComputedWith()) throw new Unknown(COMPUTED);
      return assertion(...args);
    };
  }

  /** The functions that test files call. */
  globals() {
    const holds = (isTrue) => this.#plain((actual, expected, message) => {
      if (isTrue(numberOf(actual), expected)) return;
      fail(message ?? `it is ${String(actual)}, and ${String(expected)} is given`);
    });
    const plain = {
      assert_equals: (actual, expected, message) => {
        if (!this.#noteAnswer(actual, expected)) this.#equals(actual, expected, message);
      },
      assert_array_equals: (actual, expected, message) => {
        if (this.#noteAnswer(actual, expected) || this.#noteElements(actual, expected)) return;
        if (!sameArray(actual, expected)) fail(message ?? 'arrays differ');
      },
      assert_in_array: (actual, values) => this.#inArray(actual, Array.from(values)),
      assert_array_approx_equals: (actual, expected, epsilon, message) => {
        if (this.#approximates(actual, expected, 'ATOL', epsilon)) return;
        if (actual.length !== expected.length) fail(message ?? 'arrays differ in length');
        Array.from(expected).forEach((value, i) => this.#near(actual[i], value, epsilon, message));
      },
      assert_approx_equals: (...args) => this.#near(...args),
      assert_true: (actual, message) => actual === true || fail(message ?? `${String(actual)} is not true`),
      assert_false: (actual, message) => actual === false || fail(message ?? `${String(actual)} is not false`),
    };
    return {
      AssertionError,
      ...Object.fromEntries(Object.entries(plain).map(([name, assertion]) => [name, this.#plain(assertion)])),
      assert_not_equals: holds((actual, expected) => !Object.is(actual, expected)),
      assert_greater_than: (...args) => this.#greater(...args),
      assert_greater_than_equal: holds((actual, expected) => actual >= expected),
      assert_less_than: holds((actual, expected) => actual < expected),
      assert_less_than_equal: holds((actual, expected) => actual <= expected),
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

  /** Functions of the tests' own scripts that look into errors, which a recorder has not, or into bits; set after those
   * ran. */
  overrides() {
    return {
      assert_throws_with_label: (body) => this.#refused('TypeError', body),
      assert_array_approx_equals_ulp: (actual, expected, ulp) =>
          this.#approximates(actual, expected, 'ULP', ulp) || fail('no output of a dispatch'),
    };
  }
}
