// Runs one file of the Web Platform Tests, unchanged, with the genuine testharness.js in its shell mode:
//   node host.mjs TESTS FILE SEARCH      (FILE below the folder TESTS, SEARCH as in "?cpu")
// Prints a line of JSON for each subtest, {name, status, message}, and a last one, {harness, message}.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import "../../../bindings/node/lib/global.js";

const [tests, file, search] = process.argv.slice(2);

globalThis.self = globalThis;
globalThis.location = {search, pathname: `/${file}`, href: `https://web-platform.test/${file}${search}`};
globalThis.crossOriginIsolated = true;  // SharedArrayBuffer is there
globalThis.GLOBAL = {isWindow: () => true, isWorker: () => false, isShadowRealm: () => false};
globalThis.fetch = async (url) => {
  const place = path.join(tests, new URL(url, globalThis.location.href).pathname);
  const found = fs.existsSync(place);
  const text = async () => fs.readFileSync(place, "utf8");
  return {ok: found, status: found ? 200 : 404, text, json: async () => JSON.parse(await text())};
};

// The tests use what Node.js has from 22 on.
Set.prototype.difference ??= function (other) {
  return new Set([...this].filter((item) => !other.has(item)));
};
ArrayBuffer.prototype.transfer ??= function () {
  return structuredClone(this, {transfer: [this]});
};

if (!("detached" in ArrayBuffer.prototype)) {
  const get = function () {
    try {
      return !new Uint8Array(this);
    } catch {
      return true;
    }
  };
  Object.defineProperty(ArrayBuffer.prototype, "detached", {get, configurable: true});
}

// As the tests' server maps them.
const served = {"/resources/WebIDLParser.js": "resources/webidl2/lib/webidl2.js"};
const placeOf = (script) =>
    path.join(tests, served[script] ?? (script.startsWith("/") ? script : path.join(path.dirname(file), script)));
function runScript(place) {
  vm.runInThisContext(fs.readFileSync(place, "utf8"), {filename: place});
}

runScript(path.join(tests, "resources/testharness.js"));
globalThis.Window = class Window {};  // for idlharness.js; before, testharness.js would take it for a page
const names = ["PASS", "FAIL", "TIMEOUT", "NOTRUN", "PRECONDITION_FAILED"];
const print = (line) => fs.writeSync(1, `${JSON.stringify(line)}\n`);
add_completion_callback((results, status) => {
  for (const {name, status: result, message} of results) print({name, status: names[result], message});
  print({harness: status.status === 0 ? "OK" : "ERROR", message: status.message});
  process.exit(0);
});
process.on("uncaughtException", (error) => {
  print({harness: "ERROR", message: String(error?.stack ?? error)});
  process.exit(1);
});
const source = fs.readFileSync(path.join(tests, file), "utf8");
for (const [, script] of source.matchAll(/^\/\/ META: script=(.*)$/gm)) runScript(placeOf(script.trim()));
runScript(path.join(tests, file));
