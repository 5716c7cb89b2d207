// A process that answers requests, each a line of JSON, and what the kernel says about it.
import { spawn } from "node:child_process";
import fs from "node:fs";
import readline from "node:readline";

const ticksPerSecond = 100; // USER_HZ, the unit of /proc/PID/stat

export class Worker {
  /** @param name of the runtime, for messages @param command with its arguments */
  constructor(name, command, environment = {}) {
    this.name = name;
    this.process = spawn(command[0], command.slice(1), {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...environment },
    });
    this.waiting = [];
    readline.createInterface({ input: this.process.stdout }).on("line", (line) => this.waiting.shift()?.resolve(line));
    this.ended = new Promise((resolve) => this.process.on("close", resolve));
    this.process.on("error", () => this.fail());
    this.process.on("close", () => this.fail());
    this.process.stdin.on("error", () => {});
  }

  fail() {
    for (const { reject } of this.waiting.splice(0)) reject(new Error(`${this.name} ended early`));
  }

  /** Sends a request and waits for its answer; an answer that is an error throws. */
  async ask(request) {
    const line = await new Promise((resolve, reject) => {
      if (this.process.exitCode !== null) reject(new Error(`${this.name} has ended`));
      this.waiting.push({ resolve, reject });
      this.process.stdin.write(JSON.stringify(request) + "\n");
    });
    const answer = JSON.parse(line);
    if (answer.error !== undefined) throw new Error(`${this.name}: ${answer.error}`);
    return answer;
  }

  /** Bytes of "VmRSS" (now) or "VmHWM" (the most so far). */
  memory(field) {
    const status = fs.readFileSync(`/proc/${this.process.pid}/status`, "utf8");
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)[1]) * 1024;
  }

  /** Seconds of processor time that all its threads have used. */
  processorSeconds() {
    const stat = fs.readFileSync(`/proc/${this.process.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }

  async end() {
    this.process.stdin.end();
    await this.ended;
  }
}
