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

/** ULP of the largest output, in which errors are given as shares of it; by type of the first output. */
const ulp = { float32: 2 ** -23, float16: 2 ** -10 };

/** Whether our error exceeds ONNX Runtime's: a larger one by more than 2 ULP of the output. Where numbers are rounded to
 *  8 bits on the way, their errors are chance. */
export function exceedsErrorBar({ model, dataType, webnn, peer }) {
  if (/_int8$/.test(model) || webnn.error === null || peer.error === null || !(dataType in ulp)) return false;
  return webnn.error > peer.error && webnn.error >= 2 * ulp[dataType];
}

export function printErrorBar(print, results) {
  const above = results.filter(exceedsErrorBar);
  for (const { model, threads, webnn, peer } of above)
    print(`${model}, threads ${threads}: the error is ${ratio(webnn.error / peer.error)} times ONNX Runtime's`);
  return above.length === 0;
}

function row(cells) {
  const widths = [30, 7, 9, 9, 7, 13, 7, 9, 9, 9, 8, 8, 7, 7, 7];
  return cells.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]))).join(" ");
}

/** The head of the table: times and start-ups in milliseconds, errors as shares of the greatest output, memory in MiB. */
export function printHead(print) {
  print(row(["", "", "time", "time", "", "", "of", "start-up", "start-up", "start-up", "error", "error", "error", "memory",
    "memory"]));
  print(row(["model", "threads", "webnn", "ORT", "ratio", "of rounds", "limits", "webnn", "program", "ORT", "webnn", "ORT",
    "ratio", "webnn", "ORT"]));
}

export function printResult(print, result) {
  const { webnn, peer } = result;
  print(row([
    result.model, result.threads, time(webnn.milliseconds), time(peer.milliseconds), ratio(result.ratio),
    `${ratio(result.ratioLow)}-${ratio(result.ratioHigh)}`, `${(webnn.shareOfLimits * 100).toFixed(0)} %`,
    time(webnn.startupMilliseconds), time(webnn.programStartupMilliseconds), time(peer.startupMilliseconds), significant(webnn.error, 2), significant(peer.error, 2),
    webnn.error === null || !peer.error ? "-" : ratio(webnn.error / peer.error), memory(webnn.memoryBytes),
    memory(peer.memoryBytes),
  ]));
}

export function printMeans(print, means) {
  for (const { threads, ratio: value, programStartup, models } of means) {
    print(row([`geometric mean of ${models}`, threads, "", "", ratio(value)]));
    print(row(["start-up, from programs", threads, "", "", ratio(programStartup)]));
  }
}
