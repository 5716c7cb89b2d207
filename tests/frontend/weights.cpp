// Weights files: manifests, safetensors, and what is refused.
#include "compiler/frontend/weights.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <string>

#include "compiler/frontend/binary/binary_writer.hpp"
#include "compiler/frontend/json/json_writer.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/weights_writer.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::weights_test {
namespace {

using namespace webnn::compiler;

std::string floats(std::initializer_list<float> values) {
  std::string text(values.size() * sizeof(float), '\0');
  std::memcpy(text.data(), values.begin(), text.size());
  return text;
}

const std::string header("WGWT\x01\0\0\0", 8);

/// A graph with the float32 constants `names`, each of two elements.
std::string graph_with(std::initializer_list<std::string> names) {
  std::string constants, nodes;
  for (const std::string& name : names) {
    if (!constants.empty()) (constants += ", "), (nodes += ", ");
    constants += "\"" + name + R"(": {"dataType": "float32", "shape": [2], "init": {"kind": "weights", "ref": ")" +
                 name + "\"}}";
    nodes += R"({"id": "n_)" + name + R"(", "op": "relu", "inputs": [")" + name + "\"]}";
  }
  return R"({"format": "webnn-graph-json", "version": 2, "inputs": {}, "consts": {)" + constants + R"(}, "nodes": [)" +
         nodes + R"(], "outputs": {"y": "n_)" + *names.begin() + "\"}}";
}

std::string manifest(const std::string& entries) {
  return R"({"format": "wg-weights-manifest", "version": 1, "endianness": "little", "tensors": {)" + entries + "}}";
}

std::string entry(const std::string& key, std::size_t offset, std::size_t length = 8) {
  return "\"" + key + R"(": {"dataType": "float32", "shape": [2], "byteOffset": )" + std::to_string(offset) +
         R"(, "byteLength": )" + std::to_string(length) + "}";
}

std::string safetensors(const std::string& json, const std::string& data) {
  std::string text(8, '\0');
  const std::uint64_t size = json.size();
  std::memcpy(text.data(), &size, 8);
  return text + json + data;
}

/// A model folder with m.json in it.
struct Model {
  explicit Model(const std::string& graph) { put("m.json", graph); }
  void put(const std::string& name, const std::string& content) { write_file(folder.path() / name, content); }
  std::optional<Graph> load() {
    diagnostics = {};
    return load_graph(folder.path() / "m.json", {}, diagnostics);
  }
  /// The diagnostics, with the folder's name and the lines of files left out.
  std::string report() {
    CHECK_FALSE(load());
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics.all()) text += render(diagnostic);
    const std::string prefix = folder.path().string();
    for (auto at = text.find(prefix); at != text.npos; at = text.find(prefix)) text.replace(at, prefix.size(), "F");
    return text;
  }

  ScratchFolder folder;
  Diagnostics diagnostics;
};

float element(const Graph& graph, std::string_view name, std::size_t index) {
  const Value& value = graph.value(graph.find_value(name));
  CHECK(reinterpret_cast<std::uintptr_t>(value.data.data()) % alignof(float) == 0);
  return float(load_element(value.descriptor.type, value.data.data(), index).as_double());
}

}  // namespace

TEST_CASE("weights: a .weights file with its header, and one without") {
  for (const std::string& start : {header, std::string()}) {
    Model model(graph_with({"a", "b"}));
    model.put("m.weights", start + floats({1, 2, 3, 4}));
    model.put("m.manifest.json", manifest(entry("b", start.size()) + ", " + entry("a", start.size() + 8)));
    const auto graph = model.load();
    REQUIRE_MESSAGE(graph, render(model.diagnostics));
    CHECK(element(*graph, "b", 0) == 1);
    CHECK(element(*graph, "a", 1) == 4);
    CHECK(model.diagnostics.all().empty());
  }
}

TEST_CASE("weights: a constant that is misaligned in its file is moved") {
  Model model(graph_with({"a"}));
  model.put("m.weights", header + "x" + floats({1, 2}));
  model.put("m.manifest.json", manifest(entry("a", 9)));
  const auto graph = model.load();
  REQUIRE(graph);
  CHECK(element(*graph, "a", 0) == 1);
}

TEST_CASE("weights: files are looked for in the order of other tools") {
  const auto tensors = [](float value) {
    return safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", floats({value, value}));
  };
  Model model(graph_with({"a"}));
  CHECK(model.report().find("there is no weights file in 'F' (/consts/a/init/ref)") != std::string::npos);
  model.put("model.weights", floats({1, 1}));
  CHECK(model.report().find("the weights file has no manifest beside it") != std::string::npos);
  model.put("m.manifest.json", manifest(entry("a", 0)));
  const auto first = [&] { return element(*model.load(), "a", 0); };
  CHECK(first() == 1);
  model.put("m.weights", floats({2, 2, 3, 3}));
  CHECK(first() == 2);
  model.put("manifest.json", "{\"name\": \"a web application\"}");
  CHECK(first() == 2);
  model.put("manifest.json", manifest(entry("a", 8)));
  CHECK(first() == 3);
  model.put("m.safetensors", tensors(4));
  CHECK(first() == 4);
  model.put("model.safetensors", tensors(5));
  CHECK(first() == 5);

  LoadOptions named;
  named.weights_file = model.folder.path() / "m.weights";
  Diagnostics diagnostics;
  const auto graph = load_graph(model.folder.path() / "m.json", named, diagnostics);
  REQUIRE(graph);
  CHECK(element(*graph, "a", 0) == 2);
}

TEST_CASE("weights: a file that is named and would not be read is refused") {
  Model model(graph_with({"a"}));
  model.put("m.safetensors",
            safetensors(R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}})", floats({1, 2})));
  LoadOptions named;
  named.weights_file = model.folder.path() / "m.safetensors";
  const auto problem = [&](const std::string& file) -> std::string {
    Diagnostics diagnostics;
    try {
      load_graph(model.folder.path() / file, named, diagnostics);
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::usage);
      return error.what();
    }
    return {};
  };
  CHECK(problem("m.json").empty());
  model.put("alone.json", R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [2]}},
    "nodes": [{"id": "y", "op": "relu", "inputs": ["x"]}], "outputs": {"y": "y"}})");
  CHECK(problem("alone.json").starts_with("a weights file is given, but no constant of '"));
  model.put("alone.webnn",
            "webnn_graph \"g\" v1 {\n  inputs { x: f32[2]; }\n  nodes { y = relu(x); }\n  outputs { y; }\n}\n");
  CHECK(problem("alone.webnn").starts_with("a weights file is given, but no constant of '"));
  std::string binary;
  write_binary_graph(*model.load(), [&](std::span<const std::byte> piece) { binary += text_of(piece); });
  model.put("m.wnnb", binary);
  CHECK(problem("m.wnnb").ends_with("m.wnnb' has its weights in itself"));
}

TEST_CASE("weights: files outside the model's folder are never read") {
  Model model(graph_with({"a", "b"}));
  const ScratchFolder elsewhere;
  write_file(elsewhere.path() / "secret", floats({1, 2}));
  model.put("m.manifest.json", manifest(entry("a", 0) + ", " + entry("b", 0)));
  std::filesystem::create_symlink(elsewhere.path() / "secret", model.folder.path() / "m.weights");
  CHECK(model.report() ==
        "F/m.weights: error[WNN0507]: the weights file is a symbolic link that cannot be followed within the model's "
        "folder\n"
        "  hint: copy the file itself into the model's folder, or name it with --weights-file\n");
  std::filesystem::remove(model.folder.path() / "m.weights");
  std::filesystem::create_hard_link(elsewhere.path() / "secret", model.folder.path() / "m.weights");
  CHECK(model.report().starts_with("F/m.weights: error[WNN0507]: the weights file has a second name elsewhere"));

  Diagnostics diagnostics;
  CHECK_FALSE(read_graph(graph_with({"a"}), {}, diagnostics));
  CHECK(diagnostics.all()[0].code == Code::weights_missing);
}

TEST_CASE("weights: entries of a manifest that do not fit are reported, others are used") {
  Model model(graph_with({"good", "beyond", "in_header", "huge", "missing", "wrong_type", "wrong_shape", "no_offset"}));
  model.put("m.weights", header + floats({1, 2}));
  model.put("m.manifest.json",
            manifest(entry("good", 8) + ",\n" + entry("beyond", 12) + ",\n" + entry("in_header", 4) + ",\n" +
                     entry("huge", 8, 18446744073709551615u) + ",\n" +
                     R"("wrong_type": {"dataType": "int32", "shape": [2], "byteOffset": 8, "byteLength": 8},
"wrong_shape": {"dataType": "float32", "shape": [2, 1], "byteOffset": 8, "byteLength": 8},
"no_offset": {"dataType": "float32", "shape": [2], "byteLength": -1, "layout": "column-major"})"));
  CHECK(model.report() ==
        "F/m.manifest.json:2:11: error[WNN0506]: the entry's 8 bytes at 12 reach beyond the weights file, which has 16 "
        "bytes (/tensors/beyond)\n"
        "F/m.manifest.json:3:14: error[WNN0506]: the entry begins within the header of the weights file "
        "(/tensors/in_header)\n"
        "F/m.manifest.json:4:9: error[WNN0506]: the entry's 18446744073709551615 bytes at 8 reach beyond the weights "
        "file, which has 16 bytes (/tensors/huge)\n"
        "F/m.manifest.json:7:14: error[WNN0505]: the entry has no 'byteOffset' (/tensors/no_offset)\n"
        "F/m.manifest.json:7:66: error[WNN0505]: 'byteLength' must be an integer from 0 to 2^64 - 1, found -1 "
        "(/tensors/no_offset/byteLength)\n"
        "F/m.manifest.json:7:80: error[WNN0505]: the only layout is 'row-major' (/tensors/no_offset/layout)\n"
        "F/m.json:1:533: error[WNN0504]: there is no tensor 'missing' in 'F/m.weights' (/consts/missing/init/ref)\n"
        "F/m.json:1:633: error[WNN0502]: the constant is float32[2], but the tensor in 'F/m.weights' is int32[2] "
        "(/consts/wrong_type/init/ref)\n"
        "F/m.json:1:737: error[WNN0502]: the constant is float32[2], but the tensor in 'F/m.weights' is float32[2, 1] "
        "(/consts/wrong_shape/init/ref)\n");
}

TEST_CASE("weights: a manifest that is none, and a version that is unknown") {
  Model model(graph_with({"a"}));
  model.put("m.weights", std::string("WGWT\x02\0\0\0", 8) + floats({1, 2}));
  model.put("m.manifest.json", manifest(entry("a", 8)));
  CHECK(model.report() == "F/m.weights: error[WNN0505]: the weights file has version 2, only 1 is known\n");
  model.put("m.weights", header + floats({1, 2}));
  for (const char* bad : {"[]", "{}", R"({"format": "wg-weights-manifest", "version": 2, "tensors": {}})",
                          R"({"format": "wg-weights-manifest", "version": 1, "endianness": "big", "tensors": {}})",
                          R"({"format": "wg-weights-manifest", "version": 1, "tensors": []})", "{"}) {
    CAPTURE(bad);
    model.put("m.manifest.json", bad);
    CHECK(model.report().starts_with("F/m.manifest.json:1:"));
  }
}

TEST_CASE("safetensors: tensors by key, bfloat16 widened, keys that other writers respell") {
  Model model(R"({"format": "webnn-graph-json", "version": 2, "inputs": {}, "consts": {
    "layer.0::w": {"dataType": "float32", "shape": [2], "init": {"kind": "weights", "ref": "layer.0::w"}},
    "b": {"dataType": "float32", "shape": [1], "init": {"kind": "weights", "ref": "b"}},
    "n": {"dataType": "int4", "shape": [3], "init": {"kind": "weights", "ref": "n"}}},
    "nodes": [{"id": "y", "op": "add", "inputs": ["layer.0::w", "b"]}], "outputs": {"y": "y"}})");
  model.put("m.safetensors",
            safetensors(R"({"__metadata__":{"format":"pt"},"b":{"dtype":"BF16","shape":[1],"data_offsets":[8,10]},
                "layer_0__w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
                "n":{"dtype":"U8","shape":[2],"data_offsets":[10,12]},
                "other":{"dtype":"F64","shape":[0],"data_offsets":[12,12]}})",
                        floats({5, 6}) + std::string("\xc0\x3f", 2) + std::string("\x21\x03", 2)));
  const auto graph = model.load();
  REQUIRE_MESSAGE(graph, render(model.diagnostics));
  CHECK(element(*graph, "layer.0::w", 1) == 6);
  CHECK(element(*graph, "b", 0) == 1.5f);
  CHECK(load_element(DataType::int4, graph->value(graph->find_value("n")).data.data(), 2) == Number(3));
  REQUIRE(model.diagnostics.all().size() == 1);
  CHECK(model.diagnostics.all()[0].code == Code::legacy_spelling);
}

TEST_CASE("safetensors: damaged headers, overlaps and ambiguous keys are refused") {
  Model model(graph_with({"a.b"}));
  const auto report = [&](const std::string& content) {
    model.put("m.safetensors", content);
    return model.report();
  };
  const std::string data = floats({1, 2, 3, 4});
  CHECK(report("abc") == "F/m.safetensors: error[WNN0505]: this is no safetensors file: it is shorter than 8 bytes\n");
  CHECK(report(std::string("\0\0\0\0\0\0\0\x7f", 8)) ==
        "F/m.safetensors: error[WNN0505]: the safetensors header would have 9151314442816847872 bytes, at most 16 MiB "
        "are read\n");
  CHECK(report(std::string("\x10\0\0\0\0\0\0\0{", 9)) ==
        "F/m.safetensors: error[WNN0505]: the safetensors header should have 16 bytes, but the file ends after 1 of "
        "them\n");
  CHECK(report(safetensors("[]", "")) ==
        "F/m.safetensors: error[WNN0505]: the safetensors header must be an object, found an array\n");
  CHECK(report(safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
                               "b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                           data)) == "F/m.safetensors: error[WNN0505]: the tensor 'b' overlaps 'a' (/b)\n");
  CHECK(report(safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{}})", data))
            .find("is given twice") != std::string::npos);
  CHECK(report(safetensors(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,7]}})", data))
            .find("do not fit its type") != std::string::npos);
  CHECK(report(safetensors(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", data))
            .find("do not fit its type") != std::string::npos);
  CHECK(report(safetensors(R"({"a":{"dtype":"F32","shape":[8],"data_offsets":[0,32]}})", data))
            .find("beyond the file's") != std::string::npos);
  CHECK(report(safetensors(R"({"a":{"dtype":"F99","shape":[8],"data_offsets":[0,32]}})", data))
            .find("unknown type 'F99'") != std::string::npos);
  Model other(graph_with({"a..b"}));
  other.put("m.safetensors", safetensors(R"({"a__b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
                                             "a::b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
                                         data));
  CHECK(other.report().find("several tensors of 'F/m.safetensors' are spelt like 'a..b'") != std::string::npos);
}

TEST_CASE("weights writer: constants written beside the graph read back the same") {
  Diagnostics diagnostics;
  const auto graph = read_graph(read_file(source_dir() / "tests/frontend/good-constants.json"), {}, diagnostics);
  REQUIRE(graph);
  const std::string inline_form = write_json_graph(*graph, WeightsStyle::inline_bytes);
  Model model(write_json_graph(*graph, WeightsStyle::by_reference));
  std::string weights;
  write_weights(*graph, [&](std::string_view piece) { weights += piece; });
  model.put("m.weights", weights);
  model.put("m.manifest.json", write_weights_manifest(*graph));
  const auto again = model.load();
  REQUIRE_MESSAGE(again, render(model.diagnostics));
  CHECK(write_json_graph(*again, WeightsStyle::inline_bytes) == inline_form);
  CHECK_THROWS_AS(write_safetensors(*graph, [](std::string_view) {}), Error);
}

TEST_CASE("weights writer: safetensors read back the same") {
  Diagnostics diagnostics;
  const auto graph =
      read_graph(read_file(source_dir() / "tests/frontend/good-rewritten-operators.json"), {}, diagnostics);
  REQUIRE(graph);
  Model model(write_json_graph(*graph, WeightsStyle::by_reference));
  std::string weights;
  write_safetensors(*graph, [&](std::string_view piece) { weights += piece; });
  model.put("m.safetensors", weights);
  const auto again = model.load();
  REQUIRE_MESSAGE(again, render(model.diagnostics));
  CHECK(write_json_graph(*again, WeightsStyle::inline_bytes) == write_json_graph(*graph, WeightsStyle::inline_bytes));
}

}  // namespace webnn::tests::weights_test
