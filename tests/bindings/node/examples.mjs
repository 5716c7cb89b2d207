// The examples print what they promise: node examples.mjs [CLIENTS]. With the folder of scripts/npm-clients.sh also the one
// that needs ONNX Runtime Web.
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {fileURLToPath} from "node:url";
import {assert, finish, test} from "./check.mjs";

const [clients] = process.argv.slice(2);
const pathOf = (file) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));
const run = (...words) => execFileSync(process.execPath, words, {encoding: "utf8"}).trim();
const example = (name) => pathOf(`bindings/node/examples/${name}`);

await test("fibonacci", () => assert.equal(run(example("fibonacci.mjs")), "F(90) = 2880067194370816120"));

await test("an image classifier", () => {
  assert.match(run(example("classify_image.mjs")), /^a 7, with a probability of (1\.000|0\.9\d\d)$/);
});

if (clients)
  await test("ONNX Runtime Web", () => {
    // A project that has installed both.
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "webnn-example-"));
    try {
      fs.mkdirSync(path.join(folder, "node_modules"));
      fs.symlinkSync(pathOf("bindings/node"), path.join(folder, "node_modules/webnn"));
      for (const name of ["onnxruntime-web", "onnxruntime-common"])
        fs.symlinkSync(path.join(clients, "node_modules", name), path.join(folder, "node_modules", name));
      fs.copyFileSync(example("onnxruntime_web.mjs"), path.join(folder, "program.mjs"));
      const printed = run("--liftoff-only", path.join(folder, "program.mjs"), pathOf("models/onnx/digits.onnx"));
      assert.equal(printed, "probabilities: float32[1,10]");
    } finally {
      fs.rmSync(folder, {recursive: true});
    }
  });

finish();
