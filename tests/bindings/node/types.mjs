// The written types are current.
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import {fileURLToPath} from "node:url";
import {assert, finish, test} from "./check.mjs";

const place = (file) => fileURLToPath(new URL(`../../../bindings/node/${file}`, import.meta.url));

await test("lib/index.d.ts is what types.mjs writes", () => {
  const written = execFileSync(process.execPath, [place("types.mjs")], {encoding: "utf8"});
  assert.equal(written, fs.readFileSync(place("lib/index.d.ts"), "utf8"), "write it again: see types.mjs");
});

finish();
