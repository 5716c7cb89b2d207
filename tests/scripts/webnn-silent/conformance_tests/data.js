// Declares no tests, and so owes no vector.

'use strict';

const numbers = [1, 2, 3];
