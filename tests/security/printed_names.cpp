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
    "31m\xe2\x80\xae\x7fz";

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

TEST_CASE("security: printable JSON is the same document") {
  const std::string plain = "{\n  \"a\": \"b\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"\n}";
  CHECK(schema::printable_json(plain) == plain);
  CHECK(schema::printable_json("\"\xc2\x9b\xe2\x80\xae\x7f\"") == R"("\u009b\u202e\u007f")");
}

}  // namespace webnn::tests::printed_names_test
