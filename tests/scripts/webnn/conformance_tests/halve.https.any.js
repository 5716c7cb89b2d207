// META: title=halving, the style of a conformance test
// META: global=window
// META: variant=?cpu
// META: variant=?gpu
// META: script=../resources/utils.js

'use strict';

const tests = [
  {
    name: 'halve a float32 tensor after abs',
    graph: {
      inputs: {
        x: {data: [-1, 0, 3], descriptor: {shape: [3], dataType: 'float32'}},
        two: {data: 2, descriptor: {shape: [], dataType: 'float32'}, constant: true},
      },
      operators: [
        {name: 'abs', arguments: [{input: 'x'}], outputs: 'size'},
        {name: 'div', arguments: [{a: 'size'}, {b: 'two'}], outputs: 'half'},
      ],
      expectedOutputs: {half: {data: [0.5, 0, 1.5], descriptor: {shape: [3], dataType: 'float32'}}},
    },
  },
  {
    name: 'halve numbers that JSON cannot hold',
    graph: {
      inputs: {
        x: {data: [-Infinity, -0], descriptor: {shape: [2], dataType: 'float16'}},
        two: {data: [2], descriptor: {shape: [], dataType: 'float16'}, constant: true},
      },
      operators: [
        {name: 'identity', arguments: [{input: 'x'}], outputs: 'same'},
        {name: 'div', arguments: [{a: 'same'}, {b: 'two'}], outputs: 'half'},
      ],
      expectedOutputs: {half: {data: [-Infinity, -0], descriptor: {shape: [2], dataType: 'float16'}}},
    },
  },
  {
    name: 'the tolerance needs a shape that only an implementation knows',
    graph: {
      inputs: {x: {data: 1, descriptor: {shape: [4], dataType: 'float32'}}},
      operators: [
        {name: 'slice', arguments: [{input: 'x'}, {starts: [0]}, {sizes: [2]}], outputs: 'part'},
        {name: 'add', arguments: [{a: 'part'}, {b: 'part'}], outputs: 'sum'},
      ],
      expectedOutputs: {sum: {data: 2, descriptor: {shape: [2], dataType: 'float32'}}},
    },
  },
];

tests.forEach((test) => webnn_conformance_test(buildAndExecuteGraph, getHalvingTolerance, test));

promise_test(async () => {
  const context = await navigator.ml.createContext();
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', {dataType: 'int32', shape: []});
  const three = builder.constant({dataType: 'int32', shape: [2]}, Int32Array.from([3, -3]));
  const [graph, input, output] = await Promise.all([
    builder.build({sum: builder.add(x, three)}),
    context.createTensor({dataType: 'int32', shape: [], writable: true}),
    context.createTensor({dataType: 'int32', shape: [2], readable: true}),
  ]);
  context.writeTensor(input, Int32Array.from([4]));
  context.dispatch(graph, {x: input}, {sum: output});
  assert_array_equals(new Int32Array(await context.readTensor(output)), [7, 1]);
}, 'a test that dispatches by itself');
