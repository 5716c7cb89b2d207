// Checks of benchmarks/driver: node driver_check.mjs SCRATCH_FOLDER WORKER MODEL INPUT EXPECTED
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { measure, quantile, startup } from "../../benchmarks/driver/measure.mjs";
import { exceedsErrorBar, geometricMean, printErrorBar, printHead, printMeans, printResult } from "../../benchmarks/driver/report.mjs";
import { shareOfLimits } from "../../benchmarks/driver/limits.mjs";
import { largestDifference, outputFiles, writeInputs } from "../../benchmarks/driver/tensors.mjs";
import { Worker } from "../../benchmarks/driver/worker.mjs";

const [scratch, program, model, inputFile, expectedFile] = process.argv.slice(2);
const stub = path.join(path.dirname(fileURLToPath(import.meta.url)), "stub_worker.mjs");
const log = path.join(scratch, "turns");

const runtime = (name, milliseconds) => ({
  name,
  command: [process.execPath, stub, String(milliseconds), log],
  environment: {},
  file: (model) => model.file,
});
const settings = { starts: 2, rounds: 4, secondsOfRound: 0.02, secondsOfWarmUp: 0.01, samples: 2 };

async function checkTurns() {
  const inputs = [];
  const folderOf = (sample) => path.join(scratch, "stub", String(sample));
  const measured = await measure(
    [runtime("a", 2), runtime("b", 5)], { file: "model" }, 1, settings,
    (descriptions, sample) => (inputs[sample] ??= writeInputs(folderOf(sample), descriptions, sample)),
    (runtime, outputs, sample) => outputFiles(folderOf(sample), outputs, runtime.name),
  );
  const [a, b] = measured.results;
  assert.equal(a.milliseconds, 2);
  assert.equal(b.milliseconds, 5);
  assert.equal(a.runs, 40); // 10 fill a round
  assert.equal(b.runs, 16);
  assert.equal(a.startupMilliseconds, 7);
  assert.deepEqual(measured.ratios, [2.5, 2.5, 2.5, 2.5]);
  assert.ok(a.memoryBytes >= 0 && a.memoryBytes < 2 ** 30);
  // Two starts of both, warming up, then rounds whose order turns around, then both samples.
  const turns = fs.readFileSync(log, "utf8").trim().split("\n");
  assert.deepEqual(turns.slice(0, 4), ["2 1", "5 1", "2 1", "5 1"]);
  assert.deepEqual(turns.slice(-12, -4), ["2 10", "5 4", "5 4", "2 10", "2 10", "5 4", "5 4", "2 10"]);
  assert.deepEqual(turns.slice(-4), ["2 1", "5 1", "2 1", "5 1"]);
  assert.equal(await startup(runtime("c", 3), { file: "model" }, 1, 3, () => inputs[0]), 8);
  assert.equal(measured.samples.length, 2);
  const read = (sample) => fs.readFileSync(Object.values(measured.samples[sample].inputs)[0]);
  assert.notDeepEqual(read(0), read(1));
  for (const { outputs: [ours, others] } of measured.samples)
    assert.equal(largestDifference(measured.descriptions, ours, null, others, null), 0.6); // |2 - 5| / 5
}

async function checkErrors() {
  await assert.rejects(
    measure([runtime("a", 2)], { file: "broken" }, 1, settings, () => ({}), () => ({})), /a: the model is broken/);
  const dead = new Worker("dead", [process.execPath, "-e", "process.exit(3)"]);
  await assert.rejects(dead.ask({ do: "hello" }), /dead (ended early|has ended)/);
}

function checkNumbers() {
  assert.equal(quantile([4, 1, 3, 2], 0.5), 2.5);
  assert.equal(quantile([7], 0.9), 7);
  assert.equal(geometricMean([2, 8]), 4);
  const inputs = [{ name: "x", dataType: "float32", shape: [1000] }, { name: "i", dataType: "int64", shape: [] }];
  const first = writeInputs(path.join(scratch, "one"), inputs), second = writeInputs(path.join(scratch, "two"), inputs);
  for (const name of ["x", "i"]) assert.deepEqual(fs.readFileSync(first[name]), fs.readFileSync(second[name]));
  const values = new Float32Array(new Uint8Array(fs.readFileSync(first.x)).buffer);
  const mean = values.reduce((sum, value) => sum + value, 0) / 1000;
  assert.ok(Math.abs(mean) < 0.1 && Math.max(...values) < 6 && values.every((value) => Math.abs(value) > 1e-30));
  fs.writeFileSync(path.join(scratch, "nan"), new Uint8Array(new Float32Array(1000).fill(NaN).buffer));
  assert.equal(largestDifference([inputs[0]], { x: path.join(scratch, "nan") }, null, first, null), Infinity);
}

function checkTable() {
  const lines = [];
  const print = (line) => lines.push(line.trimEnd());
  const side = { milliseconds: 12.3456, startupMilliseconds: 250, programStartupMilliseconds: 50, shareOfLimits: 0.875,
    error: 1.5e-7, memoryBytes: 5 * 2 ** 20 };
  printHead(print);
  printResult(print, { model: "m", threads: 2, webnn: side, peer: { ...side, error: null }, ratio: 1, ratioLow: 0.9,
    ratioHigh: 1.1 });
  printMeans(print, [{ threads: 2, ratio: 1, programStartup: 0.25, models: 1 }]);
  assert.match(lines[2], /^m +2 +12\.3 +12\.3 +1\.00 +0\.90-1\.10 +88 % +250 +50 +250 +1\.5e-7 +- +- +5 +5$/);
  assert.match(lines[3], /^geometric mean of 1 +2 +1\.00$/);
  assert.match(lines[4], /^start-up, from programs +2 +0\.25$/);
  assert.equal(lines[1].length, lines[2].length);
}

function checkErrorBar() {
  const result = (model, dataType, ours, theirs) =>
    ({ model, dataType, threads: 1, webnn: { error: ours }, peer: { error: theirs } });
  const above = result("m", "float32", 6e-7, 3e-7);
  const others = [
    result("smaller", "float32", 3e-7, 6e-7),
    result("below 2 ULP", "float32", 2e-7, 1e-7),
    result("below 2 ULP of float16", "float16", 1e-3, 1e-4),
    result("m_int8", "float32", 6e-3, 3e-3),
    result("unknown", "float32", null, 3e-7),
    result("whole numbers", "int32", 6e-3, 3e-3),
  ];
  assert.deepEqual([above, ...others].map(exceedsErrorBar), [true, ...others.map(() => false)]);
  const lines = [];
  assert.equal(printErrorBar((line) => lines.push(line), [above, ...others]), false);
  assert.deepEqual(lines, ["m, threads 1: the error is 2.00 times ONNX Runtime's"]);
  assert.equal(printErrorBar((line) => lines.push(line), others), true);
}

/** The tool's own worker, on a real model. */
async function checkWorker() {
  const worker = new Worker("webnn", [program]);
  await assert.rejects(worker.ask({ do: "run", count: 1 }), /nothing is loaded/);
  await assert.rejects(worker.ask({ do: "load", model: path.join(scratch, "absent.json"), threads: 1 }), /absent\.json/);
  const { inputs, outputs } = await worker.ask({ do: "load", model, threads: 2 });
  assert.deepEqual(inputs, [{ name: "image", dataType: "float32", shape: [1, 1, 20, 20] }]);
  assert.deepEqual(outputs, [{ name: "probabilities", dataType: "float32", shape: [1, 10] }]);
  const withoutHeader = (file, bytes) => {
    const to = path.join(scratch, path.basename(file) + ".bytes");
    fs.writeFileSync(to, fs.readFileSync(file).subarray(-bytes));
    return to;
  };
  await worker.ask({ do: "bind", inputs: { image: withoutHeader(inputFile, 1600) } });
  assert.equal((await worker.ask({ do: "run", count: 3 })).nanoseconds.length, 3);
  const files = { probabilities: path.join(scratch, "probabilities") };
  await worker.ask({ do: "read", outputs: files });
  const expected = { probabilities: withoutHeader(expectedFile, 40) };
  assert.ok(largestDifference(outputs, files, null, expected, null) < 1e-5);
  await worker.end();
}

await checkTurns();
await checkErrors();
checkNumbers();
checkTable();
checkErrorBar();
await checkWorker();
const share = await shareOfLimits(path.join(path.dirname(program), "webnn-cli"), model, 1, 0.05);
assert.ok(share > 0 && share < 10, String(share));
