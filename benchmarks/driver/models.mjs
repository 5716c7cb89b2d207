// The graphs of a run: generated ones and, with a corpus, trained ones; each also as ONNX.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** @typedef {{name: string, file: string, onnx: string}} Model */

const isGraph = (file) => file.endsWith(".json") && !file.endsWith(".manifest.json");

function generatedModels(bin, folder) {
  const stamp = path.join(folder, "generated");
  const generator = path.join(bin, "generate-models");
  if (!fs.existsSync(stamp) || fs.statSync(stamp).mtimeMs < fs.statSync(generator).mtimeMs) {
    execFileSync(generator, ["--out", folder], { stdio: ["ignore", "ignore", "inherit"] });
    fs.writeFileSync(stamp, "");
  }
  return fs.readdirSync(folder).filter(isGraph).map((file) => ({
    name: path.basename(file, ".json"),
    file: path.join(folder, file),
  }));
}

/** Real models with trained weights: FOLDER/NAME/NAME.json. */
function trainedModels(corpus) {
  const folder = path.join(corpus, "models");
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder)
    .map((name) => ({ name: `trained/${name}`, file: path.join(folder, name, `${name}.json`) }))
    .filter(({ file }) => fs.existsSync(file));
}

/** All graphs, sorted by size of the file with the weights, so that quick ones come first. */
export function findModels(bin, cache, corpus) {
  const models = generatedModels(bin, path.join(cache, "models"));
  if (corpus) models.push(...trainedModels(corpus));
  const weight = ({ file }) => {
    const weights = file.replace(/\.json$/, ".weights");
    return fs.existsSync(weights) ? fs.statSync(weights).size : 0;
  };
  return models.sort((a, b) => weight(a) - weight(b) || a.name.localeCompare(b.name));
}

/** Runs the tool on a model's file when the file or the tool is newer than what it made. */
function made(bin, model, output, ...words) {
  const tool = path.join(bin, "webnn-cli");
  const newest = Math.max(fs.statSync(model.file).mtimeMs, fs.statSync(tool).mtimeMs);
  if (!fs.existsSync(output) || fs.statSync(output).mtimeMs < newest) {
    fs.mkdirSync(path.dirname(output), { recursive: true });
    const [command, ...others] = words;
    execFileSync(tool, [command, model.file, "-o", output, "--force", ...others], { stdio: ["ignore", "ignore", "pipe"] });
  }
  return output;
}

/** The ONNX form. Weights lie in a file of their own, which ONNX Runtime maps. */
export function exportOnnx(bin, cache, model) {
  const onnx = path.join(cache, "onnx", model.name.replaceAll("/", "."), "model.onnx");
  return made(bin, model, onnx, "convert", "--weights", "external");
}

/** The program of the graph, which starts without being compiled. */
export function compileProgram(bin, cache, model) {
  return made(bin, model, path.join(cache, "programs", `${model.name.replaceAll("/", ".")}.wnnc`), "compile");
}
