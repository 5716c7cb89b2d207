// At what share of the machine's limits a network runs: what `webnn-cli profile` says of it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The sum of the steps' limits divided by the time of a run; the limits are measured right before. */
export async function shareOfLimits(tool, file, threads, seconds) {
  const { stdout } = await promisify(execFile)(tool, ["profile", file, "--fill", "random", "--threads", String(threads),
    "--time", `${seconds}s`, "--output-format", "json"], { maxBuffer: 2 ** 28 });
  const { limitNanoseconds, plainRunNanoseconds } = JSON.parse(stdout);
  return limitNanoseconds / plainRunNanoseconds;
}
