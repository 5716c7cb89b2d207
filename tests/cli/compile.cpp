// What `compile` gives, and where it goes: nothing succeeds without output.
#include <doctest/doctest.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/cli/command_line.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::compile_test {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;
namespace fs = std::filesystem;

std::string digits() { return (source_dir() / "models/digits/digits.json").string(); }

CommandResult compile(Words options) {
  options.insert(options.begin(), {"compile", digits()});
  return webnn_cli(options);
}

TEST_CASE("cli compile: options that would leave nothing behind are usage errors") {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "out").string();
  for (const Words& options :
       {Words{}, Words{"--stop-after", "simplify"}, Words{"--stop-after", "simplify", "-o", file},
        Words{"--stop-after", "simplify", "--stats"}, Words{"--emit", "ir", "--embed-graph"},
        Words{"--emit", "ir", "--output-format", "json"}, Words{"-o", "-", "--output-format", "json"},
        Words{"--output-format", "json"}}) {
    const CommandResult result = compile(options);
    CAPTURE(options);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK(contains(result.err, "hint"));
    CHECK_FALSE(fs::exists(file));
  }
  write_file(file, "kept");
  CHECK(compile({"--emit", "ir", "-o", file}).code == 2);
  CHECK(read_file(file) == "kept");
}

TEST_CASE("cli compile: what shows the compiler needs no file") {
  const CommandResult stats = compile({"--stats"});
  CHECK(stats.code == 0);
  CHECK(contains(stats.err, "steps"));
  const CommandResult times = compile({"--time-passes"});
  CHECK(times.code == 0);
  CHECK(contains(times.err, "(verification)"));
  const CommandResult stopped = compile({"--print-after", "simplify", "--stop-after", "simplify"});
  CHECK(stopped.code == 0);
  CHECK(contains(stopped.err, "// after simplify"));
  CHECK_FALSE(contains(stopped.err, "plan_memory"));
}

TEST_CASE("cli compile: a pass that does not run at this level says so instead of printing nothing") {
  const CommandResult result = compile({"-O0", "--print-after", "simplify"});
  CHECK(result.code == 0);
  CHECK(contains(result.err, "// simplify does not run at -O0"));
  CHECK(contains(result.err, "conv2d"));
}

TEST_CASE("cli compile: --emit ir goes to the file or to standard output, also after --stop-after") {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "digits.ir").string();
  const CommandResult printed = compile({"--emit", "ir"});
  CHECK(printed.code == 0);
  CHECK(printed.out.starts_with("// after emit_program\n"));
  CHECK(compile({"--emit", "ir", "-o", "-"}).out == printed.out);
  const CommandResult written = compile({"--emit", "ir", "-o", file, "--time-passes"});
  CHECK(written.code == 0);
  CHECK(written.out.empty());
  CHECK(contains(written.err, "(verification)"));
  CHECK(contains(written.err, "wrote " + file));
  CHECK(read_file(file) == printed.out);
  const CommandResult early = compile({"--emit", "ir", "--stop-after", "canonicalize"});
  CHECK(early.code == 0);
  CHECK(early.out.starts_with("// after canonicalize\n"));
  CHECK(contains(early.out, "conv2d"));
  CHECK_FALSE(contains(early.out, "arena"));
}

TEST_CASE("cli compile: --emit dot draws the graph as the passes left it") {
  if (!has_convolution_library()) return skip(no_convolution_library());
  const CommandResult after = compile({"--emit", "dot"});
  CHECK(after.code == 0);
  CHECK(after.out.starts_with("digraph "));
  CHECK(contains(after.out, "conv2d + relu"));
  CHECK_FALSE(contains(compile({"--emit", "dot", "--stop-after", "canonicalize"}).out, "conv2d + relu"));
}

TEST_CASE("cli compile: -o - prints the program, and no file of that name appears") {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "digits.wnnc").string();
  REQUIRE(compile({"-o", file}).code == 0);
  const CommandResult printed = compile({"-o", "-"});
  CHECK(printed.code == 0);
  CHECK(printed.err.empty());
  CHECK(printed.out == read_file(file));
  CHECK_FALSE(fs::exists("-"));
  std::ostringstream out, err;
  cli::Console terminal{out, err, true, true};
  CHECK(cli::run_command_line({"compile", digits(), "-o", "-"}, terminal) == 2);
  CHECK(out.str().empty());
}

TEST_CASE("cli compile: --depfile names the files that the program was made from, as make reads them") {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "a #1 $ folder";
  fs::create_directory(folder);
  for (const char* name : {"digits.json", "digits.weights", "digits.manifest.json"})
    fs::copy_file(source_dir() / "models/digits" / name, folder / name);
  const std::string program = (scratch.path() / "digits.wnnc").string(), rule = program + ".d";
  REQUIRE(webnn_cli({"compile", (folder / "digits.json").string(), "-o", program, "--depfile", rule}).code == 0);
  const std::string start = " \\\n  " + scratch.path().string() + "/a\\ \\#1\\ $$\\ folder/digits.";
  CHECK(read_file(rule) == program + ":" + start + "json" + start + "weights" + start + "manifest.json\n");
  CHECK(compile({"--emit", "ir", "--depfile", rule, "--force"}).code == 2);
  CHECK(compile({"-o", program, "--force", "--depfile", "-"}).code == 2);
  CHECK(compile({"-o", program + "2", "--depfile", rule}).code == 2);  // it is there
  CHECK_FALSE(fs::exists(program + "2"));
  // Names that would end the rule, and begin a command.
  for (const char* const name : {"a\nw:;touch b\nx.json", "x!=touch b.json"}) {
    const std::string strange = (scratch.path() / name).string();
    fs::copy_file(digits(), strange);
    const CommandResult refused = webnn_cli({"compile", strange, "-o", program + "3", "--depfile", program + "3.d"});
    CHECK(refused.code == 3);
    CHECK(contains(refused.err, "cannot stand in a rule of make"));
    CHECK_FALSE(fs::exists(program + "3"));
  }
}

TEST_CASE("cli compile: the namespace of --header is none of C's functions or a compiler's macros") {
  const ScratchFolder scratch;
  for (const char* const name : {"exp", "index", "linux"}) {
    const std::string program = (scratch.path() / name).string() + ".wnnc", header = program + ".hpp";
    REQUIRE(compile({"-o", program, "--header", header}).code == 0);
    CHECK(contains(read_file(header), "namespace " + std::string(name) + "_ {"));
  }
}

TEST_CASE("cli compile: --header names inputs and outputs as C++ can") {
  const ScratchFolder scratch;
  const auto at = [&](const char* name) { return (scratch.path() / name).string(); };
  write_file(at("graph.json"), R"({
    "format": "webnn-graph-json", "version": 2,
    "inputs": {"new": {"dataType": "float16", "shape": []}, "a:0": {"dataType": "float16", "shape": [2, 3]},
               "a.0": {"dataType": "float16", "shape": [2, 3]}, "0\"\u00e9": {"dataType": "int4", "shape": [3]}},
    "consts": {},
    "nodes": [{"id": "s", "op": "add", "inputs": ["a:0", "a.0"]}, {"id": "t", "op": "add", "inputs": ["s", "new"]},
              {"id": "u", "op": "identity", "inputs": ["0\"\u00e9"]}],
    "outputs": {"shape": "t", "u": "u"}
  })");
  REQUIRE(webnn_cli({"compile", at("graph.json"), "-o", at("1-graph.wnnc"), "--header", at("graph.hpp")}).code == 0);
  check_golden("tests/cli/compiled-header.txt",
               std::regex_replace(read_file(at("graph.hpp")), std::regex(scratch.path().string()), "FOLDER"));
}

TEST_CASE("cli compile: --output-format json says what was written") {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "digits.wnnc").string();
  const CommandResult result = compile({"-o", file, "--output-format", "json", "--stats", "--time-passes"});
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  const json report = json::parse(result.out);
  CHECK(report["schema"] == "webnn-cli/compile/1");
  CHECK(report["output"] == file);
  CHECK(report["bytes"] == fs::file_size(file));
  CHECK(report["stats"]["steps"] == report["steps"]);
  CHECK(report["passes"].size() > 5);
  CHECK(json::parse(compile({"--stats", "--output-format", "json"}).out)["output"].is_null());
}

TEST_CASE("cli convert, bench and inspect: - is standard output") {
  const ScratchFolder scratch;
  const CommandResult text = webnn_cli({"convert", digits(), "-o", "-", "--to", "text"});
  CHECK(text.code == 0);
  CHECK(text.out.starts_with("webnn_graph"));
  CHECK(webnn_cli({"convert", digits(), "-o", "-", "--to", "json", "--weights", "manifest"}).code == 2);
  CHECK(contains(webnn_cli({"convert", digits(), "-o", "-"}).err, "--to"));
  CHECK(contains(webnn_cli({"inspect", digits(), "--html", "-"}).out, "</html>"));
  CHECK(contains(webnn_cli({"bench", digits(), "--time", "1ms", "--warm-up", "1ms", "--threads", "1", "-o", "-"}).out,
                 "p50"));
  CHECK(webnn_cli({"profile", digits(), "--trace", "-"}).code == 2);
  CHECK_FALSE(fs::exists("-"));
}

}  // namespace
}  // namespace webnn::tests::compile_test
