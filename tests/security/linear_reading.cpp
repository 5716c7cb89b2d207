// Files that are read in linear time: each of these took minutes, in a few hundred kilobytes or a few megabytes. Bounds
// are loose: what they ask for takes less than a second.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>

#include "cli/batch/input_reader.hpp"
#include "cli/json/json.hpp"
#include "cli/programs/build_files.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/weights.hpp"
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

/// Texts of 16 letters that bring MurmurHash2 from one state to another, with a multiplication that has an inverse and a
/// mixture that is undone by itself.
std::vector<std::string> steps_of_hash(std::uint64_t before, std::uint64_t after, std::size_t count) {
  constexpr std::uint64_t factor = 0xc6a4a7935bd1e995u, inverse = 0x5f7a0ea7e59b19bdu;
  static_assert(factor * inverse == 1);
  const auto is_letter = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  std::vector<std::string> texts;
  for (std::uint64_t number = 10'000'000; texts.size() < count; ++number) {
    std::string text = std::to_string(number) + std::string(8, ' ');
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    word *= factor;
    word = (before ^ (word ^ word >> 47) * factor) * factor;  // the state after the first half
    word = (word ^ after * inverse) * inverse;
    word = (word ^ word >> 47) * inverse;
    std::memcpy(text.data() + 8, &word, sizeof word);
    if (std::ranges::all_of(text, is_letter)) texts.push_back(text);
  }
  return texts;
}

/// Names that have the same std::hash in libstdc++, whose seed is constant.
std::vector<std::string> names_of_one_hash(std::size_t count) {
  constexpr std::uint64_t seed = 0xc70f6907u, length = 32, between = 12345, last = 67890;
  const std::size_t halves = std::size_t(std::sqrt(double(count))) + 1;
  const auto begins = steps_of_hash(seed ^ length * 0xc6a4a7935bd1e995u, between, halves);
  const auto ends = steps_of_hash(between, last, halves);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(begins[i / halves] + ends[i % halves]);
  return names;
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

TEST_CASE("security: very many names with one hash") {
  const std::vector<std::string> names = names_of_one_hash(30'000);
#ifdef __GLIBCXX__
  REQUIRE(std::hash<std::string>()(names.front()) == std::hash<std::string>()(names.back()));
#endif
  const int count = int(names.size());
  const auto name = [&](int i) { return '"' + names[std::size_t(i)] + '"'; };
  const std::string nodes =
      joined_copies(count, [&](int i) { return R"({"id":)" + name(i) + R"(,"op":"neg","inputs":["x"]})"; });
  CHECK(read_fast(graph_text(nodes + R"(,{"id":"y","op":"neg","inputs":["x"]})")).error_count() == 0);

  const std::string header = '{' +
                             joined_copies(count,
                                           [&](int i) {
                                             return name(i) + R"(:{"dtype":"U8","shape":[1],"data_offsets":[)" +
                                                    std::to_string(i) + "," + std::to_string(i + 1) + "]}";
                                           }) +
                             '}';
  const std::uint64_t length = header.size();
  const std::string weights =
      std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + std::string(names.size(), '\0');
  const std::span<const std::byte> bytes = std::as_bytes(std::span(weights));
  Diagnostics diagnostics;
  std::optional<WeightsSource> source;
  CHECK(processor_seconds_of([&] {
          source =
              read_safetensors("w.safetensors", Bytes(std::vector<std::byte>(bytes.begin(), bytes.end())), diagnostics);
        }) < most_processor_seconds);
  REQUIRE(source);
  CHECK(std::ranges::is_sorted(source->keys()));  // not in the order of a table that each process has for itself
}

TEST_CASE("security: names that stand in the way of every number") {
  std::vector<std::string> names{"x", "x_0"};
  for (int bit = 0; bit < 64; ++bit) names.push_back("x_" + std::to_string(std::uint64_t{1} << bit));
  const std::string inputs = joined_copies(int(names.size()), [&](int i) {
    return '"' + names[std::size_t(i)] + R"(":{"dataType":"float32","shape":[1]})";
  });
  // An output that is the input "x" needs a node with another name.
  CHECK(read_fast(R"({"format":"webnn-graph-json","version":2,"inputs":{)" + inputs +
                  R"(},"nodes":[{"id":"y","op":"neg","inputs":["x"]}],"outputs":{"x":"x","y":"y"}})")
            .error_count() == 0);

  Graph graph;
  for (const std::string& name : names) graph.add_input(name, {DataType::float32, {1}});
  CHECK(graph.value(graph.add_input("x", {DataType::float32, {1}})).name == "x_66_2");
  CHECK(graph.value(graph.add_input("x", {DataType::float32, {1}})).name == "x_67_2");
  // In the way of these names, too.
  for (int bit = 1; bit < 32; ++bit)
    graph.add_input("x_99_" + std::to_string(std::uint64_t{1} << bit), {DataType::float32, {1}});
  CHECK(graph.value_count() == 99);
  CHECK(graph.unique_name("x") == "x_99_99_2");
}

TEST_CASE("security: results without a name, of a node whose name is long") {
  const std::string id(50'000, 'n');
  const std::string node = R"({"id":")" + id + R"(","op":"split","inputs":["x"],"options":{"splits":8192}},
    {"id":"y","op":"neg","inputs":["x"]})";
  Diagnostics diagnostics;
  const auto read = read_graph(graph_text(node, "{}", R"("x":{"dataType":"int8","shape":[8192]})"), {}, diagnostics);
  REQUIRE(read);
  std::size_t letters = 0;
  for (std::uint32_t i = 0; i < read->value_count(); ++i) letters += read->value({i}).name.size();
  CHECK(letters < 8192 * 300);
}

TEST_CASE("security: a node of very many members that it does not have") {
  const std::string members = joined_copies(100'000, [](int i) { return "\"m" + std::to_string(i) + "\":0"; });
  const Diagnostics found = read_fast(graph_text(R"({"id":"y",)" + members + R"(,"inputs":["x"],"op":"neg"})"));
  CHECK(found.error_count() == 0);
  CHECK(found.all().size() == 100'000);
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

/// A safetensors file with one tensor, of a number in very many dimensions.
std::string flat_tensor(std::size_t rank) {
  std::string header = R"({"a":{"dtype":"F32","shape":[1)";
  for (std::size_t i = 1; i < rank; ++i) header += ",1";
  header += R"(],"data_offsets":[0,4]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + std::string(4, '\0');
}

TEST_CASE("security: very many constants that are not the tensor of very many dimensions that they name") {
  const ScratchFolder scratch;
  write_file(scratch.path() / "model.safetensors", flat_tensor(4'000'000));
  const std::string constants = joined_copies(2'000, [](int i) {
    return "\"c" + std::to_string(i) + R"(":{"dataType":"float32","shape":[1],"init":{"kind":"weights","ref":"a"}})";
  });
  const std::string file = (scratch.path() / "g.json").string();
  write_file(file, graph_text(R"({"id":"y","op":"abs","inputs":["x"]})", "{" + constants + "}"));
  CommandResult result;
  CHECK(processor_seconds_of([&] {
          result = webnn_cli({"validate", file, "--output-format", "json"});
        }) < most_processor_seconds);
  CHECK(result.code == 3);
  CHECK(contains(result.out, "is F32[1, 1, 1, 1, 1, 1, 1, 1, ... of 4000000 dimensions]"));
  CHECK(result.out.size() < 2'000'000);
}

TEST_CASE("security: a manifest with very many mistakes, of a case to test") {
  const ScratchFolder scratch;
  const std::string stem = (scratch.path() / "m").string();
  write_file(stem + ".json",
             graph_text(R"({"id":"y","op":"add","inputs":["x","c"]})",
                        R"({"c":{"dataType":"float32","shape":[1],"init":{"kind":"weights","ref":"c"}}})"));
  write_file(stem + ".weights", std::string(4, '\0'));
  write_file(stem + ".expected.y.npy", "");
  std::string manifest = R"({"format":"wg-weights-manifest","version":1,"endianness":"little","tensors":{)";
  manifest += joined_copies(150'000, [](int i) { return "\n\"k" + std::to_string(i) + "\":1"; }) + "}}";
  write_file(stem + ".manifest.json", manifest);
  CommandResult result;
  CHECK(processor_seconds_of([&] { result = webnn_cli({"test", scratch.path().string()}); }) < most_processor_seconds);
  CHECK(result.code == 1);
  CHECK(contains(result.out + result.err, "... and 149"));
}

TEST_CASE("security: a folder with very many graphs and no cases") {
  const ScratchFolder scratch;
  for (int i = 0; i < 8'000; ++i)
    write_file(scratch.path() / (std::to_string(i) + ".json"), R"({"format":"webnn-graph-json"})");
  CommandResult result;
  CHECK(processor_seconds_of([&] { result = webnn_cli({"test", scratch.path().string()}); }) < most_processor_seconds);
  CHECK(result.code != 0);
}

TEST_CASE("security: two sides with very many outputs") {
  std::string outputs;
  for (int i = 0; i < 40'000; ++i) outputs += ",\"" + std::string(60, 'n') + std::to_string(i) + "\":\"y\"";
  std::string text = graph_text(R"({"id":"y","op":"abs","inputs":["x"]})");
  text.insert(text.size() - 2, outputs);
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "g.json").string();
  write_file(file, text);
  CHECK(processor_seconds_of([&] {
          CHECK(webnn_cli({"compare", file, file, "--fill", "ones"}).code == 0);
        }) < most_processor_seconds);
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
