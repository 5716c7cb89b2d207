// `webnn-cli devices` and `bench` say how many threads run by default, and why.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "runtime/processors.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/shell.hpp"

namespace webnn::tests {
namespace {

using nlohmann::json;

TEST_CASE("cli devices: the default number of threads, and what decides it") {
  const runtime::ThreadLimit limit = runtime::thread_limit();
  const CommandResult text = webnn_cli({"devices"});
  CHECK(text.code == 0);
  CHECK(text.out.find(" by default: " + limit.reason + "\n") != std::string::npos);
  const json document = json::parse(webnn_cli({"devices", "--output-format", "json"}).out);
  CHECK(document.at("cpu").at("threads") == limit.threads);
  CHECK(document.at("cpu").at("threadsReason") == limit.reason);
}

TEST_CASE("cli bench: a process that is held on one processor runs one thread, and says so") {
  const std::string command = "taskset -c \"$(taskset -cp $$ | grep -oE '[0-9]+' | tail -n 1)\" " +
                              shell_word(build_dir() / "bin" / "webnn-cli") + " bench " +
                              shell_word(source_dir() / "models/digits/digits.json") +
                              " --time 1ms --warm-up 1ms --runs 2 --rounds 2 --output-format json";
  const ShellResult result = run_shell(command + " 2>/dev/null");
  REQUIRE(result.status == 0);
  const json document = json::parse(result.output);
  CHECK(document.at("context").at("default_threads") == 1);
  CHECK(document.at("benchmarks").at(0).at("threads") == 1);
}

}  // namespace
}  // namespace webnn::tests
