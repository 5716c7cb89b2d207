// The .webnn text form, read and written.
#include <doctest/doctest.h>
#include <string>

#include "compiler/frontend/json/json_writer.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/text/text_writer.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::text_form_test {
namespace {

using namespace webnn::compiler;

std::optional<Graph> read(std::string_view text, Diagnostics& diagnostics) {
  LoadOptions options;
  options.file_name = "x.webnn";
  return read_graph(text, options, diagnostics);
}

/// The diagnostics of a text that is refused.
std::string report(std::string_view text) {
  Diagnostics diagnostics;
  CHECK_FALSE(read(text, diagnostics));
  return render(diagnostics);
}

constexpr std::string_view good = R"(# a comment
webnn_graph "all \"forms\" \u00e9" v1 @quantized {
  inputs {
    x: f32[dyn("batch", 4), 2, 3, 3];  # another one
    /a.b: f32[2, 2];
  }
  consts {
    w: f32[2, 2, 1, 1] @scalar(0.5);
    b: f32[2] @bytes([0, 0, 0, 0, 0, 0, 128, 63]);
    big: u64[] @scalar(18446744073709551615);
    low: f16[1] @scalar(-Infinity);
  }
  nodes {
    y = conv2d(%x, w, bias=b, strides=[1, 1], inputLayout="nchw");
    z = conv2d(x, w, b, padding=[1, 1, 1, 1], inputLayout=nchw);
    [left, right] = split(y, splits=2, axis=1);
    r = reshape(/a.b, [4, 1]);
    c = concat([left, right], axis=1);
    d = concat(left, right, axis=1,);
    same = r;
    k = clamp(r, minValue=-1e-3, maxValue="Infinity");
    s = softmax(r, axis=0, label=null);
  }
  outputs { c; d, same; k; s }
}
)";

}  // namespace

TEST_CASE("text form: every form of the grammar is read") {
  Diagnostics diagnostics;
  const auto graph = read(good, diagnostics);
  REQUIRE_MESSAGE(graph, render(diagnostics));
  check_golden("tests/frontend/text-form.txt",
               render(diagnostics) + "----\n" + write_json_graph(*graph, WeightsStyle::inline_bytes));
}

TEST_CASE("text form: what is written reads back as the same graph") {
  Diagnostics diagnostics;
  const auto graph = read(good, diagnostics);
  REQUIRE(graph);
  const TextGraph form = write_text_graph(*graph, WeightsStyle::inline_bytes, false);
  CHECK(form.renamed.empty());
  const auto again = read(form.text, diagnostics);
  REQUIRE_MESSAGE(again, render(diagnostics));
  CHECK(write_json_graph(*again, WeightsStyle::inline_bytes) == write_json_graph(*graph, WeightsStyle::inline_bytes));
  CHECK(write_text_graph(*again, WeightsStyle::inline_bytes, false).text == form.text);
}

TEST_CASE("text form: arguments without a name are operands, then what the operator requires") {
  // Each pair of lines says the same.
  const std::pair<std::string_view, std::string_view> pairs[] = {
      {"y = cast(x, float16);", "y = cast(x, to=\"float16\");"},
      {"y = cast(x, \"float16\");", "y = cast(x, to=float16);"},
      {"y = reshape(x, [4, 1]);", "y = reshape(x, newShape=[4, 1]);"},
      {"y = slice(x, [0, 0], [1, 2]);", "y = slice(x, starts=[0, 0], sizes=[1, 2]);"},
      {"y = pad(x, [1, 1], [0, 0], mode=\"edge\");",
       "y = pad(x, beginningPadding=[1, 1], endingPadding=[0, 0], mode=edge);"},
      {"y = concat(x, x, 1);", "y = concat([x, x], axis=1);"},
      {"y = concat([x, x], 1);", "y = concat(x, [x], axis=1);"},
      {"[y, z] = split(x, 2, axis=1);", "[y, z] = split(x, {splits: 2, \"axis\": 1});"},
      {"y = squeeze(x, []);", "y = squeeze(x, axes=[]);"},
      {"y = layerNormalization(x, null, b, axes=[1]);", "y = layerNormalization(x, bias=b, axes=[1]);"},
      {"y = gemm(x, x, x, alpha=2);", "y = gemm(x, c=x, x, alpha=2);"},
      {"y = gru(s, w, w, null, null, null, 1, 1);", "y = gru(s, w, w, steps=1, hiddenSize=1);"},
  };
  const auto written = [](std::string_view node) {
    Diagnostics diagnostics;
    const auto graph =
        read("webnn_graph \"g\" v2 { inputs { x: f32[2, 2]; b: f32[2]; s: f32[1, 1, 1]; w: f32[1, 3, 1]; } nodes { " +
                 std::string(node) + " } outputs { y; } }",
             diagnostics);
    INFO(node, "\n", render(diagnostics));
    REQUIRE(graph);
    return write_json_graph(*graph, WeightsStyle::inline_bytes);
  };
  for (const auto& [by_place, by_name] : pairs) CHECK(written(by_place) == written(by_name));
}

TEST_CASE("text form: what has no place among the arguments is an error there") {
  const auto errors = [](std::string_view node) {
    return report("webnn_graph \"g\" v2 {\ninputs { x: f32[2]; }\nnodes {\n" + std::string(node) +
                  "\n}\noutputs { y; } }");
  };
  CHECK(errors("y = relu(x, [1]);") ==
        "x.webnn:4:13: error[WNN0801]: 'relu' takes no such argument by position; write it as NAME=VALUE\n");
  CHECK(errors("y = softmax(x, 0, 1);").find("x.webnn:4:19:") == 0);
  CHECK(errors("y = relu(x, x);").find("relu takes 1 operand (input), found 2 (/nodes/0/inputs)") != std::string::npos);
  CHECK(errors("y = relu(null);").find("relu takes 1 operand (input), found 0 (/nodes/0/inputs)") != std::string::npos);
  CHECK(errors("y = softmax(x, 0, axis=0);").find("the key 'axis' is given twice") != std::string::npos);
  CHECK(errors("y = sofmax(x, 0, true);").find("did you mean 'softmax'?") != std::string::npos);
}

TEST_CASE("text form: places are right behind comments and in lists of bytes") {
  CHECK(report("webnn_graph \"g\" v2 { inputs { x: f32[2]; }\n"
               "nodes { y = reshape(x, [1, # not 3, but\n 2, # 4, 5\n 0]); }\noutputs { y; } }")
            .find("x.webnn:4:2: error") == 0);
  CHECK(report("webnn_graph \"g\" v2 { inputs { } consts { c: u8[2] @bytes([1, # 2\n 256]); }") ==
        "x.webnn:2:2: error[WNN0801]: a byte, an integer from 0 to 255, expected, found '256'\n"
        "x.webnn:2:10: error[WNN0801]: inputs, consts, nodes, outputs or '}' expected, found the end of the file\n");
}

TEST_CASE("text form: names with :: are read, and renamed when they are written") {
  Diagnostics diagnostics;
  const auto graph =
      read("webnn_graph \"g\" v2 { inputs { a::b: f32[2]; } nodes { $y = relu(%a::b); } outputs { $y } }", diagnostics);
  REQUIRE_MESSAGE(graph, render(diagnostics));
  CHECK(graph->value(graph->inputs()[0]).name == "a::b");
  CHECK(write_text_graph(*graph, WeightsStyle::inline_bytes, true).text.find("$y = relu(v0);") != std::string::npos);
}

TEST_CASE("text form: weights are named by their keys, a constant's own name when none is given") {
  const ScratchFolder scratch;
  write_file(scratch.path() / "m.webnn",
             "webnn_graph \"m\" v2 { inputs {} consts { a: f32[1]; b: f32[1] @weights(\"k\"); }\n"
             "nodes { y = add(a, b); } outputs { y; } }");
  write_file(scratch.path() / "m.weights", std::string("\0\0\x80\x3f\0\0\0\x40", 8));
  write_file(scratch.path() / "m.manifest.json",
             R"({"format": "wg-weights-manifest", "version": 1, "tensors": {
               "a": {"byteOffset": 0, "byteLength": 4}, "k": {"byteOffset": 4, "byteLength": 4}}})");
  Diagnostics diagnostics;
  const auto graph = load_graph(scratch.path() / "m.webnn", {}, diagnostics);
  REQUIRE_MESSAGE(graph, render(diagnostics));
  CHECK(graph->value(graph->find_value("b")).data.view()[3] == std::byte{0x40});
  CHECK(write_text_graph(*graph, WeightsStyle::by_reference, false).text.find("b: f32[1] @weights(\"b\");") !=
        std::string::npos);
}

TEST_CASE("text form: mistakes of the grammar are reported each, with place") {
  CHECK(report("webnn_graph \"m\" v1 {\n inputs { x: f32[2]; y f32[2]; z: f32[2 }\n nodes { = relu(x); a = 5; b = "
               "relu(x; }\n"
               " outputs { b; }\n}") ==
        "x.webnn:2:24: error[WNN0801]: ':' expected, found 'f32'\n"
        "x.webnn:2:41: error[WNN0801]: ']' expected, found '}'\n"
        "x.webnn:3:10: error[WNN0801]: the name of a result expected, found '='\n"
        "x.webnn:3:25: error[WNN0801]: an operator expected; a number by itself has no data type, so declare it as a "
        "constant\n"
        "x.webnn:3:38: error[WNN0801]: ')' expected, found ';'\n");
  CHECK(report("webnn_graph m v1 {}") ==
        "x.webnn:1:13: error[WNN0801]: the graph's name in quotes expected, found 'm'\n");
  CHECK(report("webnn_graph \"m\" 1 {}") == "x.webnn:1:17: error[WNN0801]: a version like v2 expected, found '1'\n");
  CHECK(report("webnn_graph \"m\" v1 { nodes { a = relu(x)").find("the end of the file") != std::string::npos);
  CHECK(report("webnn_graph \"m").find("the string has no end") != std::string::npos);
  CHECK(report("webnn_graph \"\xff\" v1 {}").find("not valid UTF-8") != std::string::npos);
  CHECK(report("webnn_graph \"m\" v1 { inputs {} inputs {} }").find("two blocks 'inputs'") != std::string::npos);
  CHECK(report("webnn_graph \"m\" v1 { consts { a: f32[1] @zeros(1); } }").find("unknown annotation '@zeros'") !=
        std::string::npos);
  CHECK(report("webnn_graph \"m\" v1 { nodes { a = relu(x, 5); b = relu(x; } }") ==
        "x.webnn:1:42: error[WNN0801]: 'relu' takes no such argument by position; write it as NAME=VALUE\n"
        "x.webnn:1:56: error[WNN0801]: ')' expected, found ';'\n");
  CHECK(report("webnn_graph \"m\" v1 { nodes { a = f(" + std::string(1000, '[')).find("nested too deep") !=
        std::string::npos);
}

TEST_CASE("text form: mistakes of the graph are reported at their places in the text") {
  CHECK(report("webnn_graph \"m\" v1 {\n inputs { x: f23[2]; z: f32[2]; }\n nodes { a = rellu(z); b = softmax(z, "
               "axes=1); }\n"
               " outputs { missing; }\n}") ==
        "x.webnn:2:14: error[WNN0301]: unknown data type 'f23' (/inputs/x/dataType)\n"
        "x.webnn:3:14: error[WNN0204]: unknown operator 'rellu' (/nodes/0/op)\n"
        "  hint: did you mean 'relu'?\n"
        "x.webnn:3:39: error[WNN0205]: softmax has no option 'axes' (/nodes/1/options/axes)\n"
        "  hint: did you mean 'axis'?\n"
        "x.webnn:4:12: error[WNN0203]: no value has the name 'missing' (/outputs/missing)\n");
}

TEST_CASE("text form: names that it cannot write are an error, or renamed on request") {
  Diagnostics diagnostics;
  const auto graph = read_graph(R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"input:0": {"dataType": "float32", "shape": [2]}, "v0": {"dataType": "float32", "shape": [2]}},
    "nodes": [{"id": "a b", "op": "add", "inputs": ["input:0", "v0"]}, {"id": "y", "op": "relu", "inputs": ["a b"]}],
    "outputs": {"out": "y", "again": "y", "through": "v0"}})",
                                {}, diagnostics);
  REQUIRE(graph);
  try {
    write_text_graph(*graph, WeightsStyle::inline_bytes, false);
    FAIL_CHECK("written");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) == "the text form cannot write these names: 'input:0', 'a b'");
  }
  const TextGraph form = write_text_graph(*graph, WeightsStyle::inline_bytes, true);
  CHECK(form.text ==
        "webnn_graph \"\" v2 {\n"
        "  inputs {\n    v1: f32[2];\n    v0: f32[2];\n  }\n"
        "  nodes {\n    v2 = add(v1, v0);\n    out = relu(v2);\n"
        "    through = identity(v0);\n    again = identity(out);\n  }\n"
        "  outputs {\n    out;\n    again;\n    through;\n  }\n}\n");
  CHECK(form.renamed == std::vector<std::pair<std::string, std::string>>{{"input:0", "v1"}, {"a b", "v2"}});
  CHECK(read(form.text, diagnostics));
}

TEST_CASE("text form: outputs keep their names, or the map of what was renamed has them") {
  const auto graph_of = [](std::string_view inputs, std::string_view nodes, std::string_view outputs) {
    std::string text = R"({"format": "webnn-graph-json", "version": 2, "inputs": {)";
    for (const std::string_view name : {inputs, std::string_view("other")})
      ((text += name == inputs ? "\"" : ", \"") += name) += R"(": {"dataType": "float32", "shape": [2]})";
    ((((text += R"(}, "nodes": [)") += nodes) += R"(], "outputs": {)") += outputs) += "}}";
    Diagnostics diagnostics;
    auto graph = read_graph(text, {}, diagnostics);
    REQUIRE_MESSAGE(graph, render(diagnostics));
    return std::move(*graph);
  };
  const auto renamed = [](const Graph& graph) {
    TextGraph form = write_text_graph(graph, WeightsStyle::inline_bytes, true);
    Diagnostics diagnostics;
    CHECK(read(form.text, diagnostics));
    return form.renamed;
  };
  using Renamed = std::vector<std::pair<std::string, std::string>>;
  const std::string neg = R"({"id": "n", "op": "neg", "inputs": ["state"]})";

  const Graph updated = graph_of("state", neg, R"("state": "n")");
  CHECK_THROWS_WITH_AS(write_text_graph(updated, WeightsStyle::inline_bytes, false),
                       "the text form cannot write these names: 'state' (an input has it)", Error);
  CHECK(renamed(updated) == Renamed{{"state", "state_1"}});

  // Their own names count, not those of the values that they are; and no new name is that of an output.
  CHECK(renamed(graph_of("state", neg, R"("sco res": "n", "box es": "other")")) ==
        Renamed{{"sco res", "v0"}, {"box es", "v1"}});
  CHECK(renamed(graph_of("a b", R"({"id": "n", "op": "neg", "inputs": ["a b"]})", R"("v0": "n")")) ==
        Renamed{{"a b", "v1"}});
}

TEST_CASE("text form: the models of the corpus survive the way through text") {
  WEBNN_REQUIRE_CORPUS(corpus);
  Diagnostics diagnostics;
  const auto graph = load_graph(corpus / "models/ultraface-320/ultraface-320.json", {}, diagnostics);
  REQUIRE(graph);
  const TextGraph form = write_text_graph(*graph, WeightsStyle::inline_bytes, true);
  const auto again = read(form.text, diagnostics);
  REQUIRE_MESSAGE(again, render(diagnostics));
  CHECK(again->order().size() == graph->order().size());
  CHECK(write_text_graph(*again, WeightsStyle::inline_bytes, false).text == form.text);
}

TEST_CASE("text form: texts with bytes changed at random are read or refused, never worse") {
  std::uint32_t state = 99;
  const auto random = [&](std::size_t below) {
    state = state * 1664525u + 1013904223u;
    return std::size_t(state >> 8) % below;
  };
  const std::string_view pieces[] = {"[", "]", "{",  "}", "(", ")", ";",    ",",  "=",
                                     "@", "-", "\"", "#", "x", "5", "null", "v1", "dyn("};
  for (int round = 0; round < 4000; ++round) {
    std::string text(good);
    for (std::size_t edits = 1 + random(3); edits > 0; --edits) {
      const std::size_t at = random(text.size());
      const std::size_t kind = random(3);
      if (kind == 0) text[at] = char(random(256));
      if (kind == 1) text.erase(at, 1 + random(10));
      if (kind == 2) text.insert(at, pieces[random(std::size(pieces))]);
    }
    Diagnostics diagnostics;
    const auto graph = read(text, diagnostics);
    CHECK(graph.has_value() == !diagnostics.has_errors());
    if (graph) CHECK_FALSE(write_text_graph(*graph, WeightsStyle::inline_bytes, true).text.empty());
  }
}

}  // namespace webnn::tests::text_form_test
