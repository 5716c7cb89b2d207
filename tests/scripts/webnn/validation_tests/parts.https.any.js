// META: title=tests that look at a shape size by size
// META: global=window
// META: script=../resources/utils_validation.js

'use strict';

promise_test(async () => {
  const builder = new MLGraphBuilder(context);
  const output = builder.transpose(builder.input('x', {dataType: 'int8', shape: [2, 3]}));
  const expected = [3, 2];
  assert_equals(output.shape.length, expected.length);
  for (let i = 0; i < output.shape.length; ++i) assert_equals(output.shape[i], expected[i]);
  assert_in_array(output.dataType, ['int8']);
}, '[transpose] size by size');

promise_test(async () => {
  const builder = new MLGraphBuilder(context);
  const output = builder.relu(builder.input('x', {dataType: 'int8', shape: [2, 3]}));
  assert_equals(output.dataType, 'int8');
  assert_equals(output.shape[1], 3);
}, '[relu] a part of the shape is no answer');

promise_test(async () => {
  const builder = new MLGraphBuilder(context);
  const output = builder.abs(builder.input('x', {dataType: 'int8', shape: [2, 3]}));
  assert_in_array(output.dataType, ['int8', 'uint8']);
}, '[abs] one of two data types is no answer');
