// Written modules: golden files, and Node.js as their reader, where a recorder of calls takes the place of a browser's
// MLGraphBuilder. What it records must be the graph that was written.
#include <cstring>
#include <doctest/doctest.h>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "compiler/formats/all_formats.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/javascript/javascript_module.hpp"
#include "compiler/javascript/javascript_text.hpp"
#include "compiler/vectors/vector_reader.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/harness/conformance.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/machine/browser.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"
#include "tests/harness/specification.hpp"

namespace webnn::tests::javascript_modules_test {
namespace {

namespace fs = std::filesystem;
using namespace webnn::compiler;

constexpr std::string_view no_node = "there is no Node.js 18 or newer";

void write_part(const WrittenFile& part) {
  std::ofstream stream(part.path, std::ios::binary);
  part.write([&](std::string_view piece) { stream << piece; });
}

void write_module(const Graph& graph, const fs::path& file, WeightsPlace place, bool with_page = false) {
  const WriteOptions options{.file = file, .weights = place};
  for (const WrittenFile& part : javascript_format.write(graph, options).files) write_part(part);
  if (with_page) write_part(javascript_format.page(graph, options));
}

std::string number_or_json(const AttributeValue& value) {
  const auto* number = std::get_if<Number>(&value);  // 1 and 1.0 are the same number
  return number ? number->text() : attribute_json(value);
}

/// All of a graph that its outputs need, without the names of its inner values. An identity stands for its operand: the
/// writer puts it before some outputs.
std::string normal_form(const Graph& graph) {
  const JavascriptParts parts = javascript_parts(graph);
  std::vector<std::string> names(graph.value_count());
  std::ostringstream text;
  const auto declare = [&](ValueId id, const std::string& name) {
    const Value& value = graph.value(id);
    names[id.index] = name;
    text << name << " = " << name_of(value.descriptor.type) << javascript_shape(value.descriptor.shape) << "\n";
  };
  for (const ValueId id : parts.inputs) declare(id, "input " + graph.value(id).name);
  for (std::size_t i = 0; i < parts.constants.size(); ++i) {
    declare(parts.constants[i], "constant " + std::to_string(i));
    text << std::hash<std::string_view>()(text_of(graph.value(parts.constants[i]).data)) << "\n";
  }
  std::size_t next = 0;
  for (const NodeId id : parts.nodes) {
    const Node& node = graph.node(id);
    if (node.op == "identity"_op) {
      names[node.outputs[0].index] = names[node.inputs[0].index];
      continue;
    }
    const bool is_id = node.label.starts_with("#result");  // what the recorder calls a node without a label
    text << row(node.op).name << " '" << (is_id ? "" : node.label) << "':";
    for (const ValueId input : node.inputs) text << " (" << (input.valid() ? names[input.index] : "absent") << ")";
    for (std::size_t i = 0; i < node.attributes.size(); ++i)
      if (node.attributes[i])
        text << " " << row(node.op).attributes[i].name << "=" << number_or_json(*node.attributes[i]);
    text << "\n";
    for (const ValueId output : node.outputs) declare(output, std::to_string(next++));
  }
  std::set<std::string> outputs;  // by name: in JavaScript a property whose name is a number comes first
  for (const GraphOutput& output : graph.outputs()) outputs.insert(output.name + ": " + names[output.value.index]);
  for (const std::string& output : outputs) text << "output " << output << "\n";
  return text.str();
}

/// Writes the graphs as modules, lets Node.js build all of them, and compares what was built.
void check_built(const std::vector<std::pair<std::string, const Graph*>>& graphs) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "modules", output = scratch.path() / "recorded";
  fs::create_directory(folder);
  write_file(folder / "package.json", "{\"type\": \"module\"}");
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    std::string number = std::to_string(i);
    number.insert(0, 8 - number.size(), '0');
    write_module(*graphs[i].second, folder / (number + ".js"),
                 i % 2 == 0 ? WeightsPlace::external : WeightsPlace::in_graph);
  }
  const ShellResult ran = run_shell("node " + shell_word(source_dir() / "tests/javascript/recorder.mjs") + " " +
                                    shell_word(folder) + " " + shell_word(output));
  REQUIRE_MESSAGE(ran.status == 0, ran.output);
  std::ifstream lines(output);
  std::string line;
  for (const auto& [name, graph] : graphs) {
    CAPTURE(name);
    REQUIRE(std::getline(lines, line));
    Diagnostics diagnostics;
    const auto again = read_graph(std::string_view(line), {}, diagnostics);
    REQUIRE_MESSAGE(again, line.substr(0, 2000) << "\n" << render(diagnostics));
    CHECK(normal_form(*again) == normal_form(*graph));
  }
}

void check_vectors_built(const std::vector<fs::path>& files) {
  std::vector<ConformanceVector> vectors;
  for (const fs::path& file : files)
    for (ConformanceVector& vector : read_conformance_vectors(read_file(file), file.string()))
      if (vector.errors.empty()) vectors.push_back(std::move(vector));
  std::vector<std::pair<std::string, const Graph*>> graphs;
  for (const ConformanceVector& vector : vectors) graphs.emplace_back(vector.name, &vector.graph);
  CHECK(graphs.size() >= operator_count);
  check_built(graphs);
}

Graph loaded(const fs::path& file) {
  Diagnostics diagnostics;
  auto graph = load_graph(file, {}, diagnostics);
  REQUIRE_MESSAGE(graph, render(diagnostics));
  return std::move(*graph);
}

Bytes bytes_of(std::initializer_list<unsigned> values) {
  std::vector<std::byte> bytes;
  for (const unsigned value : values) bytes.push_back(std::byte(value));
  return Bytes(std::move(bytes));
}

constexpr std::string_view hostile_names[] = {"__proto__",
                                              "constructor",
                                              "</script><script>alert(1)</script>",
                                              "\"); process.exit(1); (\"",
                                              "`${process.exit(1)}`\\",
                                              "*/ // line\n\xe2\x80\xa8\xe2\x80\xa9",
                                              "await",
                                              "builder",
                                              "0",
                                              "\xf0\x9f\x99\x82 \xc3\xbc",
                                              "a b",
                                              "a_b",
                                              "<!--"};

/// Every name is an input's, a node's label and an output's.
Graph hostile_graph() {
  Graph graph;
  graph.name = hostile_names[2];
  for (const std::string_view name : hostile_names) {
    const ValueId input = graph.add_input(std::string(name), {DataType::float32, {2}});
    const NodeId node = graph.add_node("relu"_op, {input}, {}, {}, std::string(name));
    graph.add_output(std::string(name), graph.node(node).outputs[0]);
  }
  return graph;
}

/// Calls of every shape: lists, positional attributes, options, several results, numbers that JSON lacks, all types.
Graph mixed_graph() {
  Graph graph = graph_of(
      "%x = input float32[1, 4, 6, 6]\n%big = input int64[2]\n%s = input float32[3, 2, 2]\n%unused = input float32[2]\n"
      "%w = constant float32[2, 4, 1, 1] {1, 2, 3, 4, 5, 6, 7, 8}\n%bias = constant float32[2] {-1, 0.5}\n"
      "%g = constant float32[1, 6, 2] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}\n%dead = constant float32[1] {1}\n"
      "%conv = conv2d(%x, %w, bias=%bias) {strides=[2, 2], inputLayout=\"nchw\"}\n"
      "%a, %b = split(%conv) {splits=[1, 1], axis=1}\n%joined = concat(%a, %b, %a) {axis=1}\n"
      "%limits = clamp(%big) {minValue=-9007199254740993, maxValue=9223372036854775807}\n"
      "%zero = clamp(%joined) {minValue=-0.0, maxValue=Infinity}\n%half = cast(%zero) {dataType=float16}\n"
      "%h, %all = gru(%s, %g, %g) {steps=3, hiddenSize=2, returnSequence=true, activations=[\"relu\", \"tanh\"]}\n"
      "%forgotten = relu(%unused)\n"
      "output \"limits\" = %limits\noutput \"half\" = %half\noutput \"again\" = %half\noutput \"x\" = %x\n"
      "output \"w\" = %w\noutput \"h\" = %h\noutput \"all\" = %all\n");
  const ValueId f16 = graph.add_constant("f16", {DataType::float16, {3}}, bytes_of({0, 60, 0, 64, 0, 66}));
  const ValueId i4 = graph.add_constant("i4", {DataType::int4, {3}}, bytes_of({33, 3}));
  graph.add_output("f16", f16);
  graph.add_output("i4", i4);
  return graph;
}

}  // namespace

TEST_CASE("javascript: modules of small graphs, word for word") {
  const fs::path golden = "tests/javascript";
  const auto written = [](const Graph& graph, const std::string& name, WeightsPlace place) {
    const ScratchFolder scratch;
    write_module(graph, scratch.path() / "m.js", place, true);
    return read_file(scratch.path() / name);
  };
  check_golden(golden / "mixed.js", written(mixed_graph(), "m.js", WeightsPlace::external));
  check_golden(golden / "mixed-inline.js", written(mixed_graph(), "m.js", WeightsPlace::in_graph));
  check_golden(golden / "hostile.js", written(hostile_graph(), "m.js", WeightsPlace::external));
  check_golden(golden / "mixed.html", written(mixed_graph(), "m.html", WeightsPlace::external));
}

TEST_CASE("javascript: the file of the constants holds those that are needed, at offsets for all typed arrays") {
  const ScratchFolder scratch;
  write_module(mixed_graph(), scratch.path() / "m.js", WeightsPlace::external);
  const std::string file = read_file(scratch.path() / "m.bin");
  REQUIRE(file.size() == 4 * 64 + 2);
  float bias = 0;
  std::memcpy(&bias, file.data() + 64, sizeof bias);
  CHECK(bias == -1);
  CHECK(file.substr(192, 6) == std::string("\0<\0@\0B", 6));
  CHECK(file.substr(256) == "!\3");
}

TEST_CASE("javascript: base64 of every length") {
  const auto base64 = [](std::string_view text) {
    std::string written;
    write_base64(std::as_bytes(std::span(text)), [&](std::string_view piece) { written += piece; });
    return written;
  };
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("\xff\xfe\xfd\xfc") == "//79/A==");
  CHECK(base64(std::string(100000, 'a')).size() == 133336);
}

TEST_CASE("javascript: many names that are one word become different identifiers, in no more time than others") {
  constexpr std::string_view taken[] = {"builder"};
  JavascriptNames names(taken);
  std::set<std::string> all{"builder", "class"};
  const auto take = [&](std::string_view name) {
    const std::string word = names.take(name);
    REQUIRE_MESSAGE(all.insert(word).second, word << " is there twice");
    return word;
  };
  CHECK(take("builder") == "builder_1");
  CHECK(take("class") == "class_1");
  CHECK(take("a_2") == "a_2");
  CHECK(take("a") == "a");
  CHECK(take("a") == "a_1");
  CHECK(take("a") == "a_3");
  CHECK(take("a_1") == "a_1_1");
  // Each after all before it would be a thousand million words.
  constexpr int count = 50'000;
  for (int i = 0; i < count; ++i) take(i % 2 == 0 ? "\u5c64" : "---");
  CHECK(all.size() == 2 + 7 + count);
}

TEST_CASE("javascript: dimensions need sizes") {
  Graph open = graph_of("%x = input float32[4]\n%y = relu(%x)\noutput \"y\" = %y\n");
  open.add_named_dimension({open.inputs()[0], 0, "batch"});
  CHECK_THROWS_WITH_AS(javascript_parts(open), "the dimension 'batch' of the input 'x' has no size", Error);
}

TEST_CASE("javascript: weights that no module can hold need a file") {
  constexpr std::size_t count = 400u << 20;
  const std::shared_ptr<std::byte[]> memory(new std::byte[count]);  // never touched, so it takes no memory
  Graph graph;
  const ValueId large =
      graph.add_constant("w", {DataType::uint8, {std::uint32_t(count)}}, Bytes(memory, {memory.get(), count}));
  graph.add_output("y", large);
  CHECK_THROWS_AS(javascript_format.write(graph, {.file = "m.js", .weights = WeightsPlace::in_graph}), Error);
  CHECK(javascript_format.write(graph, {.file = "m.js", .weights = WeightsPlace::external}).files.size() == 2);
}

TEST_CASE("javascript: a builder that records the calls gets the graph that was written") {
  if (!has_node()) return skip(no_node);
  const Graph mixed = mixed_graph(), hostile = hostile_graph();
  const Graph digits = loaded(source_dir() / "models/digits/digits.json");
  check_built({{"mixed", &mixed}, {"mixed inline", &mixed}, {"hostile", &hostile}, {"digits", &digits}});
  std::vector<fs::path> files;
  for (const Operator& op : operator_table())
    if (is_specified(op.name)) files.push_back(source_dir() / "tests/operators" / (std::string(op.name) + ".json"));
  check_vectors_built(files);
}

TEST_CASE("javascript: values may have the names of everything that a module uses") {
  if (!has_node()) return skip(no_node);
  const ScratchFolder scratch;
  std::set<std::string> words;
  for (const WeightsPlace place : {WeightsPlace::external, WeightsPlace::in_graph}) {
    write_module(mixed_graph(), scratch.path() / "m.js", place);
    const std::string module = read_file(scratch.path() / "m.js");
    const std::regex word("[A-Za-z_][A-Za-z_0-9]*");
    for (std::sregex_iterator at(module.begin(), module.end(), word), end; at != end; ++at) words.insert(at->str());
  }
  REQUIRE(words.contains("tensorArray"));
  Graph graph;
  const OperandDescriptor pair{DataType::float32, {2}};
  ValueId last = graph.add_input("first", pair);
  const ValueId ones = graph.add_constant("ones", pair, Bytes(std::vector<std::byte>(8)));
  for (const std::string& word : words) {
    const std::string names[] = {word};
    if (!graph.find_value(word).valid())
      last = graph.node(graph.add_node("add"_op, {last, ones}, Attributes(), names)).outputs[0];
  }
  graph.add_output("result", last);
  check_built({{"words", &graph}, {"words inline", &graph}});
}

TEST_CASE("javascript: a builder that records the calls gets the graphs of the vectors and real models") {
  WEBNN_REQUIRE_CORPUS(folder);
  if (!has_node()) return skip(no_node);
  check_vectors_built(vector_files(folder / "wpt/conformance"));
  const Graph faces = loaded(folder / "models/ultraface-320/ultraface-320.json");
  check_built({{"ultraface", &faces}});
}

TEST_CASE("javascript: run writes the inputs, dispatches and reads the outputs") {
  if (!has_node()) return skip(no_node);
  for (const Graph& graph : {mixed_graph(), hostile_graph(), loaded(source_dir() / "models/digits/digits.json")}) {
    const ScratchFolder scratch;
    write_module(graph, scratch.path() / "m.mjs", WeightsPlace::external);
    const ShellResult ran = run_shell("node " + shell_word(source_dir() / "tests/javascript/runner.mjs") + " " +
                                      shell_word(scratch.path() / "m.mjs"));
    CHECK_MESSAGE(ran.output == "ran\n", ran.output);
  }
}

TEST_CASE("javascript: a page with the weights inside opens in a browser, whatever the graph's names are") {
  for (const Graph& graph : {mixed_graph(), hostile_graph()}) {
    const ScratchFolder scratch;
    write_module(graph, scratch.path() / "m.js", WeightsPlace::in_graph, true);
    std::string page = read_file(scratch.path() / "m.html");
    CHECK(page.find("alert(1)</script>") == std::string::npos);
    if (const auto document = page_without_errors(scratch.path() / "m.html"))
      CHECK(document->find("<table id=\"inputs\"><tbody><tr><td>") != std::string::npos);

    // Again with a WebNN that computes nothing, and a user who presses the button.
    page.insert(page.find("<script"),
                "<script>" + read_file(source_dir() / "tests/javascript/idle_webnn.js") + "</script>");
    page.insert(page.rfind("</body>"), "<script type=\"module\">document.getElementById('start').click();</script>");
    write_file(scratch.path() / "run.html", page);
    const auto document = page_without_errors(scratch.path() / "run.html");
    if (document) CHECK(document->find("median of 10 runs") != std::string::npos);
  }
}

}  // namespace webnn::tests::javascript_modules_test
