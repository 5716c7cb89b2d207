// What a result is worth only together with: the machine, and the versions of everything that ran.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** Features of a processor that decide which kernels run. */
const features = [
  "avx2", "fma", "f16c", "avx_vnni", "avx512f", "avx512bw", "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_tile",
  "amx_bf16", "amx_int8",
];

function output(command, ...words) {
  try {
    return execFileSync(command, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "unknown";
  }
}

export function describeMachine(root, cache) {
  const flags = new Set(/^flags\s*: (.*)$/m.exec(fs.readFileSync("/proc/cpuinfo", "utf8"))?.[1].split(" "));
  const peer = JSON.parse(fs.readFileSync(path.join(cache, "node_modules/onnxruntime-node/package.json"), "utf8"));
  const changed = output("git", "-C", root, "status", "--porcelain", "--untracked-files=no") !== "";
  return {
    processor: os.cpus()[0].model,
    cores: os.cpus().length,
    features: features.filter((feature) => flags.has(feature)),
    memoryBytes: os.totalmem(),
    kernel: os.release(),
    load: os.loadavg()[0],
    compiler: output("c++", "--version").split("\n")[0],
    node: process.version,
    onnxruntime: peer.version,
    commit: output("git", "-C", root, "rev-parse", "HEAD") + (changed ? " with changes" : ""),
    date: new Date().toISOString().slice(0, 10),
  };
}
