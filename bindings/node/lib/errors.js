// Errors as the specification names them.

/** What the native part throws, as the exception of JavaScript: TypeError for a wrong call, otherwise a DOMException. */
export function exceptionOf(error) {
  if (!(error instanceof Error) || error.kind === undefined) return error;
  const message = error.hint ? `${error.message} (${error.hint})` : error.message;
  if (error.kind === "usage" || error.kind === "invalid input") return new TypeError(message);
  return new DOMException(message, error.kind === "unsupported" ? "NotSupportedError" : "OperationError");
}

/** Calls the native part. */
export function native(call) {
  try {
    return call();
  } catch (error) {
    throw exceptionOf(error);
  }
}

export async function nativeAsync(call) {
  try {
    return await call();
  } catch (error) {
    throw exceptionOf(error);
  }
}

export const invalidState = (message) => new DOMException(message, "InvalidStateError");
