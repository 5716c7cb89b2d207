// The table of formats: what each row promises, and what a row that is added gets from the table alone.
#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <set>

#include "compiler/formats/all_formats.hpp"
#include "compiler/frontend/json/json_writer.hpp"
#include "compiler/frontend/load.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::formats_test {
namespace {

using namespace compiler;

constexpr std::string_view small_graph = R"({"format": "webnn-graph-json", "version": 2, "name": "small",
  "inputs": {"x": {"dataType": "float32", "shape": [2]}},
  "consts": {"w": {"dataType": "float32", "shape": [2],
                   "init": {"kind": "inlineBytes", "bytes": [0, 0, 128, 63, 0, 0, 0, 64]}}},
  "nodes": [{"id": "y", "op": "add", "inputs": ["x", "w"]}], "outputs": {"y": "y"}})";

Graph graph_of(std::string_view text) {
  Diagnostics diagnostics;
  auto graph = read_graph(text, {}, diagnostics);
  REQUIRE_MESSAGE(graph, render(diagnostics));
  return std::move(*graph);
}

void write_files(const WrittenGraph& written) {
  for (const WrittenFile& file : written.files) {
    std::ofstream stream(file.path, std::ios::binary);
    file.write([&](std::string_view piece) { stream << piece; });
  }
}

TEST_CASE("formats: a row's value has the row's name, and no two have the same name or suffix") {
  std::vector<std::string_view> rows;
#define FORMAT(name) rows.emplace_back(#name);
#define TOOL_FORMAT(name) FORMAT(name)
#include "compiler/frontend/formats.def"
#undef TOOL_FORMAT
#undef FORMAT
  std::set<std::string_view> names, suffixes;
  std::size_t next = 0;
  for (const Format* format : all_formats()) {
    CHECK(format->name == rows[next++]);
    CHECK(names.insert(format->name).second);
    if (!format->suffix.empty()) CHECK(suffixes.insert(format->suffix).second);
  }
  CHECK(next == rows.size());
  for (const Format* format : frontend_formats()) CHECK(format_named(all_formats(), format->name) == format);
}

TEST_CASE("formats: what is read is recognised, and what is written says where weights go") {
  for (const Format* format : all_formats()) {
    CAPTURE(format->name);
    if (format->read) CHECK(bool(format->begins));
    if (format->read && format->holds == Holds::graph) {
      CHECK_FALSE(format->known_by.empty());
      CHECK(is_graph_suffix(all_formats(), format->suffix));
    }
    if (format->holds_constants) CHECK(format->is_binary);
    if (!format->write) continue;
    CHECK(format->holds == Holds::graph);
    CHECK(format->suffix.starts_with('.'));
    CHECK_FALSE(format->weights.empty());
    CHECK((std::ranges::find(format->weights, WeightsPlace::external) == format->weights.end()) ==
          format->external_file.empty());
  }
}

TEST_CASE("formats: what a format writes is recognised and reads back, wherever the weights are") {
  const Graph graph = graph_of(small_graph);
  const std::string expected = write_json_graph(graph, WeightsStyle::inline_bytes);
  std::size_t read_back = 0;
  for (const Format* format : written_formats(all_formats()))
    for (const WeightsPlace place : format->weights) {
      if (place == WeightsPlace::kept) continue;
      CAPTURE(format->name);
      CAPTURE(int(place));
      const ScratchFolder scratch;
      WriteOptions options{.file = scratch.path() / ("m" + std::string(format->suffix)), .weights = place};
      options.keys = weights_keys(
          graph, place == WeightsPlace::in_graph ? WeightsStyle::inline_bytes : WeightsStyle::by_reference);
      const WrittenGraph written = format->write(graph, options);
      CHECK(written.files.back().path == options.file);
      CHECK((place == WeightsPlace::in_graph) == (written.files.size() == 1));
      write_files(written);
      if (!format->read) continue;
      CHECK(recognise(all_formats(), read_file(options.file)) == format);
      LoadOptions reading;
      reading.formats = all_formats();
      Diagnostics diagnostics;
      const auto again = load_graph(options.file, reading, diagnostics);
      REQUIRE_MESSAGE(again, render(diagnostics));
      CHECK(write_json_graph(*again, WeightsStyle::inline_bytes) == expected);
      ++read_back;
    }
  CHECK(read_back >= 7);
}

std::optional<Graph> read_hello(const Bytes&, const LoadOptions&, Diagnostics&) { return graph_of(small_graph); }

TEST_CASE("formats: a row that is added is read, named in messages and found by its suffix") {
  static constexpr Format hello{.name = "hello",
                                .suffix = ".hello",
                                .known_by = "a greeting",
                                .begins = [](std::string_view content) { return content.starts_with("hello"); },
                                .read = read_hello};
  std::vector<const Format*> table(frontend_formats().begin(), frontend_formats().end());
  table.push_back(&hello);
  LoadOptions options;
  options.formats = table;
  Diagnostics diagnostics;
  CHECK(read_graph("hello", options, diagnostics));
  CHECK(recognise(table, "hello") == &hello);
  CHECK(is_graph_suffix(table, ".hello"));
  CHECK_FALSE(is_graph_suffix(frontend_formats(), ".hello"));
  CHECK_FALSE(read_graph("good-bye", options, diagnostics));
  CHECK(render(diagnostics).find("binary (.wnnb), or a greeting\n") != std::string::npos);
  options.format = &json_format;
  CHECK_FALSE(read_graph("hello", options, diagnostics));
}

}  // namespace
}  // namespace webnn::tests::formats_test
