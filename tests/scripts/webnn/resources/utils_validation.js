'use strict';

let context;

promise_setup(async () => {
  context = await navigator.ml.createContext();
});

function assert_throws_with_label(func, regexp) {
  try {
    func();
  } catch (error) {
    assert_equals(error.name, 'TypeError');
    assert_not_equals(error.message.match(regexp), null);
    return;
  }
  assert_unreached('the call succeeded');
}
