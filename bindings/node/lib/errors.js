// Errors as the specification names them.

/** What the native part throws, as a DOMException. */
export function domException(error, name) {
  return new DOMException(error.hint ? `${error.message} (${error.hint})` : error.message, name);
}

/** What the native part throws, as the exception of JavaScript: TypeError for a wrong call, otherwise a DOMException with
 * the name that the specification gives to a failure of this method. */
export function exceptionOf(error, name = "OperationError") {
  if (!(error instanceof Error) || error.kind === undefined) return error;
  if (error.kind === "usage" || error.kind === "invalid input") return new TypeError(domException(error, name).message);
  return domException(error, name);
}

/** Calls the native part. */
export function native(call, name) {
  try {
    return call();
  } catch (error) {
    throw exceptionOf(error, name);
  }
}

export async function nativeAsync(call, name) {
  try {
    return await call();
  } catch (error) {
    throw exceptionOf(error, name);
  }
}

export const invalidState = (message) => new DOMException(message, "InvalidStateError");
