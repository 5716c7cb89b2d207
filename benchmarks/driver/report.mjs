// What a run prints.

const significant = (value, digits) => {
  if (value === null || value === undefined) return "-";
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  return value < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(digits)));
};

const time = (milliseconds) => (milliseconds >= 100 ? milliseconds.toFixed(0) : significant(milliseconds, 3));
const memory = (bytes) => (bytes / 2 ** 20).toFixed(0);
const ratio = (value) => value.toFixed(2);

export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function row(cells) {
  const widths = [30, 7, 9, 9, 7, 13, 9, 9, 8, 8, 7, 7];
  return cells.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]))).join(" ");
}

/** The head of the table: times and start-ups in milliseconds, errors as shares of the greatest output, memory in MiB. */
export function printHead(print) {
  print(row(["", "", "time", "time", "", "", "start-up", "start-up", "error", "error", "memory", "memory"]));
  print(row(["model", "threads", "webnn", "ORT", "ratio", "of rounds", "webnn", "ORT", "webnn", "ORT", "webnn", "ORT"]));
}

export function printResult(print, result) {
  const { webnn, peer } = result;
  print(row([
    result.model, result.threads, time(webnn.milliseconds), time(peer.milliseconds), ratio(result.ratio),
    `${ratio(result.ratioLow)}-${ratio(result.ratioHigh)}`, time(webnn.startupMilliseconds),
    time(peer.startupMilliseconds), significant(webnn.error, 2), significant(peer.error, 2), memory(webnn.memoryBytes),
    memory(peer.memoryBytes),
  ]));
}

export function printMeans(print, means) {
  for (const { threads, ratio: value, models } of means)
    print(row([`geometric mean of ${models}`, threads, "", "", ratio(value)]));
}
