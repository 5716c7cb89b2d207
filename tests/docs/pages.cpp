// The pages of docs/: every command in them is run, and prints what they say.
#include <doctest/doctest.h>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/docs/page.hpp"
#include "tests/harness/machine/bindings.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::pages_test {
namespace {

namespace fs = std::filesystem;

/// What a reader of the docs has: the programs in the path, the modules of Python and Node.js, the library where it is
/// installed, and a folder with the models of the checkout in it.
std::string environment(const fs::path& folder) {
  const fs::path prefix = folder / "installed", python = build_dir() / "python", module = folder / "node_modules/webnn";
  fs::create_directories(module.parent_path());
  fs::create_directory_symlink(source_dir() / "models", folder / "models");
  fs::create_directory_symlink(source_dir() / "examples", folder / "examples");
  fs::create_directory_symlink(source_dir() / "bindings/node", module);
  fs::create_directory(folder / "programs");
  run_shell("ln -s " + python_with_numpy() + " " + shell_word(folder / "programs/python3"));
  std::string words =
      "export WEBNN_CLI_NO_CACHE=true WEBNN_CLI_TIME=100ms WEBNN_ADDON=" + shell_word(build_dir() / "node/webnn.node");
  words += " CMAKE_PREFIX_PATH=" + shell_word(prefix) + " PYTHONPATH=" + shell_word(python);
  words += " PATH=" + shell_word(folder / "programs") + ":" + shell_word(build_dir() / "bin") + ":\"$PATH\"\n";
  const std::string found = "$(dirname \"$(find " + shell_word(prefix) + " -name webnn.pc)\")";
  return words + "[[ ! -d " + shell_word(prefix) + " ]] || export PKG_CONFIG_PATH=" + found +
         " LD_LIBRARY_PATH=" + found + "/..\n";
}

void install(const fs::path& folder) {
  const ShellResult installed =
      run_shell("cmake --install " + shell_word(build_dir()) + " --prefix " + shell_word(folder / "installed"));
  REQUIRE_MESSAGE(installed.status == 0, installed.output);
}

enum class Library : bool { absent, installed };

void run_page(const std::string& page, Library library = Library::absent) {
  if (is_cross_build()) return skip("the programs of this build are for another machine");
  if (under_sanitizer) return skip("a sanitizer makes the library of this build one for sanitized programs alone");
  const fs::path file = source_dir() / "docs" / page;
  const std::vector<PageBlock> blocks = blocks_of(read_file(file));
  REQUIRE(!blocks.empty());
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "page";
  fs::create_directory(folder);
  if (library == Library::installed) install(folder);
  const std::string settings = environment(folder) + "cd " + shell_word(folder) + "\n";
  std::string output;
  for (const PageBlock& block : blocks) {
    const std::string place = file.string() + ":" + std::to_string(block.line);
    switch (block.kind) {
      case PageBlock::Kind::file:
        fs::create_directories((folder / block.name).parent_path());
        write_file(folder / block.name, block.content);
        break;
      case PageBlock::Kind::commands: {
        write_file(scratch.path() / "commands.sh", settings + block.content);
        const ShellResult result = run_shell("bash -euo pipefail " + shell_word(scratch.path() / "commands.sh"));
        output = result.output;
        REQUIRE_MESSAGE(result.status == 0, place, ": status ", result.status, "\n", block.content, output);
        break;
      }
      case PageBlock::Kind::printed: {
        const std::string missing = missing_line(block.content, output);
        CHECK_MESSAGE(missing.empty(), place, ": no such line:\n", missing, "\nin:\n", output);
        break;
      }
    }
  }
}

}  // namespace

TEST_CASE("docs: run a model") { run_page("run-a-model.md"); }
TEST_CASE("docs: write a graph file") {
  if (const char* reason = obstacle_of_python()) return skip(reason);
  run_page("write-a-graph.md");
}
TEST_CASE("docs: a model in a C++ program") { run_page("cpp-program.md", Library::installed); }
TEST_CASE("docs: a model in a Node.js server") {
  if (const char* reason = obstacle_of_node()) return skip(reason);
  run_page("node-server.md");
}
TEST_CASE("docs: a model in a Python script") {
  if (const char* reason = obstacle_of_python()) return skip(reason);
  run_page("python-script.md");
}
TEST_CASE("docs: models in a CI pipeline") { run_page("ci-pipeline.md"); }
TEST_CASE("docs: why a model is slow") { run_page("why-it-is-slow.md"); }
TEST_CASE("docs: why a result is wrong") { run_page("why-it-is-wrong.md"); }
TEST_CASE("docs: write a kernel") { run_page("write-a-kernel.md"); }

TEST_CASE("docs: every page is tested, and named in the list of pages") {
  const std::string list = read_file(source_dir() / "docs/README.md");
  const std::string tests = read_file(source_dir() / "tests/docs/pages.cpp");
  for (const fs::directory_entry& entry : fs::directory_iterator(source_dir() / "docs")) {
    const std::string page = entry.path().filename().string();
    if (page == "README.md") continue;
    CHECK_MESSAGE(list.find("](" + page + ")") != std::string::npos, page);
    CHECK_MESSAGE(tests.find("run_page(\"" + page + "\"") != std::string::npos, page);
  }
}

TEST_CASE("docs: a page is read as its author means it") {
  const std::vector<PageBlock> blocks =
      blocks_of("# Title\n<!-- file: a/b.json -->\n```json\n{}\n```\n```sh\nls\npwd\n```\n```text\na...c\n```\n");
  REQUIRE(blocks.size() == 3);
  CHECK((blocks[0].kind == PageBlock::Kind::file && blocks[0].name == "a/b.json" && blocks[0].content == "{}\n"));
  CHECK((blocks[1].kind == PageBlock::Kind::commands && blocks[1].content == "ls\npwd\n" && blocks[1].line == 7));
  CHECK(blocks[2].kind == PageBlock::Kind::printed);
  CHECK_THROWS_AS(blocks_of("```cpp\nint x;\n```\n"), std::runtime_error);
  CHECK_THROWS_AS(blocks_of("```text\nx\n```\n"), std::runtime_error);
  CHECK(missing_line("a...c\nx[1]\n", "0\nabc\nx[1]\n").empty());
  CHECK(missing_line("x[1]\na...c\n", "0\nabc\nx[1]\n") == "a...c");
}

}  // namespace webnn::tests::pages_test
