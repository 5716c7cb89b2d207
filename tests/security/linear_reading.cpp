// Files that are read in linear time: each of these took minutes, in a few hundred kilobytes or a few megabytes. Bounds
// are loose: what they ask for takes less than a second.
#include <doctest/doctest.h>
#include <functional>

#include "cli/batch/input_reader.hpp"
#include "cli/json/json.hpp"
#include "cli/programs/build_files.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/ir/graph.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"
#include "tests/security/processor_time.hpp"

namespace webnn::tests::linear_reading_test {
namespace {

using namespace webnn::compiler;
using compiler::Graph;  // not that of the interface

std::string joined_copies(int count, const std::function<std::string(int)>& item) {
  std::string text;
  for (int i = 0; i < count; ++i) (text += i ? "," : "") += item(i);
  return text;
}

std::string graph_text(const std::string& nodes, const std::string& consts = "{}",
                       const std::string& inputs = R"("x":{"dataType":"float32","shape":[1]})") {
  return R"({"format":"webnn-graph-json","version":2,"inputs":{)" + inputs + R"(},"consts":)" + consts +
         R"(,"nodes":[)" + nodes + R"(],"outputs":{"y":"y"}})";
}

/// Reads the text and gives what is wrong with it.
Diagnostics read_fast(const std::string& text) {
  Diagnostics diagnostics;
  CHECK(processor_seconds_of([&] { read_graph(text, {}, diagnostics); }) < most_processor_seconds);
  return diagnostics;
}

std::string reshape(const std::string& sizes) {
  return R"({"id":"y","op":"reshape","inputs":["x"],"options":{"newShape":[)" + sizes + "]}}";
}

}  // namespace

TEST_CASE("security: of a list of wrong elements the first few are told, each at its place") {
  const auto zeros = [](int count) { return joined_copies(count, [](int) { return "0"; }); };
  const Diagnostics found = read_fast(graph_text(reshape(zeros(60'000))));
  REQUIRE(found.error_count() == 9);
  CHECK(found.all()[7].location.path == "/nodes/0/options/newShape/7");
  CHECK(found.all()[7].location.column == found.all()[0].location.column + 14);
  CHECK(contains(found.all()[8].message, "'newShape' has 59992 more elements like these"));
  CHECK(read_fast(graph_text(reshape(zeros(60'000) + ",-1"))).error_count() ==
        9);  // each element has a place of its own
  CHECK(read_fast(graph_text(reshape(zeros(3)))).error_count() == 3);

  const Diagnostics words = read_fast(graph_text(reshape(joined_copies(60'000, [](int) { return "\"a\""; }))));
  REQUIRE(words.error_count() == 9);
  CHECK(contains(words.all()[8].message, "59992 more elements of 'newShape' must be an integer"));
}

TEST_CASE("security: bytes where names belong are told in one walk over their list") {
  const std::string bytes = joined_copies(60'000, [](int) { return "1"; });
  CHECK(read_fast(graph_text(R"({"id":"y","op":"neg","inputs":[)" + bytes + "]}")).error_count() >= 60'000);
}

TEST_CASE("security: a cycle of nodes with long names") {
  constexpr int nodes = 20'000;
  const std::string tail(600, 'n');
  const auto name = [&](int i) { return "\"n" + std::to_string(i % nodes) + tail + '"'; };
  const Diagnostics found = read_fast(graph_text(joined_copies(nodes, [&](int i) {
    return R"({"id":)" + name(i) + R"(,"op":"relu","inputs":[)" + name(i + nodes - 1) + "]}";
  })));
  CHECK(contains(found.all()[0].hints[0], "list the nodes so that"));
  const Diagnostics small = read_fast(graph_text(R"({"id":"a","op":"relu","inputs":["b"]},
    {"id":"b","op":"relu","inputs":["c"]},{"id":"c","op":"relu","inputs":["a"]})"));
  CHECK(contains(small.all()[0].hints[0], "the nodes form a cycle: a -> b -> c -> a"));
}

TEST_CASE("security: zero points without a name, of nodes without an id") {
  const std::string consts = R"({"s":{"dataType":"float32","shape":[1],"init":{"kind":"scalar","value":1}}})";
  const std::string nodes = joined_copies(30'000, [](int i) {
    return R"({"id":"","op":"dequantizeLinear","inputs":["x","s"],"outputs":["y)" + (i ? std::to_string(i) : "") +
           "\"]}";
  });
  CHECK(read_fast(graph_text(nodes, consts, R"("x":{"dataType":"uint8","shape":[1]})")).error_count() == 0);
}

TEST_CASE("security: names that are nearly those of very many values") {
  const std::string nodes = joined_copies(40'000, [](int i) {
    return R"({"id":")" + std::string(90, 'a') + std::to_string(100'000 + i) + R"(","op":"neg","inputs":["x"]})";
  });
  const std::string wrong = joined_copies(100, [](int i) {
    return R"({"id":"z)" + std::to_string(i) + R"(","op":"neg","inputs":[")" + std::string(50, 'q') +
           std::string(45, 'a') + std::to_string(i) + "\"]}";
  });
  CHECK(read_fast(graph_text(nodes + "," + wrong)).error_count() == 101);
}

TEST_CASE("security: mistakes below a long key take a few bytes each") {
  const std::string key(100'000, 'k');
  const std::string input = '"' + key + R"(":{"dataType":"float32","shape":[1],"other":1,"another":2})";
  const Diagnostics found = read_fast(graph_text(R"({"id":"y","op":"neg","inputs":[")" + key + "\"]}", "{}", input));
  REQUIRE(found.all().size() == 2);
  CHECK(found.all()[0].location.path == "/inputs/" + key.substr(0, 200) + ".../other");
}

TEST_CASE("security: an input for each of very many named dimensions") {
  constexpr std::uint32_t inputs = 10'000, rank = 8;
  Graph graph;
  for (std::uint32_t i = 0; i < inputs; ++i) {
    const ValueId input = graph.add_input("x", {DataType::float32, {2, 2, 2, 2, 2, 2, 2, 2}});
    for (std::uint32_t axis = 0; axis < rank; ++axis)
      graph.add_named_dimension({input, axis, "d" + std::to_string(i) + "_" + std::to_string(axis)});
  }
  std::vector<Graph::BindError> errors;
  CHECK(processor_seconds_of([&] { errors = graph.bind_dimensions({}); }) < most_processor_seconds);
  CHECK(errors.size() == inputs * rank);
  const std::vector<std::pair<std::string, std::uint32_t>> sizes{{"e", 1}};
  errors = graph.bind_dimensions(sizes);
  CHECK(contains(errors[0].hint, "its dimensions are 'd0_0', 'd0_1', "));
  CHECK(contains(errors[0].hint, " and 79980 more"));
}

TEST_CASE("security: objects with very many members, of reports that are read") {
  const std::string members = joined_copies(150'000, [](int i) { return "\"k" + std::to_string(i) + "\":1"; });
  std::optional<cli::Json> report;
  CHECK(processor_seconds_of([&] { report = cli::Json::parse("{" + members + "}"); }) < most_processor_seconds);
  REQUIRE(report);
  CHECK(report->size() == 150'000);

  const auto same_name = cli::Json::parse(R"({"a": 1, "b": {"a": 2}, "a": [3, {"a": null}]})");  // the last counts
  REQUIRE(same_name);
  CHECK(same_name->dump(0) ==
        cli::Json({{"a", cli::Json::array({3, cli::Json{{"a", nullptr}}})}, {"b", {{"a", 2}}}}).dump(0));
}

TEST_CASE("security: a file with the tensors of very many inputs is read once for all of them") {
  constexpr int inputs = 4'000;
  std::string header;
  std::vector<api::Slot> slots;
  for (int i = 0; i < inputs; ++i) {
    const std::string name = "tensor" + std::to_string(i);
    header += (i ? ",\"" : "{\"") + name + R"(":{"dtype":"F32","shape":[1],"data_offsets":[)" + std::to_string(4 * i) +
              "," + std::to_string(4 * i + 4) + "]}";
    slots.push_back({.name = name, .descriptor = {DataType::float32, {1}}});
  }
  header += "}";
  const std::uint64_t length = header.size();
  const ScratchFolder scratch;
  const std::filesystem::path file = scratch.path() / "batch.safetensors";
  write_file(file, std::string(reinterpret_cast<const char*>(&length), sizeof length) + header +
                       std::string(4 * inputs, '\0'));
  const std::vector<FileName> files{file};
  const cli::InputReader reader(slots, {}, 1 << 20, files);
  std::vector<compiler::Tensor> tensors;
  CHECK(processor_seconds_of([&] { tensors = reader.read(files[0]); }) < most_processor_seconds);
  CHECK(tensors.size() == inputs);
}

TEST_CASE("security: very many names that read alike in C++") {
  Program program;
  for (int i = 0; i < 30'000; ++i) {
    std::string name;
    for (int bit = 0; bit < 15; ++bit) name += i >> bit & 1 ? "+" : "-";
    program.inputs.push_back({name, {DataType::float32, {1}}});
  }
  std::string header;
  CHECK(processor_seconds_of([&] { header = cli::program_header(program, "p.wnnc"); }) < most_processor_seconds);
  CHECK(contains(header, "struct n_ {"));
  CHECK(contains(header, "struct n_2 {"));
  CHECK(contains(header, "struct n_30000 {"));
}

}  // namespace webnn::tests::linear_reading_test
