// `webnn-cli convert`, run in-process: what goes through another form comes back the same, and no file is lost.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::convert_test {
namespace {

namespace fs = std::filesystem;

struct Ran {
  int code = 0;
  std::string out, err;
};

Ran run(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  cli::Console console{out, err};
  const int code = cli::run_command_line(arguments, console);
  return {code, out.str(), err.str()};
}

/// Runs and requires success.
std::string succeed(const std::vector<std::string>& arguments) {
  const Ran ran = run(arguments);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return ran.out;
}

std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

constexpr const char* small_model = R"({"format": "webnn-graph-json", "version": 2, "name": "small",
  "inputs": {"x": {"dataType": "float32", "shape": [{"name": "batch", "maxSize": 4}, 2]}},
  "consts": {"w": {"dataType": "float32", "shape": [2, 2],
                   "init": {"kind": "inlineBytes", "bytes": [0,0,128,63, 0,0,0,64, 0,0,64,64, 0,0,128,64]}},
             "half": {"dataType": "float16", "shape": [], "init": {"kind": "scalar", "value": 0.5}},
             "big": {"dataType": "int64", "shape": [], "init": {"kind": "scalar", "value": "9007199254740993"}},
             "c": {"dataType": "float32", "shape": [2], "init": {"kind": "scalar", "value": "-Infinity"}}},
  "nodes": [{"id": "y", "op": "gemm", "inputs": ["x", "w"], "options": {"c": "c", "alpha": 0.1}},
            {"id": "parts", "op": "split", "inputs": ["y"], "options": {"splits": 2, "axis": 1}, "outputs": ["a", "b"]},
            {"id": "h", "op": "identity", "inputs": ["half"]},
            {"id": "g", "op": "neg", "inputs": ["big"], "options": {"label": "quoted \"label\" \\ \u00e9"}}],
  "outputs": {"a": "a", "b": "b", "h": "h", "g": "g"}})";

/// A folder with the model above in it.
struct Workshop {
  Workshop() { write_file(path("small.json"), small_model); }
  std::string path(const std::string& name) const { return (scratch.path() / name).string(); }
  std::string content(const std::string& name) const { return read_file(scratch.path() / name); }
  ScratchFolder scratch;
};

}  // namespace

TEST_CASE("cli convert: JSON comes back the same from text, whatever form the weights take") {
  const Workshop shop;
  succeed({"convert", shop.path("small.json"), "-o", shop.path("canonical.json"), "--weights", "inline"});
  for (const std::string weights : {"manifest", "safetensors", "inline"}) {
    CAPTURE(weights);
    const std::string folder = weights + "/";
    succeed({"convert", shop.path("small.json"), "-o", shop.path(folder + "m.webnn"), "--weights", weights});
    succeed({"convert", shop.path(folder + "m.webnn"), "-o", shop.path(folder + "back.json"), "--weights", "inline"});
    CHECK(shop.content(folder + "back.json") == shop.content("canonical.json"));
    succeed({"validate", shop.path(folder)});
  }
  CHECK(files_of(shop.path("manifest")) ==
        std::vector<std::string>{"back.json", "m.manifest.json", "m.webnn", "m.weights"});
  CHECK(files_of(shop.path("safetensors")) == std::vector<std::string>{"back.json", "m.safetensors", "m.webnn"});
  CHECK(files_of(shop.path("inline")) == std::vector<std::string>{"back.json", "m.webnn"});
  CHECK(shop.content("inline/m.webnn").find("half: f16[] @scalar(0.5);") != std::string::npos);
  CHECK(shop.content("inline/m.webnn").find("big: i64[] @scalar(\"9007199254740993\");") != std::string::npos);
}

TEST_CASE("cli convert: JSON comes back the same from a binary file, which needs nothing beside it") {
  const Workshop shop;
  succeed({"convert", shop.path("small.json"), "-o", shop.path("canonical.json"), "--weights", "inline"});
  succeed({"convert", shop.path("small.json"), "-o", shop.path("b/m.wnnb")});
  succeed({"convert", shop.path("b/m.wnnb"), "-o", shop.path("b/m.webnn"), "--weights", "inline"});
  succeed({"convert", shop.path("b/m.webnn"), "-o", shop.path("b/again.wnnb")});
  CHECK(shop.content("b/again.wnnb") == shop.content("b/m.wnnb"));
  succeed({"convert", shop.path("b/m.wnnb"), "-o", shop.path("b/back.json"), "--weights", "inline"});
  succeed({"inspect", shop.path("b/back.json"), "--diff", shop.path("canonical.json")});
  CHECK(files_of(shop.path("b")) == std::vector<std::string>{"again.wnnb", "back.json", "m.webnn", "m.wnnb"});
  CHECK(run({"convert", shop.path("small.json"), "-o", shop.path("x.wnnb"), "--weights", "manifest"}).code == 2);
}

TEST_CASE("cli convert: every command that takes a graph takes a binary one") {
  const Workshop shop;
  succeed({"convert", shop.path("small.json"), "-o", shop.path("m.wnnb")});
  const std::vector<std::string> inputs{"--input", "x=[[1,2],[3,4]]", "--dim", "batch=2"};
  const auto result = [&](const std::string& model) {
    std::vector<std::string> arguments{"run", shop.path(model)};
    arguments.insert(arguments.end(), inputs.begin(), inputs.end());
    return succeed(arguments);
  };
  CHECK(result("m.wnnb") == result("small.json"));
  CHECK(succeed({"validate", shop.path("m.wnnb")}).find("m.wnnb: valid (4 nodes, 4 constants") != std::string::npos);
  CHECK(succeed({"inspect", shop.path("m.wnnb")}).find("quoted") ==
        succeed({"inspect", shop.path("small.json")}).find("quoted"));
  succeed({"compile", shop.path("m.wnnb"), "-o", shop.path("b.wnnc"), "--dim", "batch=2"});
  succeed({"compile", shop.path("small.json"), "-o", shop.path("j.wnnc"), "--dim", "batch=2"});
  CHECK(shop.content("b.wnnc") == shop.content("j.wnnc"));
}

TEST_CASE("cli convert: damaged weights of a binary file are never used") {
  const Workshop shop;
  succeed({"convert", shop.path("small.json"), "-o", shop.path("m.wnnb")});
  std::string content = shop.content("m.wnnb");
  content[content.size() - 64 * 3] ^= 1;  // constants lie 64 bytes apart
  write_file(shop.path("bad.wnnb"), content);
  const auto refused = [&](std::vector<std::string> arguments) {
    CAPTURE(arguments[0]);
    const Ran ran = run(arguments);
    CHECK(ran.code == 3);
    CHECK(ran.err.find("bad.wnnb: error[WNN0110]: the constant") != std::string::npos);
  };
  refused({"validate", shop.path("bad.wnnb")});
  refused({"run", shop.path("bad.wnnb"), "--fill", "ones", "--dim", "batch=1"});
  refused({"compile", shop.path("bad.wnnb"), "-o", shop.path("bad.wnnc"), "--dim", "batch=1"});
  refused({"convert", shop.path("bad.wnnb"), "-o", shop.path("bad.json")});
  succeed({"inspect", shop.path("bad.wnnb")});  // reads no weights
}

TEST_CASE("cli convert: the canonical form is a fixed point") {
  const Workshop shop;
  succeed({"convert", shop.path("small.json"), "-o", shop.path("one.json"), "--weights", "inline"});
  succeed({"convert", shop.path("one.json"), "-o", shop.path("two.json"), "--weights", "inline"});
  CHECK(shop.content("one.json") == shop.content("two.json"));
}

TEST_CASE("cli convert: keep refers to the weights that are there, under their own keys") {
  const Workshop shop;
  write_file(shop.path("m.json"), R"({"format": "webnn-graph-json", "version": 1, "inputs": {},
    "consts": {"a": {"dataType": "float32", "shape": [1], "init": {"kind": "weights", "ref": "key of a"}},
               "b": {"dataType": "float32", "shape": [1], "init": {"kind": "scalar", "value": 2}}},
    "nodes": [{"id": "y", "op": "add", "inputs": ["a", "b"]}], "outputs": {"y": "y"}})");
  write_file(shop.path("m.weights"), std::string("\0\0\x80\x3f", 4));
  write_file(shop.path("m.manifest.json"), R"({"format": "wg-weights-manifest", "version": 1, "tensors": {
    "key of a": {"byteOffset": 0, "byteLength": 4}}})");
  succeed({"convert", shop.path("m.json"), "-o", shop.path("m.webnn"), "--weights", "keep"});
  CHECK(shop.content("m.webnn").find("a: f32[1] @weights(\"key of a\");") != std::string::npos);
  CHECK(shop.content("m.webnn").find("b: f32[1] @scalar(2.0);") != std::string::npos);
  CHECK(fs::file_size(shop.path("m.weights")) == 4);
  CHECK(succeed({"run", shop.path("m.webnn"), "--output-format", "json"}).find('3') != std::string::npos);
  // And from the text to JSON, in the same place.
  const Ran back = run({"convert", shop.path("m.webnn"), "-o", shop.path("m.json"), "--weights", "keep", "--force"});
  CHECK(back.code == 0);
  CHECK(back.err.find("note:") == std::string::npos);
  CHECK(shop.content("m.json").find(R"("ref": "key of a")") != std::string::npos);
  const Ran moved = run({"convert", shop.path("m.json"), "-o", shop.path("other.json"), "--weights", "keep"});
  CHECK(moved.err.find("note: the weights stay where they are") != std::string::npos);
}

TEST_CASE("cli convert: nothing is overwritten unless told, and a refused conversion writes nothing") {
  const Workshop shop;
  write_file(shop.path("out/m.weights"), "precious");
  const Ran refused = run({"convert", shop.path("small.json"), "-o", shop.path("out/m.webnn")});
  CHECK(refused.code == 2);
  CHECK(refused.err.find("m.weights' exists\nhint: --force overwrites it") != std::string::npos);
  CHECK(shop.content("out/m.weights") == "precious");
  CHECK(files_of(shop.path("out")) == std::vector<std::string>{"m.weights"});
  succeed({"convert", shop.path("small.json"), "-o", shop.path("out/m.webnn"), "--force"});
  CHECK(shop.content("out/m.weights").starts_with("WGWT"));
}

TEST_CASE("cli convert: weights that a reader would not find are refused") {
  const Workshop shop;
  write_file(shop.path("out/model.safetensors"), "");
  const Ran ran = run({"convert", shop.path("small.json"), "-o", shop.path("out/m.webnn")});
  CHECK(ran.code == 2);
  CHECK(ran.err.find("model.safetensors' would be read instead of the weights of") != std::string::npos);
  succeed({"convert", shop.path("small.json"), "-o", shop.path("out/m.webnn"), "--weights", "inline"});

  write_file(shop.path("two/manifest.json"), R"({"format": "wg-weights-manifest", "version": 1, "tensors": {}})");
  CHECK(run({"convert", shop.path("small.json"), "-o", shop.path("two/m.webnn")}).code == 2);
  succeed({"convert", shop.path("small.json"), "-o", shop.path("two/m.json"), "--weights", "safetensors"});
  write_file(shop.path("three/manifest.json"), R"({"name": "a web application"})");
  succeed({"convert", shop.path("small.json"), "-o", shop.path("three/m.webnn")});
  succeed({"validate", shop.path("three/m.webnn")});
}

TEST_CASE("cli convert: names without a text form are refused, or renamed with a map beside the output") {
  const Workshop shop;
  write_file(shop.path("names.json"), R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"input:0": {"dataType": "float32", "shape": [1]}},
    "nodes": [{"id": "a b", "op": "relu", "inputs": ["input:0"]}], "outputs": {"a b": "a b"}})");
  const Ran refused = run({"convert", shop.path("names.json"), "-o", shop.path("out/names.webnn")});
  CHECK(refused.code == 3);
  CHECK(refused.err.find("'input:0', 'a b'") != std::string::npos);
  CHECK_FALSE(fs::exists(shop.path("out")));
  succeed({"convert", shop.path("names.json"), "-o", shop.path("out/names.webnn"), "--rename"});
  CHECK(shop.content("out/names.names.json") ==
        "{\n  \"schema\": \"webnn-cli/names/1\",\n  \"names\": {\n    \"v0\": \"input:0\",\n    \"v1\": \"a b\"\n  "
        "}\n}\n");
  succeed({"validate", shop.path("out")});
  CHECK(succeed({"run", shop.path("out/names.webnn"), "--input", "v0=[-1]", "--output-format", "json"}).find("v1") !=
        std::string::npos);
}

TEST_CASE("cli convert: an output that cannot keep its name is refused, or in the map") {
  const Workshop shop;
  write_file(shop.path("state.json"), R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"state": {"dataType": "float32", "shape": [1]}, "a b": {"dataType": "float32", "shape": [1]}},
    "nodes": [{"id": "n", "op": "add", "inputs": ["state", "a b"]}], "outputs": {"state": "n", "v0": "n"}})");
  const Ran refused = run({"convert", shop.path("state.json"), "-o", shop.path("out/state.webnn")});
  CHECK(refused.code == 3);
  CHECK(refused.err.find("'a b', 'state' (an input has it)") != std::string::npos);
  CHECK(refused.err.find("use --rename") != std::string::npos);
  succeed({"convert", shop.path("state.json"), "-o", shop.path("out/state.webnn"), "--rename"});
  CHECK(shop.content("out/state.names.json") ==
        "{\n  \"schema\": \"webnn-cli/names/1\",\n  \"names\": {\n    \"v1\": \"a b\",\n    \"state_1\": \"state\"\n  "
        "}\n}\n");
}

TEST_CASE("cli convert: ONNX has its weights inside or beside it, and needs sizes for all dimensions") {
  const Workshop shop;
  const Ran open = run({"convert", shop.path("small.json"), "-o", shop.path("out/m.onnx")});
  CHECK(open.code == 4);
  CHECK(open.err.find("the dimension 'batch' of the input 'x' has no size") != std::string::npos);
  CHECK(open.err.find("hint: ONNX files are written for fixed sizes: give each with --dim") != std::string::npos);
  CHECK(!fs::exists(shop.path("out/m.onnx")));
  succeed({"convert", shop.path("small.json"), "-o", shop.path("out/m.onnx"), "--dim", "batch=3"});
  CHECK(files_of(shop.path("out")) == std::vector<std::string>{"m.onnx"});
  CHECK(shop.content("out/m.onnx").find("webnn-cli") != std::string::npos);  // its producer
  succeed(
      {"convert", shop.path("small.json"), "-o", shop.path("out/n.onnx"), "--dim", "batch=3", "--weights", "external"});
  CHECK(files_of(shop.path("out")) == std::vector<std::string>{"m.onnx", "n.onnx", "n.onnx.data"});
  for (const std::string size : {"batch=5", "batches=3", "batch=x"})
    CHECK(run({"convert", shop.path("small.json"), "-o", shop.path("o.onnx"), "--dim", size}).code == 2);
  CHECK(run({"convert", shop.path("small.json"), "-o", shop.path("o.onnx"), "--weights", "manifest"}).code == 2);
  CHECK(run({"convert", shop.path("small.json"), "-o", shop.path("o.json"), "--weights", "external"}).code == 2);
}

TEST_CASE("cli convert: JavaScript has its weights beside it or inside, and a page that runs it") {
  const Workshop shop;
  const std::string model = shop.path("small.json");
  const Ran open = run({"convert", model, "-o", shop.path("out/m.js")});
  CHECK(open.code == 4);
  CHECK(open.err.find("hint: MLGraphBuilder takes fixed sizes: give each with --dim") != std::string::npos);
  succeed({"convert", model, "-o", shop.path("out/m.js"), "--dim", "batch=3", "--html"});
  CHECK(files_of(shop.path("out")) == std::vector<std::string>{"m.bin", "m.html", "m.js"});
  CHECK(shop.content("out/m.html").find("import * as model from \"./m.js\"") != std::string::npos);
  CHECK(run({"convert", model, "-o", shop.path("out/m.js"), "--dim", "batch=3"}).code == 2);  // the files exist
  succeed({"convert", model, "-o", shop.path("inside/m.js"), "--dim", "batch=3", "--weights", "inline"});
  CHECK(files_of(shop.path("inside")) == std::vector<std::string>{"m.js"});
  CHECK(succeed({"convert", model, "-o", "-", "--to", "javascript", "--dim", "batch=3"}) ==
        shop.content("inside/m.js"));
  const Ran page = run({"convert", model, "-o", shop.path("n.json"), "--html"});
  CHECK(page.code == 2);
  CHECK(page.err.find("hint: it goes with javascript") != std::string::npos);
}

TEST_CASE("cli convert: named dimensions get the sizes of --dim in every form") {
  const Workshop shop;
  succeed({"convert", shop.path("small.json"), "-o", shop.path("fixed.webnn"), "--dim", "batch=3"});
  CHECK(shop.content("fixed.webnn").find("x: f32[3, 2];") != std::string::npos);
}

TEST_CASE("cli convert: the form follows the output's name or --to") {
  const Workshop shop;
  const Ran unknown = run({"convert", shop.path("small.json"), "-o", shop.path("m.txt")});
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find(
            "hint: let it end with .json, .webnn, .wnnb, .onnx or .js, or give --to json, text, binary, onnx or "
            "javascript") != std::string::npos);
  succeed({"convert", shop.path("small.json"), "-o", shop.path("m.txt"), "--to", "text", "--weights", "inline"});
  CHECK(shop.content("m.txt").starts_with("webnn_graph \"small\" v2"));
  CHECK(run({"convert", shop.path("small.json"), "-o", shop.path("m.json"), "--weights", "base64"}).code == 2);
  CHECK(run({"convert", shop.path("missing.json"), "-o", shop.path("m.json")}).code == 6);
}

TEST_CASE("cli convert: safetensors has no 4-bit types, which is said before anything is written") {
  const Workshop shop;
  write_file(shop.path("q.json"), R"({"format": "webnn-graph-json", "version": 2, "inputs": {},
    "consts": {"q": {"dataType": "int4", "shape": [3], "init": {"kind": "inlineBytes", "bytes": [33, 3]}}},
    "nodes": [{"id": "y", "op": "identity", "inputs": ["q"]}], "outputs": {"y": "y"}})");
  CHECK(run({"convert", shop.path("q.json"), "-o", shop.path("out/q.json"), "--weights", "safetensors"}).code == 3);
  CHECK(files_of(shop.path("out")).empty());
  succeed({"convert", shop.path("q.json"), "-o", shop.path("out/q.webnn")});
  succeed({"convert", shop.path("out/q.webnn"), "-o", shop.path("out/back.json"), "--weights", "inline"});
  CHECK(shop.content("out/back.json").find(R"("bytes": [33,3])") != std::string::npos);
}

TEST_CASE("cli convert: real models run the same after text and safetensors") {
  WEBNN_REQUIRE_CORPUS(corpus);
  const Workshop shop;
  const std::string model = (corpus / "models/ultraface-320/ultraface-320.json").string();
  const auto outputs = [&](const std::string& file, const std::string& folder) {
    succeed({"run", file, "--input", "input=random(seed=1)", "--outputs", shop.path(folder)});
    return shop.content(folder + "/boxes.npy") + shop.content(folder + "/scores.npy");
  };
  succeed({"convert", model, "-o", shop.path("u.webnn"), "--rename"});
  succeed({"convert", shop.path("u.webnn"), "-o", shop.path("st/u.json"), "--weights", "safetensors"});
  const std::string expected = outputs(model, "a");
  CHECK(outputs(shop.path("u.webnn"), "b") == expected);
  CHECK(outputs(shop.path("st/u.json"), "c") == expected);
}

TEST_CASE("cli inspect: a safetensors file is listed tensor by tensor") {
  const Workshop shop;
  succeed({"convert", shop.path("small.json"), "-o", shop.path("out/m.json"), "--weights", "safetensors"});
  const std::string text = succeed({"inspect", shop.path("out/m.safetensors")});
  CHECK(text.find("m.safetensors: 1 tensor, 16 B\n  16 B  w  F32[2, 2]\n") != std::string::npos);
  const std::string json = succeed({"inspect", shop.path("out/m.safetensors"), "--output-format", "json"});
  CHECK(json.find("\"schema\": \"webnn-cli/inspect-weights/1\"") != std::string::npos);
  write_file(shop.path("bad.safetensors"), "short");
  const Ran bad = run({"inspect", shop.path("bad.safetensors")});
  CHECK(bad.code == 3);
  CHECK(bad.err.find("shorter than 8 bytes") != std::string::npos);
}

}  // namespace webnn::tests::convert_test
