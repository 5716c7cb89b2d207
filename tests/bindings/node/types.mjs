// The written types are current; with the folder of scripts/npm-clients.sh, TypeScript takes them: node types.mjs [CLIENTS]
import {execFileSync, spawnSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {fileURLToPath} from "node:url";
import {assert, finish, test} from "./check.mjs";

const bindings = fileURLToPath(new URL("../../../bindings/node", import.meta.url)), [clients] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "webnn-types-"));
process.on("exit", () => fs.rmSync(folder, {recursive: true}));

await test("the types in lib are what types.mjs writes", () => {
  execFileSync(process.execPath, [path.join(bindings, "types.mjs"), folder]);
  for (const file of ["index.d.ts", "global.d.ts"])
    assert.equal(fs.readFileSync(path.join(folder, file), "utf8"), fs.readFileSync(path.join(bindings, "lib", file), "utf8"),
                 "write them again: see types.mjs");
});

/** Compiles types.ts in a project with the package, and with those of the clients that are named. */
function compile(libraries, types) {
  const modules = path.join(folder, "node_modules"), compilerOptions = {
    noEmit: true, strict: true, target: "es2022", module: "nodenext", lib: libraries, types,
  };
  fs.rmSync(modules, {recursive: true, force: true});
  fs.mkdirSync(path.join(modules, "@types"), {recursive: true});
  fs.symlinkSync(bindings, path.join(modules, "webnn"));
  for (const name of ["@types/node", "undici-types"])
    if (types.length > 0) fs.symlinkSync(path.join(clients, "node_modules", name), path.join(modules, name));
  fs.copyFileSync(fileURLToPath(new URL("types.ts", import.meta.url)), path.join(folder, "types.ts"));
  fs.writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({compilerOptions, files: ["types.ts"]}));
  const compiler = path.join(clients, "node_modules/typescript/lib/tsc.js");
  const {status, stdout} = spawnSync(process.execPath, [compiler, "--project", folder], {encoding: "utf8"});
  assert.equal(status, 0, stdout);
}

if (clients) {
  await test("TypeScript for Node.js takes them, and refuses what is marked as wrong", () => compile(["es2022"], ["node"]));
  await test("TypeScript for browsers does, too", () => compile(["es2022", "dom"], []));
}

finish();
