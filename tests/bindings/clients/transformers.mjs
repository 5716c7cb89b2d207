// Transformers.js, unmodified, by its own seam for another ONNX Runtime: ONNX Runtime Web, whose WebNN provider runs on our
// addon. Its pipelines give what they give with the provider for CPUs, in WebAssembly.
//   node transformers.mjs CLIENTS MODELS WEBNN_CLI     MODELS has tiny_bert.json and mobilenet_v2.json (models/generate)
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {pathToFileURL} from "node:url";
import "../../../bindings/node/lib/global.js";
import {assert, finish, test} from "../node/check.mjs";
import {counted, difference, fileOf, importFrom, onnxRuntimeWeb, randomNumbers} from "./clients.mjs";

const [clients, models, cli] = process.argv.slice(2);
const ort = await onnxRuntimeWeb(clients);
// In Node.js it names the model's file, which ONNX Runtime Web would fetch as from a server.
const read = (model) => (typeof model === "string" ? fs.readFileSync(model) : model);
const create = (model, options) => ort.InferenceSession.create(read(model), options);
globalThis[Symbol.for("onnxruntime")] = {...ort, InferenceSession: {create}};
ort.env.wasm.wasmPaths = `${pathToFileURL(fileOf(clients, "onnxruntime-web/dist"))}/`;  // otherwise it would be fetched
const {env, pipeline, RawImage} = await importFrom(clients, "@huggingface/transformers");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "webnn-transformers-"));
process.on("exit", () => fs.rmSync(folder, {recursive: true}));
Object.assign(env, {allowRemoteModels: false, localModelPath: folder});
const dispatches = counted(MLContext.prototype, "dispatch");

/** Writes a model as Hugging Face's repositories have it. `rename` gives other names to the graph's inputs. */
function writeModel(name, graphFile, files, rename = {}) {
  const to = path.join(folder, name);
  fs.mkdirSync(path.join(to, "onnx"), {recursive: true});
  for (const [file, content] of Object.entries(files)) fs.writeFileSync(path.join(to, file), JSON.stringify(content));
  const graph = path.join(models, `${name}-renamed.json`);
  let text = fs.readFileSync(path.join(models, graphFile), "utf8");
  for (const [from, other] of Object.entries(rename)) text = text.replaceAll(`"${from}"`, `"${other}"`);
  fs.writeFileSync(graph, text);
  execFileSync(cli, ["convert", graph, "--weights-file", path.join(models, graphFile.replace(".json", ".weights")), "-o",
                     path.join(to, "onnx/model.onnx")]);
}

const words = "a small graph of operators runs outside browsers too and gives equal numbers .".split(" ");
const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
const token = (id) => ({SpecialToken: {id, type_id: 0}}), sequence = (id) => ({Sequence: {id, type_id: 0}});
writeModel("tiny_bert", "tiny_bert.json", {
  "config.json": {model_type: "bert", architectures: ["BertModel"], hidden_size: 64, num_attention_heads: 2, vocab_size: 1000},
  "tokenizer_config.json": {tokenizer_class: "BertTokenizer", model_max_length: 16, pad_token: "[PAD]", unk_token: "[UNK]"},
  "tokenizer.json": {
    version: "1.0",
    added_tokens: special.map((content, id) => ({id, content, special: true})),
    normalizer: {type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true},
    pre_tokenizer: {type: "BertPreTokenizer"},
    post_processor: {
      type: "TemplateProcessing",
      single: [token("[CLS]"), sequence("A"), token("[SEP]")],
      pair: [token("[CLS]"), sequence("A"), token("[SEP]"), sequence("B"), token("[SEP]")],
      special_tokens: {"[CLS]": {id: "[CLS]", ids: [2], tokens: ["[CLS]"]}, "[SEP]": {id: "[SEP]", ids: [3], tokens: ["[SEP]"]}},
    },
    decoder: {type: "WordPiece", prefix: "##", cleanup: true},
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries([...special, ...words].map((word, id) => [word, id])),
    },
  },
});
const names = Array.from({length: 1000}, (_, i) => `kind ${i}`);
writeModel("mobilenet_v2", "mobilenet_v2.json", {
  "config.json": {model_type: "mobilenet_v2", architectures: ["MobileNetV2ForImageClassification"], id2label: {...names}},
  "preprocessor_config.json": {
    image_processor_type: "MobileNetV2ImageProcessor",
    do_resize: false,
    do_rescale: true,
    rescale_factor: 1 / 255,
    do_normalize: true,
    image_mean: [0.5, 0.5, 0.5],
    image_std: [0.5, 0.5, 0.5],
  },
}, {image: "pixel_values"});

/** The result of a pipeline with the provider, and how many dispatches it took. */
async function resultOf(task, model, input, provider) {
  const run = await pipeline(task, model, {device: "auto", dtype: "fp32", session_options: {executionProviders: [provider]}});
  const before = dispatches.calls, result = await run(input);
  await run.dispose();
  return [result, dispatches.calls - before];
}
const providers = [{name: "webnn", deviceType: "cpu"}, "wasm"];

await test("feature extraction", async () => {
  const [[ours, runs], [theirs]] =
      [await resultOf("feature-extraction", "tiny_bert", words.join(" "), providers[0]),
       await resultOf("feature-extraction", "tiny_bert", words.join(" "), providers[1])];
  assert.equal(runs, 1);
  assert.deepEqual(ours.dims, [1, words.length + 2, 64]);
  assert.ok(difference(ours.data, theirs.data) <= 1e-4);
  assert.ok(ours.data.some((number) => Math.abs(number) > 0.1));
});

await test("image classification", async () => {
  const random = randomNumbers(), size = 224;
  const image = new RawImage(Uint8ClampedArray.from({length: size * size * 3}, () => random() * 256), size, size, 3);
  const [[ours, runs], [theirs]] = [await resultOf("image-classification", "mobilenet_v2", image, providers[0]),
                                    await resultOf("image-classification", "mobilenet_v2", image, providers[1])];
  assert.equal(runs, 1);
  assert.equal(ours.length, 5);
  assert.deepEqual(ours.map(({label}) => label), theirs.map(({label}) => label));
  assert.ok(difference(ours.map(({score}) => score), theirs.map(({score}) => score)) <= 1e-4);
});

finish();
process.exit();  // its WebAssembly keeps the process alive
