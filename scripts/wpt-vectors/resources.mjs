// Files that a test names: paths from the tests' root are those of the checkout, others are beside the test.

import fs from 'node:fs';
import path from 'node:path';

const OWN = '/webnn/';

/** The file of a URL without a host. `root` is the folder of the WebNN tests, whatever its name is here. */
export function fileOf(root, testFile, url) {
  if (url.startsWith(OWN)) return path.join(root, url.slice(OWN.length));
  return url.startsWith('/') ? path.join(root, '..', url) : path.resolve(path.dirname(testFile), url);
}

/** The part of `fetch` that tests need to read such a file. */
export function fetchFrom(root, testFile) {
  return async (url) => {
    const file = fileOf(root, testFile, String(url));
    if (!fs.existsSync(file)) return {ok: false, status: 404, statusText: 'Not Found'};
    const text = async () => fs.readFileSync(file, 'utf8');
    return {ok: true, status: 200, statusText: 'OK', text, json: async () => JSON.parse(await text())};
  };
}
