// Runs the Web Platform Tests of WebNN:
//   node run.mjs TESTS [--device cpu|gpu] [--only TEXT] [--jobs N]
// TESTS is the folder that has webnn/ and resources/. Prints what fails against expected.txt, and closing counts; the status
// is 1 when something fails that is not expected, or an expected failure passes.
import {execFile} from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import {fileURLToPath} from "node:url";
import {parseArgs} from "node:util";

const here = path.dirname(fileURLToPath(import.meta.url));
const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {device: {type: "string", default: "cpu"}, only: {type: "string", default: ""}, jobs: {type: "string", default: "2"}},
});
const [tests] = positionals;

/** [file, search] of every test file on the device. */
function* runs() {
  const files = fs.readdirSync(path.join(tests, "webnn"), {recursive: true})
                    .map((file) => path.join("webnn", file)).filter((file) => file.endsWith(".any.js")).sort();
  for (const file of files) {
    if (!file.includes(values.only)) continue;
    const source = fs.readFileSync(path.join(tests, file), "utf8");
    const variants = [...source.matchAll(/^\/\/ META: variant=(.*)$/gm)].map((match) => match[1].trim());
    if (variants.length === 0) variants.push(`?${values.device}`);
    for (const search of variants)
      if (search === `?${values.device}` || search.endsWith(`device=${values.device}`)) yield [file, search];
  }
}

const run = ([file, search]) => new Promise((resolve) => {
  execFile(process.execPath, [path.join(here, "host.mjs"), tests, file, search], {maxBuffer: 1 << 28, timeout: 600_000},
           (error, out, errors) => {
             const lines = out.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
             const harness = lines.find((line) => line.harness) ??
                             {harness: "ERROR", message: `${error?.signal ?? error?.code ?? ""} ${errors}`};
             resolve({file, search, harness, subtests: lines.filter((line) => line.status)});
           });
});

/** "FILE: SUBTEST: MESSAGE" patterns with * for anything, of failures with a reason behind ` # `. */
function expectations() {
  return fs.readFileSync(path.join(here, "expected.txt"), "utf8").split("\n")
      .filter((line) => line && !line.startsWith("#")).map((line) => {
        const [pattern, reason] = line.split(" # ");
        const escaped = pattern.trim().split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
        return {pattern: pattern.trim(), reason, matches: new RegExp(`^${escaped.join(".*")}$`, "s"), count: 0};
      });
}

const expected = expectations(), queue = [...runs()];
let passed = 0, failed = 0, known = 0;
function judge({file, search, harness, subtests}) {
  const fail = (name, message) => {
    const row = expected.find((one) => one.matches.test(`${file}: ${name}: ${message}`));
    if (row) return void (++known, ++row.count);
    ++failed;
    console.log(`failed: ${file}${search}: ${name}: ${message}`);
  };
  if (harness.harness !== "OK") fail("harness", harness.message);
  if (subtests.length === 0 && harness.harness === "OK") fail("harness", "no subtest");
  for (const {name, status, message} of subtests)
    if (status === "PASS") ++passed;
    else if (status === "PRECONDITION_FAILED") ++known;
    else fail(name, message);
}

const worker = async () => {
  for (let next; (next = queue.shift());) judge(await run(next));
};
await Promise.all(Array.from({length: Number(values.jobs)}, worker));
if (values.only === "")
  for (const {pattern, count} of expected)
    if (count === 0) console.log(`expected to fail, but does not: ${pattern}`), ++failed;
console.log(`${known} expected failures`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
