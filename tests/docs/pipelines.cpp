// What pipelines of others use: the action for GitHub and the hook for pre-commit. The workflows and settings that examples/
// and docs/ show name what is there.
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::pipelines_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* broken_graph = R"({
  "format": "webnn-graph-json", "version": 2,
  "inputs": {"x": {"dataType": "float32", "shape": [2, 3]}},
  "consts": {},
  "nodes": [{"id": "y", "op": "rleu", "inputs": ["x"]}],
  "outputs": {"y": "y"}
})";

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
    found.insert((*match)[1]);
  return found;
}

/// The step of action.yml as GitHub runs it, in a folder, with these inputs; others have their defaults.
ShellResult run_action(const fs::path& folder, std::map<std::string, std::string> inputs) {
  const std::string action = read_file(source_dir() / "action.yml");
  const std::regex input("\n  ([a-z]+):\n    description: .*\n    default: \"?([^\"\n]*)");
  for (std::sregex_iterator match(action.begin(), action.end(), input), end; match != end; ++match)
    inputs.try_emplace((*match)[1], (*match)[2]);
  std::string words = "cd " + shell_word(folder) + " && env PATH=" + shell_word(build_dir() / "bin") +
                      ":\"$PATH\" GITHUB_ACTION_PATH=" + shell_word(source_dir()) +
                      " GITHUB_OUTPUT=out GITHUB_STEP_SUMMARY=summary";
  const std::regex variable("\n        ([A-Z_]+): \\$\\{\\{ inputs\\.([a-z]+) \\}\\}");
  for (std::sregex_iterator match(action.begin(), action.end(), variable), end; match != end; ++match)
    words += " " + std::string((*match)[1]) + "=" + shell_word(inputs.at((*match)[2]));
  std::smatch run;
  REQUIRE(std::regex_search(action, run, std::regex("\n      run: (.*)\n")));
  return run_shell(words + " bash -eo pipefail -c " + shell_word(run[1].str()));
}

}  // namespace

TEST_CASE("pipelines: the action uses every input that it declares, and the example none that it does not") {
  const std::string action = read_file(source_dir() / "action.yml");
  const std::set<std::string> declared = matches(action, "\n  ([a-z]+):\n    description: .*\n    default:");
  CHECK(declared.size() == 4);
  CHECK(matches(action, "inputs\\.([a-z]+)") == declared);
  const std::string example = read_file(source_dir() / "examples/github/graphs.yml");
  for (const std::string& given : matches(example, "\n          ([a-z]+): [a-z]")) CHECK(declared.contains(given));
  CHECK(matches(example, "outputs\\.([a-z]+)") == matches(action, "\noutputs:\n  ([a-z]+):"));
  CHECK(read_file(source_dir() / "docs/ci-pipeline.md").find(example) != std::string::npos);
}

TEST_CASE("pipelines: the action passes for graphs that are right, and annotates what is wrong") {
  if (is_cross_build()) return skip("the programs of this build are for another machine");
  const ScratchFolder scratch;
  const fs::path& folder = scratch.path();
  fs::copy(source_dir() / "models/digits", folder / "digits");
  const ShellResult good = run_action(folder, {{"tests", "digits"}, {"browser", "chromium"}});
  CHECK_MESSAGE(good.status == 0, good.output);
  CHECK(good.output.find("1 passed, 0 failed, 0 skipped") != std::string::npos);
  CHECK(read_file(folder / "out") == "sarif=webnn.sarif\n");
  CHECK(read_file(folder / "summary") == "All graphs are valid.\nTests: 1 passed, 0 failed, 0 skipped.\n");
  CHECK(json::parse(read_file(folder / "webnn.sarif"))["runs"][0]["results"].empty());

  write_file(folder / "broken.json", broken_graph);
  const ShellResult bad = run_action(folder, {{"sarif", "other.sarif"}});
  CHECK(bad.status == 1);
  CHECK(bad.output.find("::error file=") != std::string::npos);
  CHECK(json::parse(read_file(folder / "other.sarif"))["runs"][0]["results"].size() == 1);

  // A file that cannot be read does not hide what is wrong with the others.
  CHECK(run_action(folder, {{"files", "absent.json"}}).status == 6);
  CHECK(run_action(folder, {{"files", "absent.json broken.json"}, {"sarif", "others.sarif"}}).status == 1);
  CHECK(json::parse(read_file(folder / "others.sarif"))["runs"][0]["results"].size() == 1);
  CHECK(run_action(folder, {{"browser", "none"}, {"sarif", "none.sarif"}}).status == 2);
  CHECK_FALSE(fs::exists(folder / "none.sarif"));
  CHECK_FALSE(fs::exists(folder / "none.sarif.part"));
}

TEST_CASE("pipelines: the hook lets pre-commit pass what is right, and stop what is not") {
  if (is_cross_build()) return skip("the programs of this build are for another machine");
  if (!has_program("pre-commit")) return skip("pre-commit is not installed");
  const ScratchFolder scratch;
  const fs::path hooks = scratch.path() / "hooks", project = scratch.path() / "project";
  for (const fs::path& folder : {hooks, project}) fs::create_directory(folder);
  fs::copy_file(source_dir() / ".pre-commit-hooks.yaml", hooks / ".pre-commit-hooks.yaml");
  fs::copy_file(source_dir() / "models/onnx/digits.onnx", project / "digits.onnx");
  write_file(project / "other.txt", "no graph");
  const std::string settings = "export HOME=" + shell_word(scratch.path()) +
                               " PATH=" + shell_word(build_dir() / "bin") +
                               ":\"$PATH\" GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a "
                               "GIT_COMMITTER_EMAIL=a@b; ";
  const auto in = [&](const fs::path& folder, const std::string& command) {
    return run_shell(settings + "cd " + shell_word(folder) + " && " + command);
  };
  for (const fs::path& folder : {hooks, project})
    REQUIRE(in(folder, "git init -q . && git add -A && git commit -qm first").status == 0);
  const std::string revision = in(hooks, "git rev-parse HEAD").output;
  std::string example = read_file(source_dir() / "examples/pre-commit/.pre-commit-config.yaml");
  CHECK(read_file(source_dir() / "docs/ci-pipeline.md").find(example) != std::string::npos);
  example = std::regex_replace(example, std::regex("repo: .*"), "repo: " + hooks.string());
  example = std::regex_replace(example, std::regex("rev: .*"), "rev: " + revision.substr(0, revision.find('\n')));
  write_file(project / ".pre-commit-config.yaml", example);
  const ShellResult good = in(project, "pre-commit run --all-files");
  CHECK_MESSAGE(good.status == 0, good.output);
  CHECK(good.output.find("Passed") != std::string::npos);
  write_file(project / "broken.webnn.json", broken_graph);
  const ShellResult bad = in(project, "git add -A && pre-commit run --all-files");
  CHECK(bad.status == 1);
  CHECK_MESSAGE(bad.output.find("broken.webnn.json:5:") != std::string::npos, bad.output);
}

}  // namespace webnn::tests::pipelines_test
