// META: title=a test that has a vector to give, and is listed as one without
// META: global=window

'use strict';

promise_test(async () => {
  const builder = new MLGraphBuilder(await navigator.ml.createContext());
  assert_throws_js(TypeError, () => builder.input('x', {dataType: 'float32', shape: [0]}));
}, '[input] Throw if a size is 0');
