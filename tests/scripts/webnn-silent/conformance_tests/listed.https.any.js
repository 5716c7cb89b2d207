// META: title=a test that has no vector to give, and is listed
// META: global=window

'use strict';

promise_test(() => navigator.ml.createContext(), 'there is a context');
