// The driver of `benchmarks/run`: finds the models, measures each in both runtimes, prints a table, writes it as JSON.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine } from "./machine.mjs";
import { shareOfLimits } from "./limits.mjs";
import { measure, startup } from "./measure.mjs";
import { compileProgram, exportOnnx, findModels } from "./models.mjs";
import { oracleOutputs } from "./oracle.mjs";
import { geometricMean, printErrorBar, printHead, printMeans, printResult } from "./report.mjs";
import { largestDifference, outputFiles, writeInputs } from "./tensors.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../..");

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(2);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        bin: { type: "string" },
        cache: { type: "string" },
        models: { type: "string" },
        threads: { type: "string", default: os.cpus().length > 1 ? "1,2" : "1" },
        oracle: { type: "string", default: "120" },
        output: { type: "string" },
        programs: { type: "boolean", default: false },
        quick: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    return fail(error.message);
  }
}

const options = readOptions();
const threadCounts = options.threads.split(",").map(Number);
if (!threadCounts.every((threads) => Number.isInteger(threads) && threads > 0))
  fail(`--threads takes positive numbers with commas between, not '${options.threads}'`);
if (options.oracle !== "off" && !(Number(options.oracle) > 0))
  fail(`--oracle takes a number of seconds or off, not '${options.oracle}'`);

const settings = options.quick
  ? { starts: 1, rounds: 4, secondsOfRound: 0.1, secondsOfWarmUp: 0.1, secondsOfProfile: 0.3, samples: 4 }
  : { starts: 3, rounds: 12, secondsOfRound: 0.4, secondsOfWarmUp: 0.5, secondsOfProfile: 2, samples: 4 };

const { bin, cache } = options;
const runtimes = [
  { name: "webnn", command: [path.join(bin, "benchmark-worker")], environment: {}, file: (model) => (options.programs ? model.program : model.file) },
  {
    name: "onnxruntime",
    command: [process.execPath, path.join(here, "onnxruntime_worker.mjs"), cache],
    environment: {},
    file: (model) => model.onnx,
  },
];
const fromProgram = { ...runtimes[0], file: (model) => model.program };
const idleLimit = 0.05;

function chosenModels() {
  const models = findModels(bin, cache, process.env.WEBNN_CORPUS);
  if (!options.models) return models;
  return options.models.split(",").map((name) => {
    const model = models.find((candidate) => candidate.name === name);
    if (!model) fail(`there is no model '${name}', but ${models.map((m) => m.name).join(", ")}`);
    return model;
  });
}

const rounded = (value) => Number(value.toPrecision(4));

/** The errors of each runtime: means over the samples. Null without the outputs in double precision. */
async function meanErrors(model, descriptions, samples, folderOf) {
  const sums = [0, 0];
  for (const [sample, { inputs, outputs }] of samples.entries()) {
    const oracle = await oracleOutputs(path.join(bin, "benchmark-oracle"), folderOf(sample), model, inputs, descriptions,
      Number(options.oracle));
    if (typeof oracle === "string") {
      console.error(`${model.name}: no errors, ${oracle}`);
      return [null, null];
    }
    outputs.forEach((files, i) => (sums[i] += largestDifference(descriptions, files, null, oracle, "float64")));
  }
  return sums.map((sum) => sum / samples.length);
}

/** One row of the table. */
async function measureModel(model, threads) {
  const folder = path.join(cache, "runs", model.name.replaceAll("/", "."));
  const folderOf = (sample) => (sample === 0 ? folder : path.join(folder, String(sample)));
  const inputs = [];
  const { results, descriptions, samples, ratios } = await measure(
    runtimes, model, threads, { ...settings, samples: options.oracle === "off" ? 1 : settings.samples },
    (inputDescriptions, sample) => (inputs[sample] ??= writeInputs(folderOf(sample), inputDescriptions, sample)),
    (runtime, outputDescriptions, sample) => outputFiles(folderOf(sample), outputDescriptions, runtime.name),
  );
  const [webnn, peer] = results;
  webnn.programStartupMilliseconds = rounded(await startup(fromProgram, model, threads, settings.starts, () => inputs[0]));
  webnn.shareOfLimits = rounded(await shareOfLimits(path.join(bin, "webnn-cli"), model.file, threads, settings.secondsOfProfile));
  const difference = largestDifference(descriptions, samples[0].outputs[0], null, samples[0].outputs[1], null);
  const errors = options.oracle === "off" ? [null, null] : await meanErrors(model, descriptions, samples, folderOf);
  for (const [i, result] of results.entries()) {
    if (result.idleShare > idleLimit)
      console.error(`${model.name}: ${runtimes[i].name} took ${(result.idleShare * 100).toFixed(0)} % of a core while waiting`);
    for (const key of ["milliseconds", "low", "high", "startupMilliseconds", "idleShare"]) result[key] = rounded(result[key]);
    result.error = errors[i] === null ? null : rounded(errors[i]);
  }
  return {
    model: model.name,
    dataType: descriptions[0].dataType,
    samples: errors[0] === null ? 0 : samples.length,
    threads,
    webnn,
    peer,
    ratio: rounded(peer.milliseconds / webnn.milliseconds),
    ratioLow: rounded(Math.min(...ratios)),
    ratioHigh: rounded(Math.max(...ratios)),
    difference: rounded(difference),
  };
}

async function main() {
  const models = chosenModels();
  if (options.list) return models.forEach(({ name }) => console.log(name));
  const machine = describeMachine(root, cache);
  console.log(`${machine.processor}, ${machine.cores} cores; ONNX Runtime ${machine.onnxruntime}, node ${machine.node}; ` +
    `load ${machine.load.toFixed(1)}`);
  printHead(console.log);
  const results = [];
  for (const model of models) {
    try {
      model.onnx = exportOnnx(bin, cache, model);
      model.program = compileProgram(bin, cache, model);
      for (const threads of threadCounts) {
        results.push(await measureModel(model, threads));
        printResult(console.log, results.at(-1));
      }
    } catch (error) {
      console.error(`${model.name}: ${error.stderr?.toString().trim() || error.message}`);
      process.exitCode = 1;
    }
  }
  const means = threadCounts.flatMap((threads) => {
    const rows = results.filter((result) => result.threads === threads);
    if (rows.length === 0) return [];
    const mean = (value) => rounded(geometricMean(rows.map(value)));
    return [{
      threads,
      models: rows.length,
      ratio: mean((row) => row.ratio),
      programStartup: mean(({ webnn, peer }) => peer.startupMilliseconds / webnn.programStartupMilliseconds),
    }];
  });
  printMeans(console.log, means);
  if (!printErrorBar(console.error, results)) process.exitCode = 1;
  const output = options.output ?? path.join(cache, "results.json");
  fs.writeFileSync(output, JSON.stringify({ schema: "webnn-cli/benchmarks/1", machine, settings: { ...settings, programs: options.programs }, means, results }, null, 2) + "\n");
}

await main();
