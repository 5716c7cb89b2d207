#include "cli/drawing/page.hpp"

#include "cli/drawing/markup.hpp"

namespace webnn::cli {
namespace {

constexpr std::string_view style = R"(
body { font: 14px system-ui, sans-serif; margin: 1.5em auto; max-width: 1500px; padding: 0 1em; color: #222; background: #fff }
h1 { font-size: 1.4em } h2 { font-size: 1.1em; margin-top: 1.6em }
table { border-collapse: collapse } th, td { padding: 2px 8px; text-align: right; border-bottom: 1px solid #e5e5e5; white-space: nowrap }
th { cursor: pointer; background: #f6f6f6; position: sticky; top: 0 } td.text, th.text { text-align: left }
tr:hover { background: #f3f7ff } tr.marked { background: #ffe8a3 }
.scroll { max-height: 32em; overflow: auto; border: 1px solid #ddd }
.viewport { height: 42em; overflow: hidden; border: 1px solid #ddd; cursor: grab; position: relative; resize: vertical }
.viewport svg { transform-origin: 0 0; position: absolute }
.frame { fill: none; stroke: #777 } .detail { fill: #666 } .line { cursor: pointer }
.line.marked rect { stroke: #c00; stroke-width: 2.5 }
.error { color: #b00; white-space: pre-wrap } .note { color: #555 }
input[type=search] { width: 22em; padding: 3px }
)";

constexpr std::string_view viewport = R"JS(
for (const view of document.querySelectorAll('.viewport')) {
  const svg = view.querySelector('svg');
  const at = {x: 0, y: 0, scale: 1};
  const width = svg.viewBox.baseVal.width, height = svg.viewBox.baseVal.height;
  const show = () => { svg.style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.scale})`; };
  at.scale = Math.min(1, Math.max(0.25, view.clientWidth / width));
  at.x = (view.clientWidth - width * at.scale) / 2;
  show();
  view.addEventListener('wheel', event => {
    event.preventDefault();
    const box = view.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const factor = Math.exp(-event.deltaY * 0.0015), scale = Math.min(4, Math.max(0.03, at.scale * factor));
    at.x = x - (x - at.x) * scale / at.scale;
    at.y = y - (y - at.y) * scale / at.scale;
    at.scale = scale;
    show();
  }, {passive: false});
  let from = null;
  view.addEventListener('pointerdown', event => { from = {x: event.clientX - at.x, y: event.clientY - at.y}; });
  window.addEventListener('pointermove', event => {
    if (!from) return;
    at.x = event.clientX - from.x;
    at.y = event.clientY - from.y;
    show();
  });
  window.addEventListener('pointerup', () => { from = null; });
  view.centreOn = line => {
    const box = line.getBBox();
    at.scale = Math.max(at.scale, 0.7);
    at.x = view.clientWidth / 2 - (box.x + box.width / 2) * at.scale;
    at.y = view.clientHeight / 2 - (box.y + box.height / 2) * at.scale;
    show();
  };
}
const mark = (key, centre) => {
  document.querySelectorAll('.marked').forEach(element => element.classList.remove('marked'));
  for (const line of document.querySelectorAll('.line, tr[data-key]')) {
    if (line.dataset.key !== key || key === '') continue;
    line.classList.add('marked');
    const view = line.closest('.viewport');
    if (view && centre) view.centreOn(line);
  }
};
for (const line of document.querySelectorAll('.line')) line.addEventListener('click', () => mark(line.dataset.key, false));
for (const search of document.querySelectorAll('input.find')) {
  search.addEventListener('change', () => {
    const word = search.value.toLowerCase();
    const found = [...document.querySelectorAll('.line')].find(line => word !== '' && line.textContent.toLowerCase().includes(word));
    if (found) mark(found.dataset.key, true);
  });
}
)JS";

}  // namespace

std::string_view viewport_script() { return viewport; }

std::string html_page(std::string_view title, std::string_view body, std::string_view script) {
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>";
  page += markup_text(title);
  page += "</title>\n<style>";
  page += style;
  page += "</style>\n</head>\n<body>\n";
  page += body;
  page += "\n<script>\n'use strict';\ntry {\n";
  page += script;
  page +=
      "\n  document.body.dataset.ready = 'yes';\n} catch (error) {\n"
      "  const place = document.createElement('p');\n  place.className = 'error';\n"
      "  place.textContent = String(error.stack || error);\n  document.body.prepend(place);\n}\n"
      "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace webnn::cli
