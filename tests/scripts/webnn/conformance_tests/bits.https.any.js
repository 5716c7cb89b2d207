// META: title=tests that look at elements of outputs
// META: global=window

'use strict';

let context;
promise_setup(async () => {
  context = await navigator.ml.createContext();
});

/** Dispatches `operator` of one input and gives what is read. */
async function run(operator, from, data, to, ...rest) {
  const builder = new MLGraphBuilder(context);
  const graph = await builder.build({y: builder[operator](builder.input('x', from), ...rest)});
  const [x, y] = await Promise.all([context.createTensor(from), context.createTensor(to)]);
  context.writeTensor(x, data);
  context.dispatch(graph, {x}, {y});
  return context.readTensor(y);
}

const half = (...shape) => ({dataType: 'float16', shape});
const float = (...shape) => ({dataType: 'float32', shape});

promise_test(async () => {
  const bits = new Uint16Array([0x0001, 0x8000, 0x3c00, 0x7c00, 0xfe00]);
  const expected = [0x33800000, 0x80000000, 0x3f800000, 0x7f800000, 0x7fc00000];
  const actual = new Uint32Array(await run('cast', half(5), bits, float(5), 'float32'));
  assert_equals(actual.length, expected.length);
  for (let i = 0; i < actual.length; ++i) {
    if (expected[i] > 0x7f800000 && expected[i] < 0x80000000)
      assert_greater_than(actual[i] & 0x7fffffff, 0x7f800000, `element ${i} is a NaN, not ${actual[i]}`);
    else
      assert_equals(actual[i], expected[i], `element ${i}`);
  }
}, 'bits of float32, a NaN among them');

promise_test(async () => {
  const [bits] = new Uint16Array(await run('abs', half(1), new Uint16Array([0xbc00]), half(1)));
  if ((bits & 0x7fff) === 0) return;
}, 'bits of which nothing is said, no matter for the next test');

promise_test(async () => {
  const actual = new Uint16Array(await run('identity', half(3), new Uint16Array([0x8000, 0x7e01, 0x03ff]), half(3)));
  assert_in_array(actual[0], [0x0000, 0x8000]);
  assert_in_array(actual[1], [0x7e00, 0xfe00, 0x7c01], 'any NaN');
  assert_in_array(actual[2], [0x03ff]);
}, 'bits of float16, any of which are one number');

promise_test(async () => {
  const numbers = [1.5, -2, 8].map(async (number) => {
    const buffer = await run('neg', float(1), new Float32Array([number]), float(1));
    return new Float32Array(buffer)[0];
  });
  assert_array_equals(await Promise.all(numbers), [-1.5, 2, -8]);
}, 'elements of several outputs');

promise_test(async () => {
  const actual = new Float32Array(await run('sin', float(2), new Float32Array([1, 2]), float(2)));
  assert_approx_equals(actual[0], 0.8414709848, 0.001);
  assert_approx_equals(actual[1], 0.9092974268, 0.002);
}, 'elements with a tolerance');

promise_test(async () => {
  const descriptor = half(2);
  const builder = new MLGraphBuilder(context);
  const graph = await builder.build({y: builder.identity(builder.input('x', descriptor))});
  const [first, second] = await Promise.all([context.createTensor(descriptor), context.createTensor(descriptor)]);
  context.writeTensor(first, new Uint16Array([0x0003, 0xbc00]));
  let current = first, next = second;
  for (let step = 0; step < 4; ++step) {
    context.dispatch(graph, {x: current}, {y: next});
    assert_array_equals(new Uint16Array(await context.readTensor(next)), [0x0003, 0xbc00]);
    [current, next] = [next, current];
  }
}, 'the same dispatch again and again is one vector');

promise_test(async () => {
  const actual = new Float32Array(await run('abs', float(2), new Float32Array([1, -1]), float(2)));
  assert_equals(actual[1], 1);
}, 'a part of an output');

promise_test(async () => {
  const actual = new Uint16Array(await run('abs', half(1), new Uint16Array([0xbc00]), half(1)));
  assert_equals(actual[0] & 0x7fff, 0x3c00);
}, 'bits that no assertion tells');

promise_test(async () => {
  const actual = new Uint16Array(await run('abs', half(1), new Uint16Array([0xbc00]), half(1)));
  assert_in_array(actual[0], [0x3c00, 0x3c01]);
}, 'one of two numbers');

promise_test(async () => {
  const actual = new Int32Array(await run('abs', {dataType: 'int32', shape: [1]}, new Int32Array([-3]),
                                          {dataType: 'int32', shape: [1]}));
  assert_greater_than(actual[0], 2);
}, 'any number above another');
