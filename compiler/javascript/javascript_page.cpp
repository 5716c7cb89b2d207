#include "compiler/javascript/javascript_page.hpp"

#include "compiler/javascript/javascript_text.hpp"

namespace webnn::compiler {
namespace {

constexpr std::string_view page_head = R"HTML(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>WebNN graph</title>
<style>
body { font: 14px system-ui, sans-serif; margin: 1.5em auto; max-width: 1000px; padding: 0 1em; color: #222; background: #fff }
h1 { font-size: 1.4em } h2 { font-size: 1.1em; margin-top: 1.6em }
table { border-collapse: collapse } th, td { padding: 2px 8px; text-align: left; border-bottom: 1px solid #e5e5e5 }
td.values { font-family: monospace; word-break: break-word } .error { color: #b00; white-space: pre-wrap }
</style>
</head>
<body>
<h1 id="title">WebNN graph</h1>
<p>
<label>Device <select id="device"></select></label>
<label>Inputs <select id="fill"></select></label>
<label>Runs <input id="runs" type="number" min="1" max="10000" value="10"></label>
<button id="start" disabled>Run</button>
</p>
<p id="times"></p>
<h2>Inputs</h2>
<table id="inputs"></table>
<h2>Outputs</h2>
<table id="outputs"></table>
)HTML";

// Names of the graph reach the page as text of elements only.
constexpr std::string_view page_script = R"JS(
const element = id => document.getElementById(id);

// Browsers follow different versions of the specification: `deviceType` is the old option, the others are the new ones.
const devices = {
  "any": {},
  "CPU": {deviceType: "cpu", accelerated: false},
  "GPU": {deviceType: "gpu", accelerated: true},
  "NPU": {deviceType: "npu", accelerated: true, powerPreference: "low-power"},
};
const fills = {"random": Math.random, "zeros": () => 0, "ones": () => 1};

const showError = error => {
  const place = document.createElement("p");
  place.className = "error";
  place.textContent = String(error?.stack ?? error);
  document.body.append(place);
};

const addRow = (table, cells) => {
  const row = table.insertRow();
  for (const [i, text] of cells.entries()) {
    const cell = row.insertCell();
    cell.textContent = text;
    if (i === 2) cell.className = "values";
  }
};

const describe = ({dataType, shape}) => `${dataType}[${shape.join(", ")}]`;

const showTensors = (table, descriptors, values) => {
  table.replaceChildren();
  for (const [name, descriptor] of Object.entries(descriptors)) {
    const shown = values ? Array.from(values[name].subarray(0, 20), String).join(" ") : "";
    addRow(table, [name, describe(descriptor), shown + (values && values[name].length > 20 ? " .." : "")]);
  }
};

// Bits of 16-bit floats from 0 to 1, for browsers without Float16Array: steps of 1/1024 have few enough bits.
const float16Bits = number => {
  const steps = Math.round(number * 1024);
  if (steps === 0) return 0;
  const exponent = Math.floor(Math.log2(steps));
  return (exponent + 5) * 1024 + (steps / 2 ** exponent - 1) * 1024;
};

const filledArray = (descriptor, fill) => {
  const array = model.tensorArray(descriptor);
  const {dataType} = descriptor;
  const float = dataType.startsWith("float");
  for (let i = 0; i !== array.length; ++i) {
    const number = float ? fill() : Math.round(fill());
    if (dataType.endsWith("int64")) array[i] = BigInt(number);
    else if (dataType.endsWith("int4")) array[i] = number * 0x11;
    else if (dataType === "float16" && array instanceof Uint16Array) array[i] = float16Bits(number);
    else array[i] = number;
  }
  return array;
};

const start = async () => {
  for (const old of document.querySelectorAll(".error")) old.remove();
  const values = Object.fromEntries(Object.entries(model.inputs).map(
    ([name, descriptor]) => [name, filledArray(descriptor, fills[element("fill").value])]));
  const before = performance.now();
  const context = await navigator.ml.createContext(devices[element("device").value]);
  const graph = await model.build(context);
  const built = performance.now();
  const times = [];
  let results;
  for (let i = 0; i !== Math.max(1, Number(element("runs").value)); ++i) {
    const begin = performance.now();
    results = await model.run(context, values, graph);
    times.push(performance.now() - begin);
  }
  const [first] = times;
  times.sort((a, b) => a - b);
  element("times").textContent = `built in ${(built - before).toFixed(1)} ms, first run ${first.toFixed(2)} ms, ` +
    `median of ${times.length} runs ${times[Math.floor(times.length / 2)].toFixed(2)} ms, with writing and reading`;
  showTensors(element("inputs"), model.inputs, values);
  showTensors(element("outputs"), model.outputs, results);
  context.destroy?.();
};

try {
  element("hint")?.remove();
  document.title = element("title").textContent = model.name || "WebNN graph";
  for (const [id, table] of [["device", devices], ["fill", fills]])
    for (const word of Object.keys(table)) element(id).add(new Option(word));
  showTensors(element("inputs"), model.inputs);
  showTensors(element("outputs"), model.outputs);
  if (globalThis.navigator?.ml) {
    element("start").disabled = false;
    element("start").addEventListener("click", async () => {
      element("start").disabled = true;
      await start().catch(showError);
      element("start").disabled = false;
    });
  } else {
    element("times").textContent = "This browser has no WebNN (navigator.ml), or the page does not come from a secure " +
      "place such as https: or localhost.";
  }
  document.body.dataset.ready = "yes";
} catch (error) {
  showError(error);
}
)JS";

constexpr std::string_view not_loaded = R"HTML(<noscript>This page needs JavaScript.</noscript>
<p id="hint">The module has not been loaded yet. Browsers do not load modules of pages that were opened as files: serve
this folder, for example with <code>python3 -m http.server</code>.</p>
)HTML";

}  // namespace

void write_javascript_page(const std::string& module_file, const std::function<void(const ByteSink&)>& write_module,
                           const ByteSink& sink) {
  sink(page_head);
  if (!write_module) sink(not_loaded);
  sink("<script type=\"module\">\n");
  if (write_module) {
    write_module(sink);
    sink("\nconst model = {name, inputs, outputs, tensorArray, build, run};\n{");
  } else {
    sink("import * as model from \"./" + url_name(module_file) + "\";\n");
  }
  sink(page_script);
  sink(write_module ? "}\n</script>\n</body>\n</html>\n" : "</script>\n</body>\n</html>\n");
}

}  // namespace webnn::compiler
