// Whether a test file gave what it owes: one that declares tests gives vectors, unless it is listed as one without.

import fs from 'node:fs';

export class Coverage {
  /** `list` names a file of test files, a line each; '#' starts a comment line. */
  constructor(list) {
    const lines = fs.readFileSync(list, 'utf8').split('\n').map((line) => line.trim());
    this.withoutVectors = new Set(lines.filter((line) => line && !line.startsWith('#')));
  }

  /** What is wrong with the vectors of the test file `source`, or undefined. A list must not grow stale. */
  complaint(source, {vectors, declared, unwritten}) {
    const count = Object.values(vectors).reduce((sum, {length}) => sum + length, 0);
    const listed = this.withoutVectors.has(source);
    if (count > 0) return listed ? `it is listed as one without vectors, but gives some (${count})` : undefined;
    if (listed || declared === 0) return undefined;
    const reasons = [...unwritten].map(([reason, times]) => `${times} ${reason}`);
    return [`it declares tests (${declared}) and gives no vector`, ...reasons].join('; ');
  }
}
