// Turns the WebNN tests of the Web Platform Tests into vectors for `webnn-cli test`.
// usage: node scripts/wpt-vectors/main.mjs PATH_TO/webnn -o OUT_DIR [--verbose]

import fs from 'node:fs';
import path from 'node:path';
import {parseArgs} from 'node:util';

import {conformanceHooks} from './conformance.mjs';
import {fileText} from './json.mjs';
import {runPage, variantsOf} from './page.mjs';
import {numbered, validationVectors} from './validation.mjs';

const USAGE = 'usage: node scripts/wpt-vectors/main.mjs PATH_TO/webnn -o OUT_DIR [--verbose]';
const SUFFIX = /(\.https)?(\.any|\.window)?\.js$/;

const FOLDERS = [
  {from: 'conformance_tests', to: 'conformance', vectorsOf: conformanceFile},
  {from: 'validation_tests', to: 'validation', vectorsOf: validationFile},
];

/** Adds each number of `more` to `counts`. */
function add(counts, more) {
  for (const [name, count] of more) counts.set(name, (counts.get(name) ?? 0) + count);
}

async function conformanceFile(root, file, variants) {
  const vectors = [], stopped = [];
  for (const variant of variants) {
    const {harness} = await runPage(root, file, variant, conformanceHooks(vectors));
    stopped.push(...harness.stopped);
  }
  return {tests: numbered(vectors), stopped, unwritten: new Map()};
}

async function validationFile(root, file, variants) {
  const tests = [], stopped = [], unwritten = new Map(), seen = new Set();
  for (const variant of variants) {
    const {recorder, harness} = await runPage(root, file, variant);
    const vectors = validationVectors(recorder, seen);
    tests.push(...vectors.tests);
    stopped.push(...harness.stopped);
    add(unwritten, vectors.unwritten);
  }
  return {tests, stopped, unwritten};
}

async function convertFolder(root, out, {from, to, vectorsOf}, note) {
  const folder = path.join(root, from);
  const files = fs.readdirSync(folder).filter((name) => SUFFIX.test(name)).sort();
  const totals = {files: 0, tests: 0, stopped: 0, unwritten: new Map()};
  fs.mkdirSync(path.join(out, to), {recursive: true});
  for (const name of files) {
    const file = path.join(folder, name);
    let result;
    try {
      result = await vectorsOf(root, file, variantsOf(fs.readFileSync(file, 'utf8')));
    } catch (error) {
      console.error(`${from}/${name}: not read: ${error.message}`);
      totals.unread = (totals.unread ?? 0) + 1;
      continue;
    }
    for (const {name: test, reason} of result.stopped) note(`${from}/${name}: '${test}' stops early: ${reason}`);
    for (const [reason, count] of result.unwritten) note(`${from}/${name}: ${count} calls not written: ${reason}`);
    if (result.tests.length === 0) note(`${from}/${name}: no vectors`);
    totals.stopped += result.stopped.length;
    add(totals.unwritten, result.unwritten);
    if (result.tests.length === 0) continue;
    totals.files += 1;
    totals.tests += result.tests.length;
    const target = path.join(out, to, `${name.replace(SUFFIX, '')}.json`);
    fs.writeFileSync(target, fileText(`webnn/${from}/${name}`, result.tests));
  }
  return totals;
}

function print(to, {files, tests, stopped, unread, unwritten}) {
  console.log(`${to}: ${tests} vectors in ${files} files`);
  if (unread) console.log(`  ${unread} files not read`);
  if (stopped) console.log(`  ${stopped} tests stop early`);
  for (const [reason, count] of [...unwritten].sort((a, b) => b[1] - a[1]))
    console.log(`  ${count} calls not written: ${reason}`);
}

async function main() {
  const {values, positionals} = parseArgs({
    allowPositionals: true,
    options: {output: {type: 'string', short: 'o'}, verbose: {type: 'boolean', short: 'v'}},
  });
  const [root] = positionals;
  if (positionals.length !== 1 || !values.output) throw new Error(USAGE);
  for (const {from} of FOLDERS)
    if (!fs.existsSync(path.join(root, from)))
      throw new Error(`${root} has no folder ${from}; name the folder webnn of a checkout`);
  const note = values.verbose ? (text) => console.error(text) : () => {};
  let unread = 0;
  for (const folder of FOLDERS) {
    const totals = await convertFolder(path.resolve(root), values.output, folder, note);
    print(folder.to, totals);
    unread += totals.unread ?? 0;
  }
  if (unread) process.exitCode = 1;
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 2;
});
