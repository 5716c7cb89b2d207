// What the tests in this folder share: named checks, and the process's exit status. `await test(name, function)`.
import assert from "node:assert/strict";

export {assert};

let failures = 0, passes = 0;
export async function test(name, run) {
  try {
    await run();
    ++passes;
  } catch (error) {
    ++failures;
    console.log(`failed: ${name}\n${error?.stack ?? error}`);
  }
}

/** Ends the file: the status is 1 when a test failed or none ran. */
export function finish() {
  console.log(`${passes} passed, ${failures} failed`);
  process.exitCode = failures > 0 || passes === 0 ? 1 : 0;
}

/** The call, or its promise, fails with an exception of this name: "TypeError", or that of a DOMException. */
export async function fails(name, call) {
  try {
    await call();
  } catch (error) {
    assert.equal(error.name, name, `${error.message}`);
    if (name !== "TypeError") assert.ok(error instanceof DOMException);
    return error;
  }
  assert.fail(`${call} does not fail with ${name}`);
}
