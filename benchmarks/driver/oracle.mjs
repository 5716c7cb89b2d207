// Outputs in double precision, computed once for a graph and kept.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { outputFiles } from "./tensors.mjs";

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) if (fs.existsSync(file)) hash.update(fs.readFileSync(file));
  return hash.digest("hex");
}

/** {name: file} with float64 values, or a reason (a string) why there are none. */
export async function oracleOutputs(program, folder, model, inputs, outputs, seconds) {
  const files = outputFiles(folder, outputs, "float64");
  const stamp = path.join(folder, "oracle.of");
  const hash = hashOf([model.file, model.file.replace(/\.json$/, ".weights"), ...Object.values(inputs)]);
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === hash) return files;

  const child = spawn(program, [model.file, JSON.stringify(inputs), JSON.stringify(files)],
    { stdio: ["ignore", "ignore", "pipe"] });
  let message = "";
  child.stderr.on("data", (text) => (message += text));
  let late = false;
  const timer = setTimeout(() => (late = child.kill()), seconds * 1000);
  const code = await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  if (late) return `the oracle takes more than ${seconds} s (--oracle SECONDS allows more)`;
  if (code !== 0) return message.trim();
  fs.writeFileSync(stamp, hash);
  return files;
}
