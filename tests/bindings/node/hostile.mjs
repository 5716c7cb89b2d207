// The native part without the JavaScript above it: whatever it is given, it throws.
import {createRequire} from "node:module";
import {assert, finish, test} from "./check.mjs";

const addon = createRequire(import.meta.url)(process.env.WEBNN_ADDON);
const context = await addon.createContext("cpu", 1, 0, 0);
const builder = addon.createBuilder(context);
const x = addon.input(builder, "x", "float32", [2, 2]);
const tensor = addon.createTensor(context, "float32", [2, 2], true, true);
const values = [undefined, null, true, -1, 0, 1.5, NaN, 2 ** 53, 10n, 2n ** 64n, "", "float32", "cpu", Symbol("s"), {}, [], [1], [[]],
                [undefined], new Uint8Array(3), new Float32Array(4), new ArrayBuffer(8), () => 1, context, builder, tensor,
                Object.create(context), new Proxy(context, {}), {length: 4e9}, [2, 2], x.number, [x.number], [x.number, 99]];

let seed = 7;
const any = () => values[(seed = (seed * 1103515245 + 12345) & 0x7fffffff) % values.length];

await test("no function crashes on any values", async () => {
  const keep = new Set(["destroyContext"]);
  const names = Object.keys(addon).filter((name) => !keep.has(name));
  assert.ok(names.length > 15);
  const promises = [];
  let thrown = 0;
  for (let round = 0; round < 4000; ++round)
    for (const name of names) {
      try {
        const result = addon[name](any(), any(), any(), any(), any(), any());
        if (result instanceof Promise) promises.push(result.catch(() => ++thrown));
      } catch {
        ++thrown;
      }
    }
  await Promise.all(promises);
  assert.ok(thrown > 4000);
});

await test("a BigInt beyond 64 bits is refused", () => {
  for (const number of [2n ** 64n, -(2n ** 63n) - 1n, 2n ** 2000n])
    assert.throws(() => addon.constantNumber(builder, "float32", number), {message: "not a number of 64 bits"});
});

await test("it still works", async () => {
  const fresh = addon.createTensor(context, "float32", [2, 2], true, true);
  assert.equal((await addon.readTensor(context, fresh, undefined)).byteLength, 16);
});

finish();
