// META: title=tests that read what the runner gives
// META: global=window
// META: variant=?cpu
// META: variant=?gpu
// META: script=../resources/runner.js

'use strict';

const tensor = (data, dataType, shape = [data.length]) => ({data, descriptor: {shape, dataType}});

const test = (name, operator, inputs, outputs) => ({
  name,
  graph: {
    inputs,
    operators: [{name: operator.name, arguments: operator.arguments, outputs: operator.outputs ?? 'y'}],
    expectedOutputs: outputs,
  },
});

const toHalf = {name: 'cast', arguments: [{input: 'x'}, {type: 'float16'}]};

const tests = [
  test('cast rounds to even', toHalf, {x: tensor([2049, -1e-9, 65520, NaN], 'float32')},
       {y: tensor([2048, -0, Infinity, NaN], 'float16')}),
  test('cast of a scalar', toHalf, {x: {...tensor([2051], 'float32', []), constant: true}},
       {y: tensor(2052, 'float16', [])}),
  test('parts', {name: 'split', arguments: [{input: 'x'}, {splits: 2}], outputs: ['first', 'second']},
       {x: tensor([1, 2, 3, 4], 'int64')}, {first: tensor([1, 2], 'int64'), second: tensor([3, 4], 'int64')}),
  test('one number for all', {name: 'identity', arguments: [{input: 'x'}]}, {x: tensor(7, 'uint8', [3])},
       {y: tensor(7, 'uint8', [3])}),
  test('the expected numbers are none of a half', toHalf, {x: tensor([0.1], 'float32')}, {y: tensor([0.1], 'float16')}),
];

// Looks at every number before it is compared within the tolerance.
const buildAndCheckBits = async (context, builder, graph) => {
  const execution = await buildAndExecuteGraph(context, builder, graph);
  for (const [name, {data, descriptor}] of Object.entries(graph.expectedOutputs)) {
    const actual = execution.result[name];
    for (let i = 0; i < actual.length; ++i) {
      const value = descriptor.dataType === 'float16' ? halfToNumber(actual[i]) : Number(actual[i]);
      assert_true(Object.is(value, typeof data === 'number' ? data : data[i]), `${name}[${i}]`);
    }
  }
  return execution;
};

webnn_conformance_test(tests, buildAndCheckBits, getZeroTolerance);
