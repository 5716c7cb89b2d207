// What may run beside a measurement, and how a measured process may be held.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const busy = "for (;;);";
// Four fifths of a core, as something that wakes up often.
const light = `const wait = new Int32Array(new SharedArrayBuffer(4));
for (;;) { const end = performance.now() + 4; while (performance.now() < end); Atomics.wait(wait, 0, 0, 1); }`;

/** Ways of running, by name: the programs beside, and what holds the measured process. */
export const settings = {
  alone: { beside: [] },
  light: { beside: [light] },
  busy1: { beside: [busy] },
  busy2: { beside: [busy, busy] },
  pinned: { beside: [], hold: () => ["taskset", "-c", "0"] },
  quota: { beside: [], hold: quotaOf(1.5) },
};

/** Starts the programs beside; returns what ends them. */
export async function startLoad(setting) {
  const processes = setting.beside.map((program) => spawn(process.execPath, ["-e", program], { stdio: "ignore" }));
  if (processes.length) await new Promise((resolve) => setTimeout(resolve, 300));
  return async () => {
    await Promise.all(processes.map((process) => new Promise((resolve) => {
      process.on("close", resolve);
      process.kill();
    })));
  };
}

/** A control group with a quota of so many processors, of version 2 or 1: the words before a command that run it
 *  there; null where none can be made. */
function quotaOf(processors) {
  const period = 100000;
  const versions = [
    { root: "/sys/fs/cgroup", needs: "cgroup.controllers", write: [["cpu.max", `${processors * period} ${period}`]] },
    {
      root: "/sys/fs/cgroup/cpu",
      needs: "cpu.cfs_quota_us",
      write: [["cpu.cfs_period_us", `${period}`], ["cpu.cfs_quota_us", `${processors * period}`]],
    },
  ];
  return () => {
    for (const { root, needs, write } of versions) {
      if (!fs.existsSync(path.join(root, needs))) continue;
      const group = path.join(root, `webnn-benchmark-${process.pid}`);
      try {
        fs.mkdirSync(group, { recursive: true });
        for (const [file, text] of write) fs.writeFileSync(path.join(group, file), text);
        process.once("exit", () => fs.rmdirSync(group));
        return ["sh", "-c", `echo $$ > ${group}/cgroup.procs && exec "$@"`, "sh"];
      } catch {
        continue; // not allowed here
      }
    }
    return null;
  };
}
