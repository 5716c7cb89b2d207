// The driver of `benchmarks/busy`: every model in every runtime, in turns, beside other work.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { settings, startLoad } from "./load.mjs";
import { describeMachine } from "./machine.mjs";
import { median, quantile } from "./measure.mjs";
import { exportOnnx, findModels } from "./models.mjs";
import { geometricMean } from "./report.mjs";
import { writeInputs } from "./tensors.mjs";
import { Worker } from "./worker.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../..");
const { values: options } = parseArgs({
  options: {
    bin: { type: "string" },
    cache: { type: "string" },
    former: { type: "string" },
    models: { type: "string" },
    settings: { type: "string", default: Object.keys(settings).join(",") },
    threads: { type: "string", default: "1,2" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "1" },
    "no-peer": { type: "boolean", default: false },
    output: { type: "string" },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const threadCounts = options.threads.split(",").map(Number);
if (!(rounds > 0) || !(seconds > 0) || !threadCounts.every((count) => Number.isInteger(count) && count > 0)) {
  console.error("error: --rounds, --seconds and --threads take positive numbers");
  process.exit(2);
}
const chosen = options.settings.split(",");
for (const name of chosen) {
  if (name in settings) continue;
  console.error(`error: there is no setting '${name}', but ${Object.keys(settings).join(", ")}`);
  process.exit(2);
}

const { bin, cache } = options;
const ours = (folder) => ({ command: [path.join(folder, "benchmark-worker")], file: (model) => model.file });
const runtimes = { webnn: ours(bin) };
if (options.former) runtimes.former = ours(options.former);
if (!options["no-peer"])
  runtimes.onnxruntime = {
    command: [process.execPath, path.join(here, "onnxruntime_worker.mjs"), cache],
    file: (model) => model.onnx,
  };

/** A process that has run for a moment, and how many runs take about `seconds`. */
async function start(runtime, hold, model, threads) {
  const worker = new Worker(runtime, [...hold, ...runtimes[runtime].command]);
  const loaded = await worker.ask({ do: "load", model: runtimes[runtime].file(model), threads });
  const folder = path.join(cache, "runs", model.name.replaceAll("/", "."));
  await worker.ask({ do: "bind", inputs: writeInputs(folder, loaded.inputs) });
  const { nanoseconds } = await worker.ask({ do: "run", count: 3 });
  return { runtime, threads, worker, count: Math.max(5, Math.round((seconds * 1e9) / median(nanoseconds))), rounds: [] };
}

const milliseconds = (nanoseconds) => Number((nanoseconds / 1e6).toPrecision(4));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of all runs; the mean is the median of the rounds'. */
function result({ runtime, threads, rounds: times }) {
  const all = times.flat();
  return {
    runtime,
    threads,
    mean: milliseconds(median(times.map(mean))),
    p50: milliseconds(median(all)),
    p99: milliseconds(quantile(all, 0.99)),
    max: milliseconds(all.reduce((most, value) => Math.max(most, value), 0)),
    runs: all.length,
  };
}

async function measure(model, name) {
  const setting = settings[name];
  const hold = setting.hold ? setting.hold() : [];
  if (hold === null) return null;
  const sides = [];
  try {
    // Started without the load, so that all have as many runs a round as they have time for alone.
    for (const runtime of Object.keys(runtimes))
      for (const threads of threadCounts) sides.push(await start(runtime, hold, model, threads));
    const end = await startLoad(setting);
    try {
      for (let round = 0; round < rounds; ++round)
        for (const side of round % 2 ? [...sides].reverse() : sides) {
          await sleep(50); // the threads of the one before go to sleep
          const limit = performance.now() + 4000 * seconds;
          const times = [];
          const portion = Math.max(1, Math.round(side.count / 10));
          while (times.length < side.count && performance.now() < limit)
            times.push(...(await side.worker.ask({ do: "run", count: portion })).nanoseconds);
          side.rounds.push(times);
        }
    } finally {
      await end();
    }
  } finally {
    for (const side of sides) await side.worker.end();
  }
  return sides.map(result);
}

function print(model, name, results) {
  for (const { runtime, threads, mean, p50, p99, max } of results)
    console.log([model.padEnd(26), name.padEnd(7), runtime.padEnd(12), threads, ...[mean, p50, p99, max].map((value) =>
      String(value).padStart(9))].join(" "));
}

/** The ratios that are asked for, over all models of a setting. */
function summary(name, rows) {
  const of = (row, runtime, threads) => row.results.find((one) => one.runtime === runtime && one.threads === threads);
  const ratios = (numerator, denominator, field) => rows.filter((row) => row.setting === name)
    .map((row) => [of(row, ...numerator)?.[field], of(row, ...denominator)?.[field]])
    .filter(([above, below]) => above && below).map(([above, below]) => above / below);
  const lines = [
    ["webnn: mean at 2 threads / at 1", ratios(["webnn", 2], ["webnn", 1], "mean")],
    ["mean at 2 threads: webnn / ONNX Runtime", ratios(["webnn", 2], ["onnxruntime", 2], "mean")],
    ["median at 1 thread: former / now", ratios(["former", 1], ["webnn", 1], "p50")],
    ["median at 2 threads: former / now", ratios(["former", 2], ["webnn", 2], "p50")],
    ["webnn: p99 / p50 at 2 threads", rows.filter((row) => row.setting === name)
      .map((row) => of(row, "webnn", 2)).filter(Boolean).map((one) => one.p99 / one.p50)],
  ];
  return lines.filter(([, values]) => values.length).map(([what, values]) => ({
    setting: name,
    what,
    geometricMean: Number(geometricMean(values).toPrecision(4)),
    least: Number(Math.min(...values).toPrecision(4)),
    greatest: Number(Math.max(...values).toPrecision(4)),
  }));
}

const models = findModels(bin, cache, process.env.WEBNN_CORPUS).filter(
  ({ name }) => !options.models || options.models.split(",").includes(name));
const rows = [];
console.log(`${"model".padEnd(26)} setting runtime   threads    mean       p50       p99       max   (milliseconds)`);
for (const model of models) {
  if (!options["no-peer"]) model.onnx = exportOnnx(bin, cache, model);
  for (const name of chosen) {
    try {
      const results = await measure(model, name);
      if (!results) {
        console.log(`${model.name} ${name}: left out, no control group can be made here`);
        continue;
      }
      rows.push({ model: model.name, setting: name, results });
      print(model.name, name, results);
    } catch (error) {
      console.error(`${model.name} ${name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
const summaries = chosen.flatMap((name) => summary(name, rows));
console.log("");
for (const { setting, what, geometricMean: value, least, greatest } of summaries)
  console.log(`${setting.padEnd(7)} ${what.padEnd(42)} ${value} (${least} to ${greatest})`);
const machine = options["no-peer"] ? { cores: os.cpus().length } : describeMachine(root, cache);
fs.writeFileSync(options.output ?? path.join(cache, "busy.json"),
  JSON.stringify({ schema: "webnn-cli/busy/1", machine, rounds, seconds, summaries, rows }, null, 2) + "\n");
