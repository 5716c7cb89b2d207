// Names from a graph are printed in many places: none of them may control a terminal (U+009B begins a command) or turn
// the text around it (U+202E).
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "schema/printable.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::printed_names_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* evil =
    "n\xc2\x9b"
    "31m\xe2\x80\xae\x7f\xe2\x80\x8e\xe2\x80\xa8\xd8\x9cz";

fs::path write_graph(const fs::path& folder) {
  const nlohmann::json graph = {
      {"format", "webnn-graph-json"},
      {"version", 2},
      {"name", evil},
      {"inputs", {{evil, {{"dataType", "float32"}, {"shape", {4}}}}}},
      {"nodes",
       {{{"id", "r"}, {"op", "relu"}, {"inputs", {evil}}, {"options", {{"label", evil}}}, {"outputs", {"o"}}}}},
      {"outputs", {{evil, "o"}}}};
  write_file(folder / "evil.json", graph.dump());
  return folder / "evil.json";
}

void is_harmless(const std::string& text) {
  CHECK_FALSE(contains(text, "\xc2\x9b"));
  CHECK_FALSE(contains(text, "\xe2\x80\xae"));
  CHECK_FALSE(contains(text, "\x7f"));
  for (const char* mark : {"\xe2\x80\x8e", "\xe2\x80\xa8", "\xd8\x9c"}) CHECK_FALSE(contains(text, mark));
}

}  // namespace

TEST_CASE("security: names that control a terminal are printed as escapes, and JSON still means them") {
  const ScratchFolder scratch;
  const std::string graph = write_graph(scratch.path()).string(), trace = (scratch.path() / "trace.json").string();
  const std::vector<std::vector<std::string>> commands = {
      {"run", graph, "--fill", "ones"},
      {"run", graph, "--fill", "ones", "--output-format", "json"},
      {"run", graph, "--fill", "ones", "--print-after", "all"},
      {"inspect", graph},
      {"inspect", graph, "--output-format", "json"},
      {"compile", graph, "--print-after", "all", "--stats", "--emit", "ir"},
      {"convert", graph, "--to", "json", "-o", "-"},
      {"profile", graph, "--time", "1ms", "--trace", trace, "--output-format", "json"},
  };
  for (const std::vector<std::string>& command : commands) {
    const CommandResult result = webnn_cli(command);
    CAPTURE(command);
    CAPTURE(result.err);
    CHECK(result.code == 0);
    is_harmless(result.out);
    is_harmless(result.err);
  }
  is_harmless(read_file(trace));
  const auto report = nlohmann::json::parse(webnn_cli(commands[1]).out);
  CHECK(report.dump().find(evil) != std::string::npos);
}

TEST_CASE("security: names of files and dimensions are printed as escapes") {
  const ScratchFolder scratch;
  const std::string graph = (scratch.path() / (std::string(evil) + ".json")).string();
  fs::rename(write_graph(scratch.path()), graph);
  for (const char* format : {"text", "csv", "md", "json"}) {
    const CommandResult bench =
        webnn_cli({"bench", graph, "--fill", "ones", "--time", "1ms", "--warm-up", "1ms", "--output-format", format});
    CAPTURE(format);
    CHECK(bench.code == 0);
    is_harmless(bench.out);
    is_harmless(bench.err);
  }
  const CommandResult run = webnn_cli({"run", graph, "--fill", "ones", "--dim", std::string(evil) + "=3"});
  CHECK(run.code != 0);
  is_harmless(run.err);
}

TEST_CASE("security: printable JSON is the same document") {
  const std::string plain = "{\n  \"a\": \"b\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"\n}";
  CHECK(schema::printable_json(plain) == plain);
  CHECK(schema::printable_json("\"\xc2\x9b\xe2\x80\xae\x7f\"") == R"("\u009b\u202e\u007f")");
}

}  // namespace webnn::tests::printed_names_test
