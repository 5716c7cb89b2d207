// META: title=sums, the style of a validation test
// META: global=window
// META: variant=?op=add&device=cpu
// META: variant=?op=add&device=gpu
// META: variant=?op=sub&device=cpu
// META: script=../resources/utils_validation.js

'use strict';

const operator = new URLSearchParams(location.search).get('op');
const row = {dataType: 'float32', shape: [1, 3]};
const column = {dataType: 'float32', shape: [2, 1]};

promise_test(async () => {
  const builder = new MLGraphBuilder(context);
  const output = builder[operator](builder.input('a', row), builder.input('b', column));
  assert_equals(output.dataType, 'float32');
  assert_array_equals(output.shape, [2, 3]);
  builder.abs(output);  // nobody says what this is
  const again = builder.neg(output);
  assert_equals(again.dataType, row.dataType);
  assert_array_equals(again.shape, output.shape.slice());  // known to an implementation only: the test stops here
}, `[${operator}] broadcasts`);

promise_test(async () => {
  const builder = new MLGraphBuilder(context);
  const a = builder.input('a', row);
  const b = builder.input('b', {dataType: 'float32', shape: [2]});
  assert_throws_with_label(() => builder[operator](a, b, {label: 'sum_1'}), /\[sum_1\]/);
  assert_throws_js(TypeError, () => builder.input('c', {dataType: 'float32', shape: [0]}));
  const foreign = new MLGraphBuilder(context).input('d', row);
  assert_throws_js(TypeError, () => builder[operator](a, foreign));
}, `[${operator}] throws`);

promise_test(async () => {
  const builder = new MLGraphBuilder(context);
  for (const dataType of ['float32', 'int64', 'uint8']) {
    const input = builder.input('x', {dataType, shape: [4]});
    if (context.opSupportLimits().cumulativeSum.input.dataTypes.includes(dataType)) {
      const output = builder.cumulativeSum(input, 0);
      assert_equals(output.dataType, dataType);
      assert_array_equals(output.shape, [4]);
    } else {
      assert_throws_js(TypeError, () => builder.cumulativeSum(input, 0));
    }
  }
  const parts = builder.split(builder.input('y', row), [1, 2], {axis: 1});
  assert_equals(parts.length, 2);
  parts.forEach((part, i) => {
    assert_equals(part.dataType, 'float32');
    assert_array_equals(part.shape, [1, i + 1]);
  });
  assert_throws_js(TypeError, () => builder.elu(builder.input('z', row), {alpha: NaN}));
}, '[cumulativeSum] and others');
