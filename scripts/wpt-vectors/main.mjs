// Turns the WebNN tests of the Web Platform Tests into vectors for `webnn-cli test`.
// usage: node scripts/wpt-vectors/main.mjs PATH_TO/webnn -o OUT_DIR [--verbose] [--without-vectors FILE]

import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {conformanceHooks} from './conformance.mjs';
import {Coverage} from './coverage.mjs';
import {fileText} from './json.mjs';
import {runPage, variantsOf} from './page.mjs';
import {runVectors} from './runs.mjs';
import {numbered, validationVectors} from './validation.mjs';

const USAGE = 'usage: node scripts/wpt-vectors/main.mjs PATH_TO/webnn -o OUT_DIR [--verbose] [--without-vectors FILE]';
const FOLDERS = ['conformance_tests', 'validation_tests'];
const SUFFIX = /(\.https)?(\.any|\.window)?\.js$/;
const WITHOUT_VECTORS = fileURLToPath(new URL('without-vectors.txt', import.meta.url));

/** What a test file gave: vectors of both kinds, and what could not be written. */
class Result {
  vectors = {conformance: [], validation: []};
  unwritten = new Map();  // reason -> how many
  stopped = [];
  declared = 0;  // tests

  add({tests, unwritten}, kind, what) {
    this.vectors[kind].push(...tests);
    for (const [reason, count] of unwritten) this.count(`${what} not written: ${reason}`, count);
  }
  count(reason, count) { this.unwritten.set(reason, (this.unwritten.get(reason) ?? 0) + count); }
}

async function convert(root, file) {
  const result = new Result(), seen = new Set();
  for (const variant of variantsOf(fs.readFileSync(file, 'utf8'))) {
    const hooks = conformanceHooks(result.vectors.conformance);
    const {recorder, machine, harness} = await runPage(root, file, variant, hooks);
    result.add(runVectors(machine), 'conformance', 'dispatches');
    result.add(validationVectors(recorder, seen), 'validation', 'calls');
    result.stopped.push(...harness.stopped);
    result.declared += harness.declared;
  }
  return result;
}

/** Converts every file of a folder of `root`; adds to `totals`. `note` takes lines for the curious. */
async function convertFolder(folder, {root, out, coverage, note}, totals) {
  const names = fs.readdirSync(path.join(root, folder)).filter((name) => SUFFIX.test(name)).sort();
  for (const name of names) {
    const source = `${folder}/${name}`;
    let result;
    try {
      result = await convert(root, path.join(root, source));
    } catch (error) {
      console.error(`${source}: not read: ${error.message}`);
      totals.unread += 1;
      continue;
    }
    for (const stopped of result.stopped) console.error(`${source}: '${stopped.name}' stops early: ${stopped.reason}`);
    for (const [reason, count] of result.unwritten) note(`${source}: ${count} ${reason}`);
    const complaint = coverage.complaint(source, result);
    if (complaint) console.error(`error: ${source}: ${complaint}`);
    if (complaint) totals.complaints += 1;
    for (const [reason, count] of result.unwritten) totals.count(reason, count);
    totals.stopped.push(...result.stopped);
    for (const [kind, vectors] of Object.entries(result.vectors)) {
      if (vectors.length === 0) continue;
      totals.vectors[kind].push(vectors.length);
      // Few files give both kinds; their second keeps clear of a file of the same name in the other folder.
      const stem = name.replace(SUFFIX, '') + (folder.startsWith(kind) ? '' : `-${folder.replace('_tests', '')}`);
      fs.writeFileSync(path.join(out, kind, `${stem}.json`), fileText(`webnn/${source}`, numbered(vectors)));
    }
  }
}

function print(totals) {
  for (const [kind, files] of Object.entries(totals.vectors))
    console.log(`${kind}: ${files.reduce((sum, count) => sum + count, 0)} vectors in ${files.length} files`);
  if (totals.unread) console.log(`${totals.unread} files not read`);
  if (totals.complaints) console.log(`${totals.complaints} files without a vector, or listed as such in vain`);
  if (totals.stopped.length) console.log(`${totals.stopped.length} tests stop early`);
  for (const [reason, count] of [...totals.unwritten].sort((a, b) => b[1] - a[1])) console.log(`${count} ${reason}`);
}

async function main() {
  const {values, positionals} = parseArgs({
    allowPositionals: true,
    options: {
      output: {type: 'string', short: 'o'},
      verbose: {type: 'boolean', short: 'v'},
      'without-vectors': {type: 'string', default: WITHOUT_VECTORS},
    },
  });
  if (positionals.length !== 1 || !values.output) throw new Error(USAGE);
  const root = path.resolve(positionals[0]), out = values.output;
  for (const folder of FOLDERS)
    if (!fs.existsSync(path.join(root, folder)))
      throw new Error(`${root} has no folder ${folder}; name the folder webnn of a checkout`);

  const note = (line) => values.verbose && console.error(line);
  const job = {root, out, coverage: new Coverage(values['without-vectors']), note};
  const totals = Object.assign(new Result(), {unread: 0, complaints: 0});
  for (const kind of Object.keys(totals.vectors)) fs.mkdirSync(path.join(out, kind), {recursive: true});
  for (const folder of FOLDERS) await convertFolder(folder, job, totals);
  print(totals);
  if (totals.unread || totals.complaints) process.exitCode = 1;
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 2;
});
