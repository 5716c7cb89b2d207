// Files beside this one: good-*.json are read, and good-*.txt hold what the reader says about them and the graph in
// canonical form. Files that are refused are the affair of bad_files.cpp.
#include "compiler/frontend/json/json_reader.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <limits>
#include <string>
#include <vector>

#include "compiler/frontend/json/json_writer.hpp"
#include "schema/elements/elements.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::json_reader_test {
namespace {

using namespace webnn::compiler;

const std::filesystem::path folder = "tests/frontend";

/// The data files whose names begin with `prefix`, in order.
std::vector<std::filesystem::path> data_files(const std::string& prefix) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / folder))
    if (entry.path().filename().string().starts_with(prefix) && entry.path().extension() == ".json")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string golden_name(const std::filesystem::path& file) {
  return (folder / file.filename()).replace_extension(".txt").string();
}

LoadOptions options_for(const std::string& name) {
  LoadOptions options;
  options.file_name = name;
  options.max_nodes = 40;
  return options;
}

std::string write(const Graph& graph) { return write_json_graph(graph, WeightsForm::inline_bytes); }

}  // namespace

TEST_CASE("json reader: every convention, old spelling and rewritten operator is read") {
  for (const auto& file : data_files("good-")) {
    CAPTURE(file.filename().string());
    const std::string text = read_file(file);
    Diagnostics diagnostics;
    const auto graph = read_graph(text, options_for(file.filename().string()), diagnostics);
    REQUIRE_MESSAGE(graph, render(diagnostics));
    check_golden(golden_name(file), render(diagnostics) + "----\n" + write(*graph));
  }
}

TEST_CASE("json reader: what is written reads back, and is written the same again") {
  for (const auto& file : data_files("good-")) {
    CAPTURE(file.filename().string());
    Diagnostics diagnostics;
    const auto graph = read_graph(read_file(file), options_for("x.json"), diagnostics);
    REQUIRE(graph);
    const std::string first = write(*graph);
    Diagnostics none;
    const auto again = read_graph(first, options_for("x.json"), none);
    REQUIRE_MESSAGE(again, render(none));
    CHECK_FALSE(none.has_errors());
    CHECK(write(*again) == first);
    CHECK(again->named_dimensions().size() == graph->named_dimensions().size());
    CHECK(again->outputs().size() == graph->outputs().size());
  }
}

TEST_CASE("json reader: numbers of constants are exact") {
  Diagnostics diagnostics;
  const auto graph =
      read_graph(read_file(source_dir() / folder / "good-constants.json"), options_for("x"), diagnostics);
  REQUIRE(graph);
  const auto element = [&](std::string_view name, std::size_t index = 0) {
    const Value& value = graph->value(graph->find_value(name));
    REQUIRE(value.data.size() == byte_length(value.descriptor));
    return load_element(value.descriptor.type, value.data.data(), index);
  };
  CHECK(element("filled", 3) == Number(1.5));
  CHECK(element("exact int64") == Number(std::int64_t{-9007199254740993}));
  CHECK(element("exact uint64") == Number(std::numeric_limits<std::uint64_t>::max()));
  CHECK(element("not a number").is_nan());
  CHECK(element("infinite").as_double() == -std::numeric_limits<double>::infinity());
  CHECK(element("minus zero") == Number(-0.0));
  CHECK(element("nibbles", 2) == Number(-2));
  CHECK(element("packed", 0) == Number(1));
  CHECK(element("packed", 1) == Number(2));
  CHECK(element("packed", 2) == Number(3));
  CHECK(element("one per byte", 1) == Number(2));
  CHECK(element("one per byte", 2) == Number(-3));
}

TEST_CASE("json reader: limits stop files made to exhaust memory") {
  const auto report = [](std::string_view text, LoadOptions options) {
    options.file_name = "x.json";
    Diagnostics diagnostics;
    CHECK_FALSE(read_graph(text, options, diagnostics));
    return render(diagnostics);
  };
  LoadOptions few_nodes;
  few_nodes.max_nodes = 1;
  CHECK(report(R"({"format": "webnn-graph-json", "version": 2, "inputs": {"x": {"dataType": "int8", "shape": []}},
 "nodes": [{"id": "y", "op": "identity", "inputs": ["x"]}, {"id": "z", "op": "identity", "inputs": ["x"]}], "outputs": {"x": "x"}})",
               few_nodes) == "x.json:2:11: error[WNN0701]: the graph has 2 nodes, at most 1 are allowed (/nodes)\n");
  LoadOptions little_filling;
  little_filling.max_filled_bytes = 1000;
  CHECK(report(R"({"format": "webnn-graph-json", "version": 2, "inputs": {},
 "consts": {"a": {"dataType": "int8", "shape": [600], "init": {"kind": "scalar", "value": 1}},
            "b": {"dataType": "int8", "shape": [600], "init": {"kind": "scalar", "value": 1}}},
 "nodes": [{"id": "y", "op": "identity", "inputs": ["a"]}], "outputs": {"y": "y", "b": "b"}})",
               little_filling) ==
        "x.json:3:91: error[WNN0701]: the constants that repeat a number or copy weights have more than 1000 bytes in "
        "all "
        "(/consts/b/init/value)\n");
}

TEST_CASE("json reader: inputs, constants and results over the limit are told before memory is taken for them") {
  LoadOptions options;
  options.file_name = "x";
  options.max_tensor_bytes = 100;
  const auto report = [&](const std::string& constants, const std::string& nodes) {
    const std::string text = R"({"format": "webnn-graph-json", "version": 2,
 "inputs": {"x": {"dataType": "float32", "shape": [25]}},
 "consts": {)" + constants + "},\n \"nodes\": [" +
                             nodes + R"({"id": "y", "op": "relu", "inputs": ["x"]}], "outputs": {"y": "y"}})";
    Diagnostics diagnostics;
    const auto graph = read_graph(text, options, diagnostics);
    CHECK(graph.has_value() == diagnostics.all().empty());
    if (!graph) CHECK(exit_code_of(diagnostics) == ExitCode::resource);
    return render(diagnostics);
  };
  const auto over = [](const std::string& place, const std::string& what, const std::string& path) {
    return "x:" + place + ": error[WNN0701]: " + what + ", but the limit of a tensor is 100 (" + path +
           ")\n  hint: --max-tensor-bytes raises the limit\n";
  };
  CHECK(report("", "").empty());
  const auto constant = [](const std::string& init) {
    return R"("c": {"dataType": "int64", "shape": [13], "init": )" + init + "}";
  };
  const std::string too_large = over("3:49", "int64[13] takes 104 bytes", "/consts/c/shape");
  CHECK(report(constant(R"({"kind": "scalar", "value": 1})"), "") == too_large);
  CHECK(report(constant(R"({"kind": "inlineBytes", "bytes": [1]})"), "") == too_large);
  CHECK(report(constant(R"({"kind": "weights", "ref": "c"})"), "") == too_large);
  CHECK(report("", R"({"id": "t", "op": "tile", "inputs": ["x"], "options": {"repetitions": [2]}},
 )") == over("4:12", "float32[50] takes 200 bytes", "/nodes/0"));
  CHECK(report("", R"({"id": "n", "op": "constant", "options": {"dataType": "float32", "shape": [26], "data": 1}},
 )")
            .ends_with("float32[26] takes 104 bytes, but the limit of a tensor is 100 (/nodes/0/options/shape)\n"
                       "  hint: --max-tensor-bytes raises the limit\n"));
  // The zero point that the file leaves out has the input's type.
  CHECK(report(R"("q": {"dataType": "int32", "shape": [25], "init": {"kind": "scalar", "value": 1}},
 "s": {"dataType": "float16", "shape": [26], "init": {"kind": "scalar", "value": 1}})",
               R"({"id": "d", "op": "dequantizeLinear", "inputs": ["q", "s"]},
 )")
            .starts_with("x:5:12: error[WNN0701]: int32[26] takes 104 bytes"));
}

TEST_CASE("text form: a constant over the limit is told at its place") {
  LoadOptions options;
  options.file_name = "x.webnn";
  options.max_tensor_bytes = 1000;
  Diagnostics diagnostics;
  CHECK_FALSE(
      read_graph("webnn_graph \"g\" v2 {\n  consts { c: f32[500000000] @scalar(1); }\n"
                 "  nodes { y = relu(c); }\n  outputs { y; }\n}\n",
                 options, diagnostics));
  CHECK(render(diagnostics) ==
        "x.webnn:2:18: error[WNN0701]: float32[500000000] takes 2000000000 bytes, but the limit of a tensor is 1000 "
        "(/consts/c/shape)\n  hint: --max-tensor-bytes raises the limit\n");
}

TEST_CASE("json reader: the format of a file is found by its content") {
  const auto format_of = [](std::string_view content) { return recognise(frontend_formats(), content); };
  CHECK(format_of(R"( {"inputs": {"format": "x"}, "version": 2, "format": "webnn-graph-json", broken)") ==
        &json_format);
  CHECK(format_of(R"({"format": "wg-weights-manifest"})") == &manifest_format);
  CHECK(format_of("# a comment\n\nwebnn_graph \"x\" v1 {}") == &text_format);
  CHECK(format_of("WNNC") == &program_format);
  CHECK(format_of("{\"format\": \"else\"}") == nullptr);
  CHECK(format_of("\x89PNG") == nullptr);
  CHECK(format_of("") == nullptr);
}

TEST_CASE("json reader: the models of the corpus load, and their manifests are told from graphs") {
  WEBNN_REQUIRE_CORPUS(corpus);
  const std::pair<const char*, std::size_t> models[] = {
      {"squeezenet1.1", 66}, {"ultraface-320", 110}, {"selfie-segmenter", 172}};
  for (const auto& model : models) {
    CAPTURE(model.first);
    const auto& [name, nodes] = model;
    const auto file = corpus / "models" / name / (std::string(name) + ".json");
    Diagnostics diagnostics;
    const auto graph = load_graph(file, {}, diagnostics);
    REQUIRE_MESSAGE(graph, render(diagnostics));
    CHECK(diagnostics.all().empty());
    CHECK(graph->order().size() == nodes);
    const std::string text = write(*graph);
    Diagnostics none;
    const auto again = read_graph(text, {}, none);
    REQUIRE(again);
    CHECK(write(*again) == text);

    const auto manifest = corpus / "models" / name / (std::string(name) + ".manifest.json");
    CHECK(is_of_format(manifest_format, read_file(manifest)));
    CHECK_FALSE(load_graph(manifest, {}, none));
  }
}

TEST_CASE("json reader: files with bytes changed at random are read or refused, never worse") {
  std::uint32_t state = 12345;
  const auto random = [&](std::size_t below) {
    state = state * 1664525u + 1013904223u;
    return std::size_t(state >> 8) % below;
  };
  std::vector<std::string> texts;
  for (const auto& file : data_files("good-")) texts.push_back(read_file(file));
  const std::string_view pieces[] = {
      "null", "[]",       "{}", "\"x\"", "-1",    "1e300",      "0",     "99999999999999999999",
      "true", "\"axis\"", ",",  ":",     "[1,2]", "2147483647", "\"c\"", "\"options\": {"};
  for (int round = 0; round < 4000; ++round) {
    std::string text = texts[std::size_t(round) % texts.size()];
    for (std::size_t edits = 1 + random(3); edits > 0; --edits) {
      const std::size_t at = random(text.size());
      switch (random(4)) {
        case 0:
          text[at] = char(random(256));
          break;
        case 1:
          text.erase(at, 1 + random(20));
          break;
        case 2:
          text.insert(at, pieces[random(std::size(pieces))]);
          break;
        default: {  // one value for another
          const std::size_t end = text.find_first_of(",]}", at);
          const std::size_t begin = text.find_last_of(":[,", at);
          if (begin != text.npos && end != text.npos && begin + 1 < end)
            text.replace(begin + 1, end - begin - 1, pieces[random(std::size(pieces))]);
        }
      }
      if (text.empty()) text = "{";
    }
    Diagnostics diagnostics;
    LoadOptions options = options_for("x.json");
    options.max_filled_bytes = 1 << 20;
    const auto graph = read_graph(text, options, diagnostics);
    CHECK(graph.has_value() == !diagnostics.has_errors());
    if (graph) CHECK_FALSE(write(*graph).empty());
    CHECK(render(diagnostics, [&](std::string_view) { return std::string_view(text); }).find('\x1b') ==
          std::string::npos);
  }
}

}  // namespace webnn::tests::json_reader_test
