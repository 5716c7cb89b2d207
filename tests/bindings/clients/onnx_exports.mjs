// ONNX Runtime for Node.js, on its own kernels, takes the ONNX files that are written of the cases of every operator.
//   node onnx_exports.mjs CLIENTS FOLDER     CLIENTS is the folder of scripts/npm-clients.sh; the files are OPERATOR.NUMBER.onnx
import fs from "node:fs";
import path from "node:path";
import {assert, finish, test} from "../node/check.mjs";
import {importFrom} from "./clients.mjs";

const [clients, folder] = process.argv.slice(2);
const ort = (await importFrom(clients, "onnxruntime-node")).default;
const options = {logSeverityLevel: 4, intraOpNumThreads: 1, interOpNumThreads: 1};
const withoutKernel = /Could not find an implementation|NOT_IMPLEMENTED/;  // for the types of this case

const operators = new Map();
for (const file of fs.readdirSync(folder)) {
  const operator = file.slice(0, file.indexOf("."));
  operators.set(operator, [...(operators.get(operator) ?? []), file]);
}
let loaded = 0, unimplemented = 0;
for (const [operator, files] of operators)
  await test(operator, async () => {
    const refused = [];
    for (const file of files) {
      try {
        const session = await ort.InferenceSession.create(path.join(folder, file), options);
        await session.release();
        ++loaded;
      } catch (error) {
        if (withoutKernel.test(error.message)) ++unimplemented;
        else refused.push(`${file}: ${error.message}`);
      }
    }
    assert.equal(refused.length, 0, `${refused.length} of ${files.length}, such as ${refused[0]}`);
  });
console.log(`${loaded} files of ${operators.size} operators were loaded; for ${unimplemented} it has no kernel`);
await test("most files were loaded", () => assert.ok(loaded > 5 * unimplemented));

finish();
