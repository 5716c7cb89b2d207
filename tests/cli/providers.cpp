// Whose kernels run: what another provider runs than the one that was asked for is named, and --only refuses it.
#include "tests/harness/providers.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::providers_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string digits = (source_dir() / "models/digits/digits.json").string();

/// A graph of these nodes that makes y of x.
std::string graph_file(const ScratchFolder& scratch, const std::string& name, const std::string& nodes) {
  const fs::path file = scratch.path() / (name + ".webnn");
  write_file(file, "webnn_graph \"" + name + "\" v2 { inputs { x: f32[1, 4, 8, 8]; } nodes { " + nodes +
                       " } outputs { y; } }");
  return file.string();
}

TEST_CASE("cli providers: the reference kernels take everything, and nothing is said") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"-d", "cpu:reference"}, {"--kernels", "reference"}})
    for (const bool only : {false, true}) {
      std::vector<std::string> arguments{"run", digits, "--fill", "ones"};
      arguments.insert(arguments.end(), words.begin(), words.end());
      if (only) arguments.emplace_back("--only");
      const CommandResult result = webnn_cli(arguments);
      CHECK(result.code == 0);
      CHECK(result.err.empty());
    }
}

TEST_CASE("cli providers: what a provider does not take is named once, and in --stats") {
  if (!has_provider("xnnpack")) return skip(no_provider("xnnpack"));
  const ScratchFolder scratch;
  // XNNPACK has no triangular.
  const std::string graph = graph_file(scratch, "mixed", "r = relu(x); y = triangular(r);");
  const std::string note = "note: not run by kernels of 'xnnpack': ";
  const CommandResult run = webnn_cli({"run", graph, "--fill", "ones", "-d", "cpu:xnnpack"});
  CHECK(run.code == 0);
  CHECK(contains(run.err, note));
  CHECK(contains(run.err, "triangular ("));
  CHECK(run.err.find(note) == run.err.rfind(note));
  CHECK_FALSE(contains(webnn_cli({"run", graph, "--fill", "ones"}).err, "not run by"));
  const std::string stats = webnn_cli({"run", graph, "--fill", "ones", "-d", "cpu:xnnpack", "--stats"}).err;
  CHECK(contains(stats.substr(std::min(stats.find("\nof others  "), stats.size())), "triangular ("));
  CHECK_FALSE(contains(webnn_cli({"run", graph, "--fill", "ones", "--stats"}).err, "of others"));
  const std::string program = (scratch.path() / "p.wnnc").string();
  CHECK(contains(webnn_cli({"compile", graph, "-o", program, "--kernels", "xnnpack"}).err, note));
  const CommandResult report = webnn_cli({"compile", graph, "--stats", "--output-format", "json", "-d", "cpu:xnnpack"});
  REQUIRE(report.code == 0);
  const json others = json::parse(report.out).at("stats").at("ofOthers");
  REQUIRE_FALSE(others.empty());
  CHECK(others.back().at("op") == "triangular");
  CHECK(others.back().at("provider") != "xnnpack");
  CHECK(json::parse(report.err).at("remarks").size() == 1);
  CHECK(json::parse(webnn_cli({"compile", graph, "--stats", "--output-format", "json"}).out)["stats"]["ofOthers"] ==
        json::array());
  CHECK(contains(
      webnn_cli({"bench", graph, "--time", "1ms", "--warm-up", "1ms", "--runs", "2", "-d", "cpu:xnnpack"}).err, note));
}

TEST_CASE("cli providers: --only runs kernels of the provider or nothing") {
  if (!has_provider("xnnpack")) return skip(no_provider("xnnpack"));
  const ScratchFolder scratch;
  const std::string graph = graph_file(scratch, "mixed", "r = relu(x); y = triangular(r);");
  const std::string program = (scratch.path() / "p.wnnc").string();
  const std::vector<std::vector<std::string>> commands{
      {"run", graph, "--fill", "ones"},
      {"compile", graph, "-o", program},
      {"profile", graph, "--fill", "ones", "--time", "1ms"},
      {"bench", graph, "--time", "1ms", "--warm-up", "1ms", "--runs", "2"}};
  for (std::vector<std::string> arguments : commands) {
    arguments.insert(arguments.end(), {"-d", "cpu:xnnpack", "--only"});
    const CommandResult result = webnn_cli(arguments);
    CAPTURE(result.err);
    CHECK(result.code == 4);
    CHECK(result.out.empty());
    CHECK(contains(result.err, "error[WNN0703]: no kernel of 'xnnpack' runs triangular"));
  }
  CHECK_FALSE(fs::exists(program));
  CHECK(contains(webnn_cli({"explain", "WNN0703"}).out, "--only"));
  const CommandResult none = webnn_cli({"run", graph, "--fill", "ones", "--only"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "--only wants the kernels of one provider"));
}

TEST_CASE("cli providers: two providers that differ are refused") {
  if (!has_provider("xnnpack")) return skip(no_provider("xnnpack"));
  const ScratchFolder scratch;
  const std::string graph = graph_file(scratch, "relu", "y = relu(x);");
  const CommandResult both = webnn_cli({"run", graph, "--fill", "ones", "-d", "cpu:xnnpack", "--kernels", "reference"});
  CHECK(both.code == 2);
  CHECK(contains(both.err, "--device cpu:xnnpack and --kernels reference prefer different providers"));
  CHECK(webnn_cli({"run", graph, "--fill", "ones", "-d", "cpu:xnnpack", "--kernels", "xnnpack"}).code == 0);
}

}  // namespace
}  // namespace webnn::tests::providers_test
