// The installed library, used as other projects use it: found by CMake and by pkg-config, in C++ and in C.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "cli/command.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"
#include "tests/structure/sources.hpp"

namespace webnn::tests::install_test {

namespace fs = std::filesystem;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // a library that only sanitized programs can use
#else
constexpr bool sanitized = false;
#endif

/// Runs a command that has to succeed; its output.
std::string succeed(const std::string& command) {
  const ShellResult result = run_shell(command);
  REQUIRE_MESSAGE(result.status == 0, command, "\n", result.output);
  return result.output;
}

void install(const fs::path& prefix) {
  succeed("cmake --install " + shell_word(build_dir()) + " --prefix " + shell_word(prefix));
}

/// The folder of the prefix that holds this file.
fs::path folder_of(const fs::path& prefix, const std::string& name) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(prefix))
    if (entry.path().filename() == name) return entry.path().parent_path();
  FAIL(name << " is not installed");
  return {};
}

constexpr std::string_view graph_text = R"({
  "format": "webnn-graph-json", "version": 2,
  "inputs": {"x": {"dataType": "float32", "shape": [2, 3]}},
  "consts": {},
  "nodes": [{"id": "y", "op": "softmax", "inputs": ["x"], "options": {"axis": 1}}],
  "outputs": {"y": "y"}
})";

/// Runs a consumer on a graph that is right, and on one that is not.
void check_consumer(const fs::path& program, const fs::path& scratch) {
  write_file(scratch / "softmax.json", std::string(graph_text));
  write_file(scratch / "broken.json", "{}");
  CHECK(succeed(shell_word(program) + " " + shell_word(scratch / "softmax.json")) == "input x: 2 3\noutput y: 2 3\n");
  CHECK(succeed(shell_word(program) + " " + shell_word(scratch / "broken.json")) == "code 3\n");
}

}  // namespace

TEST_CASE("install: programs, headers and descriptions for CMake and pkg-config") {
  const ScratchFolder scratch;
  install(scratch.path());
  std::set<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(scratch.path()))
    if (!entry.is_directory()) files.insert(entry.path().lexically_relative(scratch.path()).generic_string());
  std::string list;
  // Every command has a page; which commands there are is told elsewhere.
  for (const cli::Command& command : cli::commands())
    CHECK(files.erase("share/man/man1/webnn-cli-" + std::string(command.name) + ".1") == 1);
  // The names of what CMake writes for its own use, and where libraries lie, depend on the build.
  for (const std::string& file : files)
    if (file.find("webnnTargets-") == std::string::npos)
      list += std::regex_replace(file, std::regex("^lib[^/]*/(.*-linux-gnu[^/]*/)?"), "lib/") + "\n";
  check_golden("tests/api/installed-files.txt", list);
  CHECK(succeed(program_words(scratch.path() / "bin/webnn-cli") + " --version").starts_with("webnn-cli "));
}

TEST_CASE("install: a project finds the library with CMake") {
  if (sanitized) return skip("a sanitizer makes the library of this build one for sanitized programs alone");
  if (is_cross_build()) return skip("a library for another machine is of no use to this one's compiler");
  const ScratchFolder scratch;
  install(scratch.path() / "prefix");
  const fs::path build = scratch.path() / "build";
  succeed("cmake -S " + shell_word(source_dir() / "tests/consumer") + " -B " + shell_word(build) +
          " -G Ninja -DCMAKE_PREFIX_PATH=" + shell_word(scratch.path() / "prefix"));
  succeed("cmake --build " + shell_word(build));
  check_consumer(build / "in-cpp", scratch.path());
  check_consumer(build / "in-c", scratch.path());
}

TEST_CASE("install: a project compiles a model with webnn_compile, again when its weights change") {
  if (sanitized) return skip("a sanitizer makes the library of this build one for sanitized programs alone");
  if (is_cross_build()) return skip("a library for another machine is of no use to this one's compiler");
  const ScratchFolder scratch;
  const fs::path build = scratch.path() / "build", model = scratch.path() / "model";
  install(scratch.path() / "prefix");
  fs::create_directory(model);
  for (const char* name : {"digits.json", "digits.weights", "digits.manifest.json"})
    fs::copy_file(source_dir() / "models/digits" / name, model / name);
  succeed("cmake -S " + shell_word(source_dir() / "examples/cmake") + " -B " + shell_word(build) +
          " -G Ninja -DCMAKE_PREFIX_PATH=" + shell_word(scratch.path() / "prefix") +
          " -DMODEL=" + shell_word(model / "digits.json"));
  succeed("cmake --build " + shell_word(build));
  CHECK(succeed(shell_word(build / "read-digit")).starts_with("1 with a probability of "));
  CHECK(succeed("cmake --build " + shell_word(build)).find("no work to do") != std::string::npos);
  fs::last_write_time(model / "digits.weights", fs::file_time_type::clock::now());
  CHECK(succeed("cmake --build " + shell_word(build)).find("Compiling ") != std::string::npos);
}

TEST_CASE("install: a project finds the library with pkg-config") {
  if (sanitized) return skip("a sanitizer makes the library of this build one for sanitized programs alone");
  if (is_cross_build()) return skip("a library for another machine is of no use to this one's compiler");
  const ScratchFolder scratch;
  const fs::path prefix = scratch.path() / "prefix", consumer = source_dir() / "tests/consumer";
  install(prefix);
  const std::string flags = " $(PKG_CONFIG_PATH=" + shell_word(folder_of(prefix, "webnn.pc")) +
                            " pkg-config --cflags --libs webnn)" + " -Wl,-rpath," +
                            shell_word(folder_of(prefix, "libwebnn.so")) + " -Wall -Wextra -Wpedantic -Werror";
  succeed("cc -std=c99 " + shell_word(consumer / "in_c.c") + " -o " + shell_word(scratch.path() / "in-c") + flags);
  check_consumer(scratch.path() / "in-c", scratch.path());
  succeed("c++ -std=c++20 " + shell_word(consumer / "in_cpp.cpp") + " -o " + shell_word(scratch.path() / "in-cpp") +
          flags);
  check_consumer(scratch.path() / "in-cpp", scratch.path());
}

TEST_CASE("install: the shared library shows its public interfaces and nothing else") {
  std::set<std::string> shown;
  std::istringstream lines(
      succeed("nm -D --defined-only --format=posix " + shell_word(build_dir() / "api/libwebnn.so")));
  for (std::string line; std::getline(lines, line);) {
    const std::string symbol = line.substr(0, line.find(' '));
    if (symbol.starts_with("webnn_"))
      shown.insert(symbol);
    else  // of C++, what webnn.hpp and load.hpp name
      CHECK_MESSAGE(std::regex_search(symbol, std::regex("^_Z(N|NK|TIN|TSN|TVN)5webnn")), symbol);
  }
  std::set<std::string> declared;
  const std::string header = read_file(source_dir() / "api/webnn.h");
  const std::regex function(R"(WEBNN_API [a-z_ *]*?\b(webnn_\w+)\()");
  for (std::sregex_iterator match(header.begin(), header.end(), function), end; match != end; ++match)
    declared.insert((*match)[1]);
  CHECK(declared.size() > 20);
  CHECK(shown == declared);
}

}  // namespace webnn::tests::install_test
