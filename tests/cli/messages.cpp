// What commands say when they fail, with --output-format json: one object on standard error, the same exit codes.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::messages_test {
namespace {

using nlohmann::json;

/// y = op(x); `place` is taken up into the text as it is.
std::string graph_file(const ScratchFolder& scratch, const std::string& op, const std::string& more = {}) {
  const auto file = scratch.path() / (op + ".json");
  write_file(file, R"({"format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [2]})" +
                       more + R"(}, "nodes": [{"id": "y", "op": ")" + op + R"(", "inputs": ["x"]}],
    "outputs": {"y": "y"}})");
  return file.string();
}

/// The object that a command writes on standard error, after checking that the text form fails alike.
json messages_of(std::vector<std::string> arguments) {
  const CommandResult text = webnn_cli(arguments);
  arguments.insert(arguments.end(), {"--output-format", "json"});
  const CommandResult result = webnn_cli(arguments);
  CAPTURE(arguments);
  CAPTURE(result.err);
  CHECK(result.code == text.code);
  const json messages = json::parse(result.err, nullptr, false);
  REQUIRE(messages.is_object());
  CHECK(messages["schema"] == "webnn-cli/messages/1");
  CHECK(messages["exitCode"] == result.code);
  if (!messages["errors"].empty()) CHECK(contains(text.err, messages["errors"].at(0)["message"].get<std::string>()));
  return messages;
}

TEST_CASE("cli messages: an invalid graph gives its diagnostics") {
  const ScratchFolder scratch;
  for (const std::string command : {"run", "inspect"}) {
    const json messages = messages_of({command, graph_file(scratch, "relo")});
    CHECK(messages["exitCode"] == 3);
    CHECK(contains(messages["errors"][0]["message"], "is not a valid graph: 1 error"));
    const json& diagnostic = messages["diagnostics"].at(0);
    CHECK(diagnostic["code"] == "WNN0204");
    CHECK(diagnostic["line"] == 2);
    CHECK(diagnostic["hints"].at(0) == "did you mean 'relu'?");
  }
}

TEST_CASE("cli messages: what a command did beside its report is a note") {
  const ScratchFolder scratch;
  const std::string graph = graph_file(scratch, "relu"), folder = (scratch.path() / "saved").string();
  const CommandResult result =
      webnn_cli({"compare", graph, graph, "--fill", "ones", "--save-run", folder, "--output-format", "json"});
  CHECK(result.code == 0);
  const json remarks = json::parse(result.err).at("remarks");
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0].at("severity") == "note");
  CHECK(remarks[0].at("message") == "saved the run in " + folder);
}

TEST_CASE("cli messages: inputs, flags, files and limits") {
  const ScratchFolder scratch;
  const std::string graph = graph_file(scratch, "relu");
  const json missing = messages_of({"run", graph});
  CHECK(missing["exitCode"] == 2);
  CHECK(missing["errors"][0]["message"] == "inputs without data: 'x' (float32[2])");
  CHECK(missing["errors"][0]["hints"].size() == 1);
  CHECK(missing["diagnostics"].empty());
  const json unknown = messages_of({"run", graph, "--fil", "ones"});
  CHECK(unknown["exitCode"] == 2);
  CHECK(unknown["errors"][0]["hints"][0] == "did you mean '--fill'?");
  CHECK(messages_of({"run", (scratch.path() / "none.json").string()})["exitCode"] == 6);
  CHECK(messages_of({"inspect", (scratch.path() / "none.npy").string()})["exitCode"] == 6);
  CHECK(messages_of({"test", (scratch.path() / "none").string()})["exitCode"] == 6);
  CHECK(messages_of({"ops", "conv"})["exitCode"] == 2);
  CHECK(messages_of({"run", graph, "--fill", "ones", "--max-memory", "8"})["exitCode"] == 7);
  CHECK(messages_of({"run", graph, "--fill", "ones", "--timeout", "soon"})["exitCode"] == 2);
}

TEST_CASE("cli messages: all diagnostics are in one object, also what the text form says before an error") {
  const ScratchFolder scratch;
  const std::string graph = graph_file(scratch, "relu", R"(, "idle": {"dataType": "float32", "shape": [2]})");
  const json messages = messages_of({"run", graph, "--input", "y=ones"});
  CHECK(messages["errors"].size() == 1);
  CHECK(messages["diagnostics"].at(0)["severity"] == "warning");
}

TEST_CASE("cli messages: warnings alone do not fail; without any, nothing is said") {
  const ScratchFolder scratch;
  const std::string graph = graph_file(scratch, "relu", R"(, "idle": {"dataType": "float32", "shape": [2]})");
  const CommandResult warned = webnn_cli({"run", graph, "--fill", "ones", "--output-format", "json"});
  CHECK(warned.code == 0);
  CHECK(json::parse(warned.err)["exitCode"] == 0);
  CHECK(json::parse(warned.err)["diagnostics"].size() == 1);
  CHECK(json::parse(warned.out)["outputs"].size() == 1);
  const CommandResult quiet = webnn_cli({"run", graph_file(scratch, "abs"), "--fill", "ones", "--output-format=json"});
  CHECK(quiet.code == 0);
  CHECK(quiet.err.empty());
}

TEST_CASE("cli messages: validate reports on standard output, and files that it cannot read on standard error") {
  const ScratchFolder scratch;
  const std::string good = graph_file(scratch, "relu"), bad = graph_file(scratch, "relo"),
                    none = (scratch.path() / "none.json").string();
  const CommandResult result = webnn_cli({"validate", good, none, bad, "--output-format", "json"});
  CHECK(result.code == 3);
  CHECK(json::parse(result.out)["diagnostics"].size() == 1);
  const json messages = json::parse(result.err);
  CHECK(messages["errors"].size() == 1);
  CHECK(contains(messages["errors"][0]["message"], "none.json"));
  CHECK(messages["diagnostics"].empty());
}

}  // namespace
}  // namespace webnn::tests::messages_test
