// Binary graph files: what is written reads back the same, and whatever happens to the bytes, reading them ends in a
// refusal or in a sound graph.
#include <doctest/doctest.h>
#include <string>

#include "compiler/frontend/binary/binary_reader.hpp"
#include "compiler/frontend/binary/binary_writer.hpp"
#include "compiler/frontend/json/json_writer.hpp"
#include "compiler/ir/print.hpp"
#include "compiler/ir/verify.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/harness/forged_file.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/random/random_graph.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::binary_form_test {
namespace {

namespace fs = std::filesystem;
using namespace webnn::compiler;

File file_of(const Graph& graph) {
  return written_file([&](const FileSink& sink) { write_binary_graph(graph, sink); });
}

struct Reading {
  std::optional<Graph> graph;
  Diagnostics diagnostics;
};
Reading read(const File& file) {
  Reading reading;
  LoadOptions options;
  options.file_name = "g.wnnb";
  reading.graph = read_graph(Bytes(file), options, reading.diagnostics);
  return reading;
}

/// Everything about a graph; of large constants the hash.
std::string text_of(const Graph& graph) { return write_json_graph(graph, WeightsForm::by_reference) + print(graph); }

/// Everything about a graph survives the way through a file.
void check_survives(const Graph& graph) {
  const File file = file_of(graph);
  Reading reading = read(file);
  REQUIRE_MESSAGE(reading.graph, render(reading.diagnostics));
  CHECK(check_constants(*reading.graph, "g.wnnb", reading.diagnostics));
  CHECK(verify(*reading.graph).empty());
  CHECK(text_of(*reading.graph) == text_of(graph));
  CHECK(file_of(*reading.graph) == file);
}

/// Two nodes, a named dimension, an unused operand place, labels and attributes of several kinds.
Graph small_graph() {
  Diagnostics diagnostics;
  auto graph = read_graph(R"({"format": "webnn-graph-json", "version": 2, "name": "small", "quantized": true,
  "inputs": {"x": {"dataType": "float32", "shape": [{"name": "batch", "maxSize": 4}, 2]}},
  "consts": {"w": {"dataType": "float32", "shape": [2, 2], "init": {"kind": "scalar", "value": 2}},
             "v": {"dataType": "int4", "shape": [3], "init": {"kind": "scalar", "value": -1}}},
  "nodes": [{"id": "g", "op": "gemm", "inputs": ["x", "w"], "options": {"alpha": 0.5, "label": "größe"}},
            {"id": "c", "op": "clamp", "inputs": ["g"], "options": {"minValue": "-Infinity", "maxValue": 7}},
            {"id": "i", "op": "identity", "inputs": ["v"]},
            {"id": "t", "op": "reduceSum", "inputs": ["c"], "options": {"axes": [1], "keepDimensions": true}}],
  "outputs": {"t": "t", "again": "t", "i": "i"}})",
                          {}, diagnostics);
  REQUIRE_MESSAGE(graph, render(diagnostics));
  return std::move(*graph);
}

}  // namespace

TEST_CASE("binary form: graphs made by chance survive, whatever their names are") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    check_survives(random_graph(seed, {.nodes = 15, .odd_names = true}));
  }
  check_survives(small_graph());
}

TEST_CASE("binary form: every graph of the tests and models survives") {
  std::vector<fs::path> folders{source_dir() / "models", source_dir() / "tests"};
  if (const auto models = corpus())
    folders.push_back(*models / "models");
  else
    skip_part("models of the corpus", no_corpus);
  std::size_t count = 0;
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string ending = entry.path().extension().string();
      if (!entry.is_regular_file() || (ending != ".json" && ending != ".webnn")) continue;
      Diagnostics diagnostics;
      const auto graph = load_graph(entry.path(), {}, diagnostics);
      if (!graph) continue;  // another kind of file, or one that is broken on purpose
      CAPTURE(entry.path().string());
      check_survives(*graph);
      ++count;
    }
  CHECK(count > 5);
}

TEST_CASE("binary form: files of earlier versions read as they always did") {
  const fs::path folder = source_dir() / "tests/fuzz/corpus/binary";
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    if (!stem.starts_with("good-")) continue;
    CAPTURE(stem);
    Diagnostics diagnostics;
    const auto binary = load_graph(entry.path(), {}, diagnostics);
    const auto text = load_graph(source_dir() / "tests/frontend" / (stem + ".json"), {}, diagnostics);
    REQUIRE(binary);
    REQUIRE(text);
    CHECK(text_of(*binary) == text_of(*text));
    ++count;
  }
  CHECK(count == 5);
}

TEST_CASE("binary form: constants are aligned views on the mapped file, which opening does not read") {
  const ScratchFolder scratch;
  const File file = file_of(small_graph());
  const fs::path path = scratch.path() / "g.wnnb";
  write_file(path, {reinterpret_cast<const char*>(file.data()), file.size()});
  Diagnostics diagnostics;
  auto graph = load_graph(path, {}, diagnostics);
  REQUIRE(graph);
  const Value& constant = graph->value(graph->find_value("w"));
  CHECK(constant.data.is_mapped());
  CHECK(reinterpret_cast<std::uintptr_t>(constant.data.data()) % 64 == 0);
  CHECK(constant.checksum.has_value());
  CHECK(check_constants(*graph, "", diagnostics));
  CHECK_FALSE(graph->value(graph->find_value("w")).checksum.has_value());
}

TEST_CASE("binary form: a changed constant is found when the constants are checked") {
  File file = file_of(small_graph());
  file[file.size() - 1] ^= std::byte{1};
  Reading reading = read(file);
  REQUIRE(reading.graph);
  CHECK_FALSE(check_constants(*reading.graph, "g.wnnb", reading.diagnostics));
  CHECK(render(reading.diagnostics).starts_with("g.wnnb: error[WNN0110]: the constant 'v' has the checksum "));
}

TEST_CASE("binary form: every cut and every changed byte ends in a refusal or in the same graph") {
  const Graph graph = small_graph();
  const File good = file_of(graph);
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK_FALSE(read(File(good.begin(), good.begin() + std::ptrdiff_t(size))).graph);
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const std::byte flip : {std::byte{0x01}, std::byte{0x80}, std::byte{0xff}}) {
      File file = good;
      file[at] ^= flip;
      Reading reading = read(file);
      CHECK(reading.graph.has_value() != reading.diagnostics.has_errors());
      if (reading.graph && check_constants(*reading.graph, {}, reading.diagnostics))
        CHECK_MESSAGE(file_of(*reading.graph) == good, "byte " << at);
    }
}

TEST_CASE("binary form: with forged checksums every changed byte is refused or gives a sound graph") {
  const File good = file_of(small_graph());
  std::size_t refused = 0, sound = 0;
  const auto check = [&](File file) {
    forge_checksums(file);
    const Reading reading = read(file);
    CHECK(reading.graph.has_value() != reading.diagnostics.has_errors());
    if (reading.graph) CHECK(verify(*reading.graph).empty());
    ++(reading.graph ? sound : refused);
  };
  for (std::size_t at = 64; at < metadata_end(good); ++at)
    for (const std::byte flip : {std::byte{0x01}, std::byte{0x10}, std::byte{0x80}, std::byte{0xff}}) {
      File file = good;
      file[at] ^= flip;
      check(std::move(file));
    }
  CHECK(refused > 100);
  CHECK(sound > 100);  // names and labels may change
}

TEST_CASE("binary form: mistakes have the codes that they have in text, and limits hold") {
  Graph graph = small_graph();
  const File good = file_of(graph);
  const auto code_with = [&](const LoadOptions& options) {
    Diagnostics diagnostics;
    CHECK_FALSE(read_graph(Bytes(good), options, diagnostics));
    return diagnostics.all().empty() ? Code::not_json : diagnostics.all()[0].code;
  };
  LoadOptions few, small;
  few.max_nodes = 2;
  small.max_tensor_bytes = 8;
  CHECK(code_with(few) == Code::limit_exceeded);
  CHECK(code_with(small) == Code::limit_exceeded);
  LoadOptions brief;
  brief.max_file_bytes = 100;
  Diagnostics diagnostics;
  CHECK_THROWS_AS(read_graph(Bytes(good), brief, diagnostics), Error);

  Graph empty;
  empty.add_input("x", {DataType::float32, {2}});
  CHECK(read(file_of(empty)).diagnostics.all()[0].code == Code::no_outputs);
  Graph latin;
  latin.add_output(
      "y",
      latin.node(latin.add_node("relu"_op, {latin.add_input("\xff", {DataType::float32, {2}})}, {}, {})).outputs[0]);
  CHECK(read(file_of(latin)).diagnostics.all()[0].code == Code::bad_utf8);
}

// Graph files outlive versions of the tool: a number in them never changes its meaning.
TEST_CASE("binary form: the numbers in files are fixed") {
  std::string types;
  for (std::size_t i = 0; i < data_type_count; ++i) types += std::string(name_of(DataType(i))) + " ";
  CHECK(types == "float32 float16 int32 uint32 int64 uint64 int8 uint8 int4 uint4 ");
  CHECK(AttributeValue(false).index() == 0);
  CHECK(AttributeValue(std::int64_t{1}).index() == 1);
  CHECK(AttributeValue(1.0).index() == 2);
  CHECK(AttributeValue(Number(1)).index() == 3);
  CHECK(AttributeValue(DataType::int8).index() == 4);
  CHECK(AttributeValue(std::string()).index() == 5);
  CHECK(AttributeValue(IntegerList()).index() == 6);
  CHECK(AttributeValue(RealList()).index() == 7);
  CHECK(AttributeValue(TextList()).index() == 8);
  CHECK(int(Number::Kind::real) == 0);
  CHECK(int(Number::Kind::signed_integer) == 1);
  CHECK(int(Number::Kind::unsigned_integer) == 2);
}

}  // namespace webnn::tests::binary_form_test
