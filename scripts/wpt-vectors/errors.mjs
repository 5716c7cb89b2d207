// How a test ends before its end.

/** An assertion does not hold. */
export class AssertionError extends Error {}

/** A test computes with an answer that nobody but an implementation knows. */
export class Unknown extends Error {}

export function fail(message) {
  throw new AssertionError(message);
}
