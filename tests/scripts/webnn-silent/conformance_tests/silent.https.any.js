// META: title=tests that say nothing that a vector holds
// META: global=window

'use strict';

promise_test(async () => {
  const context = await navigator.ml.createContext();
  const builder = new MLGraphBuilder(context);
  const descriptor = {dataType: 'float32', shape: [1]};
  const graph = await builder.build({y: builder.abs(builder.input('x', descriptor))});
  const [x, y] = await Promise.all([context.createTensor(descriptor), context.createTensor(descriptor)]);
  context.dispatch(graph, {x}, {y});
  await context.readTensor(y);
}, 'a dispatch of which nothing is said');

promise_test(async () => {
  assert_greater_than(navigator.ml.devices.length, 0);
}, 'a test of what the script does not have');
