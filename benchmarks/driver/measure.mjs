// Runs one graph in all runtimes, taking turns, so that a machine that becomes slower does so for all of them.
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "./worker.mjs";

const settle = 50; // milliseconds after which the threads of the other runtime sleep

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = Math.floor(place);
  return sorted[low] + (sorted[Math.ceil(place)] - sorted[low]) * (place - low);
}
export const median = (values) => quantile(values, 0.5);

/** A runtime: how its process is started and which of a model's files it takes.
 *  @typedef {{name: string, command: string[], environment: object, file: (model) => string}} Runtime */

/** A fresh process that has run once. */
async function start(runtime, model, threads, inputs) {
  const worker = new Worker(runtime.name, runtime.command, runtime.environment);
  try {
    await worker.ask({ do: "hello" });
    const before = worker.memory("VmRSS");
    const loaded = await worker.ask({ do: "load", model: runtime.file(model), threads });
    await worker.ask({ do: "bind", inputs: inputs(loaded.inputs) });
    const [first] = (await worker.ask({ do: "run", count: 1 })).nanoseconds;
    return { worker, before, descriptions: loaded, first, startup: loaded.nanoseconds + first };
  } catch (error) {
    await worker.end();
    throw error;
  }
}

/** Milliseconds from the model file to the first outputs in a fresh process: the median of `count`. */
export async function startup(runtime, model, threads, count, inputs) {
  const times = [];
  for (let i = 0; i < count; ++i) {
    const { worker, startup: nanoseconds } = await start(runtime, model, threads, inputs);
    await worker.end();
    times.push(nanoseconds / 1e6);
  }
  return median(times);
}

/** One runtime's part of a measurement. */
class Side {
  constructor(runtime) {
    this.runtime = runtime;
    this.startups = [];
    this.rounds = []; // nanoseconds of each run, by round
    this.idle = { processor: 0, wall: 0 }; // seconds while the others had their turns
  }

  async start(model, threads, inputs) {
    if (this.worker) await this.worker.end();
    Object.assign(this, await start(this.runtime, model, threads, inputs));
    this.startups.push(this.startup);
  }

  async run(count) {
    return (await this.worker.ask({ do: "run", count })).nanoseconds;
  }

  /** Runs once with other inputs and writes the outputs to files. */
  async compute(inputs, outputs) {
    await this.worker.ask({ do: "bind", inputs });
    await this.run(1);
    await this.worker.ask({ do: "read", outputs });
  }

  /** Runs until times are steady; decides how many runs a round has. */
  async warmUp(seconds, secondsOfRound) {
    let last = this.first;
    for (let spent = 0; spent < seconds * 1e9 || spent === 0; spent += last) [last] = await this.run(1);
    this.count = Math.max(1, Math.min(1000, Math.round((secondsOfRound * 1e9) / last)));
  }

  result() {
    const runs = this.rounds.flat();
    return {
      milliseconds: median(runs) / 1e6,
      low: quantile(runs, 0.1) / 1e6,
      high: quantile(runs, 0.9) / 1e6,
      runs: runs.length,
      startupMilliseconds: median(this.startups) / 1e6,
      memoryBytes: this.worker.memory("VmHWM") - this.before,
      idleShare: this.idle.wall > 0 ? this.idle.processor / this.idle.wall : 0,
    };
  }
}

/** @param settings {starts, rounds, secondsOfRound, secondsOfWarmUp, samples}
 *  @param inputs (descriptions, sample) => {name: file} @param read (runtime, outputs, sample) => {name: file}
 *  @returns for each runtime: milliseconds (median, low and high decile), runs, start-up, memory; the ratios of rounds; for
 *  each sample (inputs of their own) the files of each runtime's outputs */
export async function measure(runtimes, model, threads, settings, inputs, read) {
  const sides = runtimes.map((runtime) => new Side(runtime));
  try {
    const first = (descriptions) => inputs(descriptions, 0);
    for (let i = 0; i < settings.starts; ++i) for (const side of sides) await side.start(model, threads, first);
    for (const side of sides) await side.warmUp(settings.secondsOfWarmUp, settings.secondsOfRound);
    for (let round = 0; round < settings.rounds; ++round) {
      for (const side of round % 2 ? [...sides].reverse() : sides) {
        await sleep(settle);
        const others = sides.filter((other) => other !== side);
        const before = others.map((other) => other.worker.processorSeconds());
        const begin = performance.now();
        side.rounds.push(await side.run(side.count));
        const wall = (performance.now() - begin) / 1000;
        others.forEach((other, i) => {
          other.idle.processor += other.worker.processorSeconds() - before[i];
          other.idle.wall += wall;
        });
      }
    }
    const results = sides.map((side) => side.result());
    const samples = [];
    for (let sample = 0; sample < settings.samples; ++sample) {
      const files = inputs(sides[0].descriptions.inputs, sample);
      const outputs = sides.map((side) => read(side.runtime, side.descriptions.outputs, sample));
      for (const [i, side] of sides.entries()) await side.compute(files, outputs[i]);
      samples.push({ inputs: files, outputs });
    }
    const ratios = sides[0].rounds.map((_, round) => median(sides[1].rounds[round]) / median(sides[0].rounds[round]));
    return { results, descriptions: sides[0].descriptions.outputs, samples, ratios };
  } finally {
    for (const side of sides) if (side.worker) await side.worker.end();
  }
}
