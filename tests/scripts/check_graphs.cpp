// Runs scripts/check-graphs.sh as a pipeline does.
#include <doctest/doctest.h>

#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::check_graphs_test {
namespace {

namespace fs = std::filesystem;

/// A repository with a graph that is valid, one that is not, and JSON of other programs.
struct Repository {
  Repository() {
    for (const char* name : {"good", "bad", ".hidden"}) fs::create_directories(folder / name);
    const std::string head = "webnn_graph \"g\" v1 {\n  inputs { x: f32[2]; }\n  nodes { y = ",
                      end = "(x); }\n  outputs { y; }\n}\n";
    write_file(folder / "good/a.webnn", head + "relu" + end);
    write_file(folder / "bad/b.webnn", head + "relax" + end);
    write_file(folder / ".hidden/c.webnn", head + "relax" + end);
    write_file(folder / "tsconfig.json", "{ // settings\n  \"strict\": true,\n}\n");
    write_file(folder / "package.json", R"({"format":"esm","nodes":[]})");
  }

  /// `settings`: of the environment, in words of a shell.
  ShellResult check(const std::string& settings) const {
    return run_shell("cd " + shell_word(folder) + " && PATH=" + shell_word(build_dir() / "bin") +
                     ":$PATH GITHUB_STEP_SUMMARY=summary GITHUB_OUTPUT=output " + settings + " bash " +
                     shell_word(source_dir() / "scripts/check-graphs.sh") + " 2>&1");
  }
  std::string file(const char* name) const { return fs::exists(folder / name) ? read_file(folder / name) : ""; }

  ScratchFolder scratch;
  fs::path folder = scratch.path();
};

}  // namespace

TEST_CASE("check-graphs: every line of a list counts") {
  if (is_cross_build()) return skip("the build is for another machine");
  const Repository repository;
  const ShellResult good = repository.check("WEBNN_CHECK_FILES=good");
  CAPTURE(good.output);
  CHECK(good.status == 0);
  for (const char* const files : {"'good\nbad\n'", "'\ngood bad'", "'good bad'"}) {
    CAPTURE(files);
    const ShellResult result = repository.check(std::string("WEBNN_CHECK_FILES=") + files);
    CAPTURE(result.output);
    CHECK(result.status == 1);
    CHECK(contains(result.output, "::error"));
    CHECK(contains(result.output, "relax"));
  }
}

TEST_CASE("check-graphs: the folder of the SARIF file need not be there") {
  if (is_cross_build()) return skip("the build is for another machine");
  const Repository repository;
  const ShellResult result = repository.check("WEBNN_CHECK_FILES=good WEBNN_CHECK_SARIF=new/reports/w.sarif");
  CAPTURE(result.output);
  CHECK(result.status == 0);
  CHECK(contains(repository.file("new/reports/w.sarif"), "sarif"));
}

TEST_CASE("check-graphs: a repository's other JSON and hidden folders are no graphs") {
  if (is_cross_build()) return skip("the build is for another machine");
  const Repository repository;
  fs::remove_all(repository.folder / "bad");
  const ShellResult result = repository.check("");
  CAPTURE(result.output);
  CHECK(result.status == 0);
}

TEST_CASE("check-graphs: a file that is too large does not hide what is wrong with others") {
  if (is_cross_build()) return skip("the build is for another machine");
  const Repository repository;
  fs::remove(repository.folder / "bad/b.webnn");
  write_file(repository.folder / "bad/u4.webnn",
             "webnn_graph \"g\" v1 {\n  inputs { x: u4[2]; }\n  nodes { y = identity(x); }\n  outputs { y; }\n}\n");
  write_file(repository.folder / "bad/huge.webnn", "");
  fs::resize_file(repository.folder / "bad/huge.webnn", std::uintmax_t{2} << 30);
  const ShellResult result = repository.check("WEBNN_CHECK_BROWSER=chromium");
  CAPTURE(result.output);
  CHECK(result.status == 7);
  CHECK(contains(result.output, "u4.webnn"));
  CHECK(contains(result.output, "is beyond a limit"));
  CHECK(contains(repository.file("output"), "sarif=webnn.sarif"));
  CHECK(contains(repository.file("webnn.sarif"), "u4.webnn"));
}

}  // namespace webnn::tests::check_graphs_test
